//===- GradBiasGrid.cpp - Gradients of biases as a grid of a GPU ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A block sums a tile of queries and keys of the bias over all batches and
// heads that read it, in their order. So it needs no memory beside the result,
// but two products of each pair are computed once more.

#include "GradGrids.h"
#include "KeyRuns.h"
#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

std::optional<BiasAxes> lattn::findBiasAxes(AffineMap map) {
  BiasAxes axes;
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && !isa<AffineConstantExpr>(expr))
      return std::nullopt;
    if (dim && axes[dim.getPosition()])
      return std::nullopt;
    if (dim)
      axes[dim.getPosition()] = axis;
  }
  if (!axes[2] || !axes[3] || *axes[2] > *axes[3])
    return std::nullopt;
  return axes;
}

/// min(size, extent - first), but not below 0.
static Value buildCount(OpBuilder &b, Location loc, int64_t size,
                        OpFoldResult extent, Value first) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  AffineExpr whole = getAffineConstantExpr(size, b.getContext());
  Value count = getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineMin(
          b, loc, AffineMap::get(0, 2, {whole, s0 - s1}, b.getContext()),
          {extent, OpFoldResult(first)}));
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return b.createOrFold<arith::MaxSIOp>(loc, count, zero);
}

/// Whether no query of a tile sees a key of the other, and whether all see all.
/// Neither is said where batches differ.
std::pair<Value, Value> GradGrids::findPairs(const Rows &queries,
                                             const Rows &keys) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  };
  Value no = arith::ConstantIntOp::create(b, loc, b.getI1Type(), 0);
  bool differ = offset && isa<ShapedType>(offset.getType());
  if (differ || op.getKvLens() || op.getKeyMask())
    return {no, no};
  TileKeyValues seen =
      findTileKeys(b, op, {queries.batch, queries.first, queries.count, offset},
                   index(this->keys));
  Value end = add(keys.first, keys.count);
  Value before = compare(Predicate::sle, end, seen.begin);
  Value after = compare(Predicate::sge, keys.first, seen.end);
  Value from = compare(Predicate::sge, keys.first, seen.interiorBegin);
  Value to =
      compare(Predicate::sle, add(keys.first, index(b.getIndexAttr(sizes.key))),
              seen.interiorEnd);
  return {arith::OrIOp::create(b, loc, before, after),
          arith::AndIOp::create(b, loc, from, to)};
}

/// The gradients of scores of a tile, (query, key), of all batches and heads
/// that share them: those of `shared` that are not 1, beside the tile's own.
Value GradGrids::sumOverSharers(Rows queries, Rows keys, const BiasAxes &axes,
                                ArrayRef<Value> shared) {
  auto [isHidden, isVisible] = findPairs(queries, keys);
  Value isEdge = arith::XOrIOp::create(
      b, loc, isVisible,
      arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{queries.count, keys.count}, type);
  Value none = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
  Value start = linalg::FillOp::create(b, loc, none, empty).getResult(0);
  // A step counts as many positions as the tile has keys.
  Value zero = index(b.getIndexAttr(0)),
        tile = index(b.getIndexAttr(sizes.key));
  Value steps = b.createOrFold<arith::MulIOp>(loc, shared[0], shared[1]);
  steps = arith::SelectOp::create(b, loc, isHidden, zero, steps);
  Value end = b.createOrFold<arith::MulIOp>(loc, steps, tile);
  auto sweep = SweepKeysOp::create(b, loc, ValueRange{zero, end},
                                   SweepRun::Edge, sizes.key, start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&sweep.getBody().front());
  Value step = arith::DivUIOp::create(b, loc, sweep.getKey(), tile);
  if (!axes[0])
    queries.batch = arith::DivUIOp::create(b, loc, step, shared[1]);
  if (!axes[1])
    queries.head = arith::RemUIOp::create(b, loc, step, shared[1]);
  keys.batch = queries.batch;
  keys.head = buildKvHead(b, loc, queries.head, index(heads), index(kvHeads));
  Wanted wanted;
  wanted.scores = true;
  AttentionGradStepOp ofStep = buildStep(takeQueries(queries), takeKeys(keys),
                                         wanted, isEdge, ValueRange());
  AffineMap same = b.getMultiDimIdentityMap(2);
  AffineMap swapped =
      AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext());
  Value sum = buildGeneric(
      b, loc, ofStep.getResult(4), sweep.getState()[0], {swapped, same},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        return arith::AddFOp::create(nested, loc, args[1], args[0]);
      });
  YieldOp::create(b, loc, sum);
  return sweep.getResult(0);
}

/// Ends the body of `grid` with `sum` as the tile of its destination.
void GradGrids::closeBiasGrid(scf::ForallOp grid, Value sum,
                              const Rows &queries, const Rows &keys,
                              const BiasAxes &axes) {
  Value destination = grid.getRegionIterArgs()[0];
  auto whole = cast<RankedTensorType>(destination.getType());
  SmallVector<OpFoldResult> ones(whole.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> offsets(whole.getRank(), b.getIndexAttr(0)),
      extents = ones;
  Value places[] = {queries.batch, queries.head, queries.first, keys.first};
  for (auto [axis, place] : llvm::zip_equal(axes, places))
    if (axis)
      offsets[*axis] = place;
  extents[*axes[2]] = queries.count;
  extents[*axes[3]] = keys.count;
  auto matrix = RankedTensorType::get(
      {ShapedType::kDynamic, ShapedType::kDynamic}, whole.getElementType());
  Value part = tensor::ExtractSliceOp::create(b, loc, matrix, destination,
                                              offsets, extents, ones);
  Value copy = linalg::CopyOp::create(b, loc, sum, part).getResult(0);
  b.setInsertionPointToEnd(grid.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, copy, destination, offsets,
                                        extents, ones);
  b.setInsertionPointAfter(grid);
}

Value GradGrids::buildBiasGrid() {
  BiasAxes axes = *findBiasAxes(op.getEffectiveBiasMap());
  Value one = index(b.getIndexAttr(1));
  Value wholes[] = {index(batches), index(heads)};
  // Batches and heads that have a gradient of their own, and those that share.
  Value own[2], shared[2];
  for (unsigned i : {0, 1}) {
    own[i] = axes[i] ? wholes[i] : one;
    shared[i] = axes[i] ? one : wholes[i];
  }
  // A bias may have more elements than there are pairs.
  Type element = getElementTypeOrSelf(op.getDBias().getType());
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value dest =
      linalg::FillOp::create(b, loc, nothing, op.getDBias()).getResult(0);
  auto countTiles = [&](OpFoldResult extent, int64_t size) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineSymbolExpr(0).ceilDiv(size), {extent});
  };
  Value grids = b.createOrFold<arith::MulIOp>(loc, own[0], own[1]);
  auto grid = scf::ForallOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{getAsOpFoldResult(grids),
                             countTiles(queries, sizes.query),
                             countTiles(keys, sizes.key)},
      dest, getBlockMapping(b));
  grid->setAttr(kGrid, GridAttr::get(b.getContext(), "bias", GridBlocks::Any));
  b.setInsertionPoint(grid.getTerminator());
  SmallVector<Value> ivs = grid.getInductionVars();
  Value batch = arith::DivUIOp::create(b, loc, ivs[0], own[1]);
  Value head = arith::RemUIOp::create(b, loc, ivs[0], own[1]);
  auto getRows = [&](Value tile, int64_t size, OpFoldResult extent) -> Rows {
    Value first = index(affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineSymbolExpr(0) * size, {OpFoldResult(tile)}));
    return {batch, head, first, buildCount(b, loc, size, extent, first),
            Span()};
  };
  Rows rows = getRows(ivs[1], sizes.query, queries);
  Rows columns = getRows(ivs[2], sizes.key, keys);
  Value sum = sumOverSharers(rows, columns, axes, shared);
  closeBiasGrid(grid, sum, rows, columns, axes);
  return grid.getResult(0);
}

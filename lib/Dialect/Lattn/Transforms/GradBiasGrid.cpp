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
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
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

/// Whether no query of a tile sees a key of another, and whether all see all;
/// what is not known counts as hidden in part.
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

Value GradGrids::buildBiasGrid() {
  BiasAxes axes = *findBiasAxes(op.getEffectiveBiasMap());
  Value zero = index(b.getIndexAttr(0)), one = index(b.getIndexAttr(1));
  Value wholes[] = {index(batches), index(heads)};
  // Batches and heads that have a gradient of their own, and those that share.
  Value own[2], shared[2];
  for (unsigned i : {0, 1}) {
    own[i] = axes[i] ? wholes[i] : one;
    shared[i] = axes[i] ? one : wholes[i];
  }
  Type element = getElementTypeOrSelf(op.getDBias().getType());
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value dest =
      linalg::FillOp::create(b, loc, nothing, op.getDBias()).getResult(0);
  auto count = [&](OpFoldResult extent, int64_t size) {
    return affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineSymbolExpr(0).ceilDiv(size), {extent});
  };
  Value grids = b.createOrFold<arith::MulIOp>(loc, own[0], own[1]);
  auto grid =
      scf::ForallOp::create(b, loc,
                            ArrayRef<OpFoldResult>{getAsOpFoldResult(grids),
                                                   count(queries, sizes.query),
                                                   count(keys, sizes.key)},
                            dest, getBlockMapping(b));
  grid->setAttr(kGrid, GridAttr::get(b.getContext(), "bias", GridBlocks::Any));
  b.setInsertionPoint(grid.getTerminator());
  SmallVector<Value> ivs = grid.getInductionVars();
  Value first[] = {arith::DivUIOp::create(b, loc, ivs[0], own[1]),
                   arith::RemUIOp::create(b, loc, ivs[0], own[1])};
  auto getRows = [&](Value tile, int64_t size, OpFoldResult extent) -> Rows {
    Value begin = index(affine::makeComposedFoldedAffineApply(
        b, loc, b.getAffineSymbolExpr(0) * size, {OpFoldResult(tile)}));
    return {first[0], first[1], begin, buildCount(b, loc, size, extent, begin),
            Span()};
  };
  Rows rows = getRows(ivs[1], sizes.query, queries);
  Rows columns = getRows(ivs[2], sizes.key, keys);
  auto [isHidden, isVisible] = findPairs(rows, columns);
  Value isEdge = arith::XOrIOp::create(
      b, loc, isVisible,
      arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1));
  // Steps over batches and heads count as many positions as a tile has keys.
  Value tile = index(b.getIndexAttr(sizes.key));
  Value steps = b.createOrFold<arith::MulIOp>(loc, shared[0], shared[1]);
  steps = arith::SelectOp::create(b, loc, isHidden, zero, steps);
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{rows.count, columns.count}, type);
  Value none = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
  Value start = linalg::FillOp::create(b, loc, none, empty).getResult(0);
  auto sweep = SweepKeysOp::create(
      b, loc, ValueRange{zero, b.createOrFold<arith::MulIOp>(loc, steps, tile)},
      SweepRun::Edge, sizes.key, start);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&sweep.getBody().front());
    Value step = arith::DivUIOp::create(b, loc, sweep.getKey(), tile);
    if (!axes[0])
      rows.batch = arith::DivUIOp::create(b, loc, step, shared[1]);
    if (!axes[1])
      rows.head = arith::RemUIOp::create(b, loc, step, shared[1]);
    columns.batch = rows.batch;
    columns.head = buildKvHead(b, loc, rows.head, index(heads), index(kvHeads));
    Wanted wanted;
    wanted.scores = true;
    AttentionGradStepOp ofStep = buildStep(takeQueries(rows), takeKeys(columns),
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
  }
  Value destination = grid.getRegionIterArgs()[0];
  int64_t rank = cast<RankedTensorType>(destination.getType()).getRank();
  SmallVector<OpFoldResult> ones(rank, b.getIndexAttr(1)),
      extents = ones, offsets(rank, b.getIndexAttr(0));
  Value places[] = {first[0], first[1], rows.first, columns.first};
  for (auto [axis, place] : llvm::zip_equal(axes, places))
    if (axis)
      offsets[*axis] = place;
  extents[*axes[2]] = rows.count;
  extents[*axes[3]] = columns.count;
  auto matrix =
      RankedTensorType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                            getElementTypeOrSelf(destination.getType()));
  Value part = tensor::ExtractSliceOp::create(b, loc, matrix, destination,
                                              offsets, extents, ones);
  Value copy =
      linalg::CopyOp::create(b, loc, sweep.getResult(0), part).getResult(0);
  b.setInsertionPointToEnd(grid.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, copy, destination, offsets,
                                        extents, ones);
  b.setInsertionPointAfter(grid);
  return grid.getResult(0);
}

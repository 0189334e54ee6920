//===- GradFewQueries.cpp - Gradients of few queries, keys in parallel ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Queries that fit one tile, where the time goes into reading keys and writing
// their gradients:
//
//   forall (batch, key head, part of keys):
//     for tile of the heads that share keys:
//       sweep_keys(d_query of the part, d_key, d_value)
//   forall (batch, head): d_query = sum of the parts, in their order
//
// Sums of a part's keys stay in a cache, and no part adds to another's. A tile
// holds the queries of as many heads as fit: those of all heads at one
// position, then of the next one.

#include "GradTiler.h"
#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

/// Keys of a part, at least.
static constexpr int64_t kKeysOfPart = 256;

//===----------------------------------------------------------------------===//
// Tiles of heads
//===----------------------------------------------------------------------===//

/// Whether the heads that share keys may share a tile.
static bool canHeadsShare(AttentionGradOp op, int64_t queries) {
  return op.getDropout().empty() && isSameForAllRows(op) &&
         (queries == 1 || !op.getEffectiveWindow());
}

std::optional<int64_t> lattn::countRowsOfGroup(AttentionGradOp op) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  int64_t queries = query.getDimSize(op.getPositionAxis());
  if (ShapedType::isDynamic(queries) || op.getDBias() ||
      !op.getDCaptures().empty())
    return std::nullopt;
  int64_t heads = query.getDimSize(op.getHeadAxis());
  int64_t kvHeads =
      cast<ShapedType>(op.getKey().getType()).getDimSize(op.getHeadAxis());
  if (ShapedType::isDynamic(heads) || ShapedType::isDynamic(kvHeads) ||
      kvHeads == 0 || !canHeadsShare(op, queries))
    return queries;
  return queries * (heads / kvHeads);
}

bool GradTiler::chooseHeadTiles() {
  auto count = getConstantIntValue(queries);
  std::optional<int64_t> rows = countRowsOfGroup(op);
  if (wholeKeys || !rows || *count > sizes.query)
    return false;
  fewQueries = *count;
  headsOfTile = std::min(*rows, sizes.query) / fewQueries;
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  headTiles = affine::makeComposedFoldedAffineApply(
      b, loc, s0.ceilDiv(headsOfTile), {getAsOpFoldResult(group)});
  return true;
}

HeadTile GradTiler::getHeadTile(Value number) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  Value first = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0 * headsOfTile, {OpFoldResult(number)}));
  OpFoldResult heads = b.getIndexAttr(headsOfTile);
  auto known = getConstantIntValue(group);
  if (headsOfTile > 1 && *known % headsOfTile)
    heads = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 1,
                       {b.getAffineConstantExpr(headsOfTile),
                        b.getAffineConstantExpr(*known) - s0},
                       b.getContext()),
        {OpFoldResult(first)});
  OpFoldResult rows =
      affine::makeComposedFoldedAffineApply(b, loc, s0 * fewQueries, {heads});
  Value before = b.createOrFold<arith::MulIOp>(loc, kvHead, group);
  first = b.createOrFold<arith::AddIOp>(loc, before, first);
  return {number, first, heads, rows};
}

/// One query of each head of the tile: a matrix, or of the log-sum-exps a
/// vector.
Value GradTiler::takeQueryOfHeads(Value array, const HeadTile &tile,
                                  OpFoldResult query) {
  auto whole = cast<RankedTensorType>(array.getType());
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {batch, tile.first, query};
  SmallVector<OpFoldResult> extents = {single, tile.heads, single};
  SmallVector<int64_t> shape = {
      getConstantIntValue(tile.heads).value_or(ShapedType::kDynamic)};
  if (whole.getRank() == 4) {
    offsets.push_back(none);
    extents.push_back(tensor::getMixedSize(b, loc, array, 3));
    offsets = inLayout(offsets), extents = inLayout(extents);
    shape.push_back(whole.getDimSize(3));
  }
  SmallVector<OpFoldResult> strides(offsets.size(), single);
  return tensor::ExtractSliceOp::create(b, loc, whole.clone(shape), array,
                                        offsets, extents, strides);
}

/// All queries of the tile's heads: copied, if there are several of both.
Value GradTiler::takeQueriesOfHeads(Value array, const HeadTile &tile) {
  if (fewQueries == 1)
    return takeQueryOfHeads(array, tile, b.getIndexAttr(0));
  bool isMatrix = cast<ShapedType>(array.getType()).getRank() == 4;
  OpFoldResult all = b.getIndexAttr(fewQueries);
  if (headsOfTile == 1)
    return isMatrix ? take(array, getRows(array, batch, tile.first,
                                          b.getIndexAttr(0), all))
                    : takeVector(array, tile.first, zero, index(all));
  SmallVector<OpFoldResult> shape = {tile.rows};
  if (isMatrix)
    shape.push_back(tensor::getMixedSize(b, loc, array, 3));
  Value rows = tensor::EmptyOp::create(b, loc, shape,
                                       getElementTypeOrSelf(array.getType()));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, zero, index(all), one, rows,
      [&](OpBuilder &, Location, ValueRange at, ValueRange carried) {
        Value query = takeQueryOfHeads(array, tile, at[0]);
        SmallVector<OpFoldResult> offsets(shape.size(), b.getIndexAttr(0));
        offsets[0] = getAsOpFoldResult(
            b.createOrFold<arith::MulIOp>(loc, at[0], index(tile.heads)));
        SmallVector<OpFoldResult> extents(shape);
        extents[0] = tile.heads;
        return SmallVector<Value>{tensor::InsertSliceOp::create(
            b, loc, query, carried[0], offsets, extents,
            SmallVector<OpFoldResult>(shape.size(), b.getIndexAttr(1)))};
      });
  return nest.results[0];
}

//===----------------------------------------------------------------------===//
// Parts of keys
//===----------------------------------------------------------------------===//

/// Keys that the queries see, of those of the part.
TileKeyValues GradTiler::findKeysOfPart() {
  Value all = arith::ConstantIndexOp::create(b, loc, fewQueries);
  TileKeyValues seen = findTileKeys(b, op, {batch, zero, all, rowOffset},
                                    index(keys), fewQueries == 1);
  auto clamp = [&](Value key, Value begin) -> Value {
    key = b.createOrFold<arith::MaxSIOp>(loc, key, begin);
    return b.createOrFold<arith::MinSIOp>(loc, key, chunk.end);
  };
  Value begin = clamp(seen.begin, chunk.begin);
  return {begin, clamp(seen.interiorBegin, begin),
          clamp(seen.interiorEnd, begin), clamp(seen.end, begin)};
}

/// `carried` are the parts' d_query, and d_key and d_value of the part.
SmallVector<Value> GradTiler::buildHeadTile(Value number, ValueRange carried) {
  HeadTile tile = getHeadTile(number);
  Value query = takeQueriesOfHeads(op.getQuery(), tile);
  Value output = takeQueriesOfHeads(op.getOutput(), tile);
  Value dOutput = takeQueriesOfHeads(op.getDOutput(), tile);
  Value lse = takeQueriesOfHeads(op.getLse(), tile), dLse;
  if (op.getDLse())
    dLse = takeQueriesOfHeads(op.getDLse(), tile);
  Value count = index(tile.rows);
  SmallVector<Value> rows = {query, dOutput, buildLse(lse, count),
                             buildRowSums(output, dOutput, dLse, count)};
  packRows(rows);
  SmallVector<OpFoldResult> shape = {b.getIndexAttr(sizes.query),
                                     tensor::getMixedSize(b, loc, query, 1)};
  // In the place of an element there would be no dense rows.
  bool isElement = sizes.query == 1 && getConstantIntValue(shape[1]) == 1;
  SmallVector<Value> state = {isElement ? ownZeros(shape) : filled(shape, 0.0),
                              carried[1], carried[2]};
  state =
      sweepKeys(b, op, findKeysOfPart(), sizes.key, fewQueries == 1, state,
                [&](Value key, Value size, ValueRange state) {
                  return buildStep(tile.first, zero, rows, key, size, state);
                });
  Value sums = takeFront(state[0], tile.rows);
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  state[0] = tensor::InsertSliceOp::create(
      b, loc, sums, carried[0],
      ArrayRef<OpFoldResult>{batch, kvHead, chunk.number, number, none, none},
      ArrayRef<OpFoldResult>{single, single, single, single, tile.rows,
                             tensor::getMixedSize(b, loc, sums, 1)},
      SmallVector<OpFoldResult>(6, single));
  return state;
}

/// d_query of the parts (batch, key head, part, tile, row, feature), and the
/// gradients of keys and values.
SmallVector<Value> GradTiler::runPartsOfKeys() {
  int64_t count = llvm::alignTo(kKeysOfPart, sizes.key);
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  keyParts =
      affine::makeComposedFoldedAffineApply(b, loc, s0.ceilDiv(count), {keys});
  OpFoldResult width = tensor::getMixedSize(b, loc, op.getQuery(), 3);
  OpFoldResult rows = b.getIndexAttr(fewQueries * headsOfTile);
  Value sums =
      tensor::EmptyOp::create(b, loc,
                              ArrayRef<OpFoldResult>{batches, kvHeads, keyParts,
                                                     headTiles, rows, width},
                              type);
  auto forall = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{batches, kvHeads, keyParts},
      ValueRange{sums, op.getDKey(), op.getDValue()}, std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  startBatch(ivs[0]);
  kvHead = ivs[1];
  Value begin = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0 * count, {OpFoldResult(ivs[2])}));
  Value end = index(affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 2, {s0 + count, s1}, b.getContext()),
      {OpFoldResult(begin), keys}));
  chunk = {ivs[2], zero, one, zero, index(queries), begin, end, begin, end};
  ValueRange carried = forall.getRegionIterArgs();
  SmallVector<Value> inits = {carried[0]};
  for (Value array : {op.getKey(), op.getValue()}) // of a known size
    inits.push_back(filled(
        {b.getIndexAttr(count), tensor::getMixedSize(b, loc, array, 3)}, 0.0));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, zero, index(headTiles), one, inits,
      [&](OpBuilder &, Location, ValueRange tile, ValueRange state) {
        return buildHeadTile(tile[0], state);
      });
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  SmallVector<Place> places = {
      {{batch, kvHead, chunk.number, none, none, none},
       {single, single, single, headTiles, rows, width}}};
  SmallVector<Value> next = {nest.results[0]};
  for (unsigned i : {1, 2}) {
    OpFoldResult size =
        getAsOpFoldResult(b.createOrFold<arith::SubIOp>(loc, end, begin));
    places.push_back(getRows(carried[i], batch, kvHead, begin, size));
    next.push_back(putOwnKeys(nest.results[i], carried[i]));
  }
  yieldPlaces(forall, next, places);
  return SmallVector<Value>(forall.result_begin(), forall.result_end());
}

//===----------------------------------------------------------------------===//
// Sums of parts
//===----------------------------------------------------------------------===//

/// The head's d_query, [query, feature].
Value GradTiler::addParts(Value parts, Value head) {
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  auto apply = [&](AffineExpr expr, Value value) {
    return index(affine::makeComposedFoldedAffineApply(b, loc, expr,
                                                       {OpFoldResult(value)}));
  };
  Value inGroup = b.createOrFold<arith::RemUIOp>(loc, head, group);
  Value tile = apply(s0.floorDiv(headsOfTile), inGroup);
  Value row = apply(s0 % headsOfTile, inGroup);
  OpFoldResult headsOfIt = getHeadTile(tile).heads; // the last has fewer
  OpFoldResult single = b.getIndexAttr(1), all = b.getIndexAttr(fewQueries);
  OpFoldResult width = tensor::getMixedSize(b, loc, parts, 5);
  int64_t features = cast<ShapedType>(parts.getType()).getDimSize(5);
  AffineMap identity = map({0, 1}, 2);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, zero, index(keyParts), one, filled({all, width}, 0.0),
      [&](OpBuilder &, Location, ValueRange at, ValueRange carried) {
        // Rows of one head: one for each position.
        Value part = tensor::ExtractSliceOp::create(
            b, loc, RankedTensorType::get({fewQueries, features}, type), parts,
            ArrayRef<OpFoldResult>{batch, kvHead, at[0], tile, row,
                                   b.getIndexAttr(0)},
            ArrayRef<OpFoldResult>{single, single, single, single, all, width},
            ArrayRef<OpFoldResult>{single, single, single, single, headsOfIt,
                                   single});
        return SmallVector<Value>{buildGeneric(
            b, loc, part, carried[0], {identity, identity},
            [&](OpBuilder &nested, ValueRange args) -> Value {
              return arith::AddFOp::create(nested, loc, args[1], args[0]);
            })};
      });
  return nest.results[0];
}

Value GradTiler::mergePartsOfKeys(Value parts) {
  auto forall =
      scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>{batches, heads},
                            ValueRange{op.getDQuery()}, std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  Value head = forall.getInductionVars()[1];
  batch = forall.getInductionVars()[0];
  kvHead = b.createOrFold<arith::DivUIOp>(loc, head, group);
  Value gradient = forall.getRegionIterArgs()[0];
  Place place = getRows(gradient, batch, head, b.getIndexAttr(0),
                        b.getIndexAttr(fewQueries));
  Value rows = convert(addParts(parts, head), take(gradient, place));
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(
      b, loc, rows, gradient, place.offsets, place.sizes,
      SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
  return forall.getResult(0);
}

SmallVector<Value> GradTiler::runFewQueries() {
  SmallVector<Value> results = runPartsOfKeys();
  results[0] = mergePartsOfKeys(results[0]);
  return results;
}

//===- GradGrids.cpp - Gradients of attention as grids of a GPU -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention_grad -> row sums of d_output * output
//                   forall (batch, head, query tile):
//                     sweep keys(d_query)
//                   forall (batch, key head, key tile):
//                     sweep queries of the group's heads(d_key, d_value)
//                   forall (bias head, query tile, key tile):
//                     sweep batches and heads(d_bias); GradBiasGrid.cpp
//
// Each tile is summed by one block, in one order, without atomics: so every GPU
// gives the same bits. The schedule's query tile is the rows of such a tile, of
// queries or of keys, and its key tile the positions of a step. Wide heads have
// a grid for d_key and one for d_value, for a block's registers hold only one
// of the sums. Packed sequences count as batches; each has blocks for as many
// rows as the longest one may have, and those behind its end have no steps.

#include "GradGrids.h"
#include "KeyRuns.h"
#include "QueryTile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

/// Elements of two rows of sums, of keys and of values, that a block's
/// registers hold beside the scores.
static constexpr int64_t kMostSumsOfBlock = 256;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

GradGrids::Place GradGrids::getPlace(Value array, const Rows &rows) {
  auto whole = cast<RankedTensorType>(array.getType());
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  Place place = {
      {rows.batch, rows.head, rows.first},
      {single, single, rows.count},
      {},
      RankedTensorType::get({ShapedType::kDynamic}, whole.getElementType())};
  if (rows.span.begin) {
    place.offsets[0] = none;
    place.offsets[2] = add(rows.span.begin, rows.first);
  }
  if (whole.getRank() == 4) {
    if (op.isBnhd()) {
      std::swap(place.offsets[1], place.offsets[2]);
      std::swap(place.sizes[1], place.sizes[2]);
    }
    int64_t width = whole.getDimSize(3);
    place.offsets.push_back(none);
    place.sizes.push_back(b.getIndexAttr(width));
    place.type = RankedTensorType::get({ShapedType::kDynamic, width},
                                       whole.getElementType());
  }
  place.strides.assign(place.offsets.size(), single);
  return place;
}

Value GradGrids::take(Value array, const Rows &rows) {
  if (PadSequencesOp pad = getPaddedSequences(array); pad && rows.span.begin)
    array = pad.getPacked();
  Place place = getPlace(array, rows);
  return tensor::ExtractSliceOp::create(
      b, loc, place.type, array, place.offsets, place.sizes, place.strides);
}

/// A place for the gradients of `count` rows of `array` that nobody reads.
Value GradGrids::nothing(Value array, Value count) {
  int64_t width = cast<ShapedType>(array.getType()).getDimSize(3);
  return tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{count, b.getIndexAttr(width)}, type);
}

Value GradGrids::zeros(Value array, Value count) {
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
  return linalg::FillOp::create(b, loc, zero, nothing(array, count))
      .getResult(0);
}

Value GradGrids::isEmpty(Value count) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count,
                               index(b.getIndexAttr(0)));
}

/// The rows of tile `tile` of a batch; none if it begins behind the last one.
GradGrids::Rows GradGrids::getTile(Value batch, Value head, Value tile,
                                   const Span &span) {
  int64_t size = sizes.query;
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  Value first = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0 * size, {OpFoldResult(tile)}));
  OpFoldResult all = getAsOpFoldResult(span.length);
  Value count = index(affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(0, 2,
                     {getAffineConstantExpr(size, b.getContext()), s0 - s1},
                     b.getContext()),
      {all, OpFoldResult(first)}));
  if (span.begin) {
    Value zero = index(b.getIndexAttr(0));
    count = b.createOrFold<arith::MaxSIOp>(loc, count, zero);
    first = arith::SelectOp::create(b, loc, isEmpty(count), zero, first);
  }
  return {batch, head, first, count, span};
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

scf::ForallOp GradGrids::openGrid(OpFoldResult heads, OpFoldResult extent,
                                  int64_t size, ArrayRef<Value> destinations,
                                  StringRef kernel) {
  OpFoldResult tiles = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0).ceilDiv(size), {extent});
  auto grid = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{batches, heads, tiles}, destinations,
      getBlockMapping(b));
  grid->setAttr(kGrid, GridAttr::get(b.getContext(), kernel, GridBlocks::Any));
  b.setInsertionPoint(grid.getTerminator());
  return grid;
}

/// Ends the body of `grid` with `sums` as `rows` of its destinations.
void GradGrids::close(scf::ForallOp grid, ArrayRef<Value> sums,
                      const Rows &rows) {
  for (auto [sum, destination] :
       llvm::zip_equal(sums, grid.getRegionIterArgs())) {
    b.setInsertionPoint(grid.getTerminator());
    Place place = getPlace(destination, rows);
    Value copy = linalg::CopyOp::create(b, loc, sum, take(destination, rows))
                     .getResult(0);
    b.setInsertionPointToEnd(grid.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(
        b, loc, copy, destination, place.offsets, place.sizes, place.strides);
  }
  b.setInsertionPointAfter(grid);
}

/// The position of the batch's first query; null without a window.
Value GradGrids::readOffset(Value batch) {
  if (offset && isa<ShapedType>(offset.getType()))
    return readBatchNumber(b, loc, offset, toGlobal(batch, 0));
  return offset;
}

/// What the pairs of `queries` and `keys` add to the sums that are wanted.
AttentionGradStepOp GradGrids::buildStep(const Queries &queries,
                                         const Keys &keys, Wanted wanted,
                                         Value edge, ValueRange sums) {
  auto sum = [&](bool isWanted, Value array, const Rows &rows) -> Value {
    if (!isWanted)
      return nothing(array, rows.count);
    Value next = sums.front();
    sums = sums.drop_front();
    return next;
  };
  Value dQuery = sum(wanted.query, op.getQuery(), queries);
  Value dKey = sum(wanted.key, op.getKey(), keys);
  Value dValue = sum(wanted.value, op.getValue(), keys);
  SmallVector<Value> origin = {
      toGlobal(queries.batch, 0), toGlobal(queries.head, 1),
      toGlobal(queries.first, 2), toGlobal(keys.first, 3)};
  SmallVector<Value> pairs;
  if (wanted.scores)
    pairs.assign(
        2, tensor::EmptyOp::create(
               b, loc, ArrayRef<OpFoldResult>{keys.count, queries.count}, type)
               .getResult());
  WindowAttrInterface window = op.getEffectiveWindow();
  int64_t headDim = cast<ShapedType>(op.getQuery().getType()).getDimSize(3);
  FloatAttr scale = b.getF64FloatAttr(*getStaticScale(op, headDim));
  auto step = AttentionGradStepOp::create(
      b, loc, queries.query, keys.key, keys.value, op.getBias(),
      op.getKeyMask(), wanted.query ? Value() : op.getKvLens(),
      window ? readOffset(queries.batch) : Value(), origin, op.getCaptures(),
      dropout, queries.lse, queries.rowSums, queries.dOutput,
      /*packed=*/ValueRange(), edge, dQuery, dKey, dValue, pairs, window,
      /*causal=*/false, scale, op.getBiasMapAttr(), op.getScheduleAttr());
  IRMapping mapping;
  score.cloneInto(&step.getScore(), mapping);
  return step;
}

Value GradGrids::buildQueryGrid() {
  scf::ForallOp grid =
      openGrid(heads, queries, sizes.query, sides.getDestination(0), "query");
  SmallVector<Value> ivs = grid.getInductionVars();
  Span all = sides.openKeys(ivs[0], index(this->keys));
  Queries tile = takeQueries(getTile(
      ivs[0], ivs[1], ivs[2], sides.openQueries(ivs[0], index(queries))));
  Value kvHead = buildKvHead(b, loc, tile.head, index(heads), index(kvHeads));
  TileKeyValues keys = skipIfEmpty(
      tile,
      findTileKeys(b, op,
                   {tile.batch, tile.first, tile.count, readOffset(tile.batch)},
                   all.length));
  if (!dropout.empty())
    beginAtMultiple(b, loc, keys, kKeysOfRandomCall);
  SmallVector<Value> sums = sweepKeys(
      b, op, keys, sizes.key, /*onePosition=*/false,
      zeros(op.getQuery(), tile.count),
      [&](Value key, Value size, ValueRange state) -> SmallVector<Value> {
        Keys keys = takeKeys({tile.batch, kvHead, key, size, all});
        return {buildStep(tile, keys, {/*query=*/true}, /*edge=*/Value(), state)
                    .getResult(0)};
      });
  close(grid, sums, tile);
  return grid.getResult(0);
}

/// `positions`, but none for a tile without rows.
TileKeyValues GradGrids::skipIfEmpty(const Rows &tile,
                                     TileKeyValues positions) {
  if (!tile.span.begin)
    return positions;
  Value none = isEmpty(tile.count);
  for (Value *bound :
       {&positions.interiorBegin, &positions.interiorEnd, &positions.end})
    *bound = arith::SelectOp::create(b, loc, none, positions.begin, *bound);
  return positions;
}

/// Of `queries`, those that see a key of the tile.
TileKeyValues GradGrids::findQueries(const Rows &keys, const Span &queries) {
  Value zero = index(b.getIndexAttr(0)), one = index(b.getIndexAttr(1));
  Value last = b.createOrFold<arith::SubIOp>(
      loc, add(toGlobal(keys.first, 3), keys.count), one);
  Value all = queries.length;
  TileKeyValues seen = {zero, zero, all, all};
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    // Queries count from the position of the first one.
    Value first = buildPosition(b, loc, readOffset(keys.batch),
                                toGlobal(keys.batch, 0), toGlobal(zero, 2));
    WindowBounds inverse = *WindowBounds(window).getInverse();
    seen = buildTileKeys(b, loc, inverse, toGlobal(keys.first, 3), last, all,
                         first);
  }
  Value isEdge; // whether a key of the tile may be hidden from all queries
  if (Value lens = op.getKvLens()) { // keys beyond the length get zeros
    Value len = readBatchNumber(b, loc, lens, toGlobal(keys.batch, 0));
    len = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), len);
    isEdge =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, last, len);
    Value none = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                       toGlobal(keys.first, 3), len);
    seen.end = arith::SelectOp::create(b, loc, none, seen.begin, seen.end);
  }
  for (Value *bound : {&seen.interiorBegin, &seen.interiorEnd}) {
    if (op.getKeyMask())
      *bound = seen.end;
    *bound = b.createOrFold<arith::MinSIOp>(loc, *bound, seen.end);
    if (isEdge)
      *bound = arith::SelectOp::create(b, loc, isEdge, seen.end, *bound);
  }
  return seen;
}

SmallVector<Value> GradGrids::buildKeyGrid(Wanted wanted) {
  SmallVector<Value> destinations, arrays;
  std::string kernel;
  auto want = [&](bool isWanted, Value destination, Value array,
                  StringRef name) {
    if (!isWanted)
      return;
    destinations.push_back(destination);
    arrays.push_back(array);
    kernel += (kernel.empty() ? "" : "_") + name.str();
  };
  want(wanted.key, sides.getDestination(1), op.getKey(), "key");
  want(wanted.value, sides.getDestination(2), op.getValue(), "value");
  scf::ForallOp grid =
      openGrid(kvHeads, keys, sizes.query, destinations, kernel);
  SmallVector<Value> ivs = grid.getInductionVars();
  Span all = sides.openQueries(ivs[0], index(queries));
  Keys tile = takeKeys(getTile(ivs[0], ivs[1], ivs[2],
                               sides.openKeys(ivs[0], index(this->keys))));
  TileKeyValues seen = skipIfEmpty(tile, findQueries(tile, all));
  SmallVector<Value> sums;
  for (Value array : arrays)
    sums.push_back(zeros(array, tile.count));
  Value group = b.createOrFold<arith::DivUIOp>(
      loc, index(heads),
      b.createOrFold<arith::MaxSIOp>(loc, index(kvHeads),
                                     index(b.getIndexAttr(1))));
  Value firstHead = b.createOrFold<arith::MulIOp>(loc, tile.head, group);
  sums = sweepQueries(
      b, loc, seen, sizes.key, group, sums,
      [&](Value head, Value query, Value size, Value edge, ValueRange carried) {
        Queries queries =
            takeQueries({tile.batch, add(firstHead, head), query, size, all});
        AttentionGradStepOp step =
            buildStep(queries, tile, wanted, edge, carried);
        SmallVector<Value> next;
        if (wanted.key)
          next.push_back(step.getResult(1));
        if (wanted.value)
          next.push_back(step.getResult(2));
        return next;
      });
  close(grid, sums, tile);
  return SmallVector<Value>(grid.getResults());
}

LogicalResult GradGrids::run() {
  if (failed(buildGradScore(b, op, score)) || failed(sides.find()))
    return failure();
  GradRowArrays rows = sides.getRowArrays();
  rowSums = buildRowSums(b, op, rows);
  SmallVector<Value> results(op.getDpsInits());
  auto isUsed = [&](unsigned result) {
    return !op->getResult(result).use_empty();
  };
  if (isUsed(0))
    results[0] = buildQueryGrid();
  int64_t widths = 0;
  for (Value array : {op.getKey(), op.getValue()})
    widths += cast<ShapedType>(array.getType()).getDimSize(3);
  Wanted key, value;
  key.key = value.value = true;
  if (widths <= kMostSumsOfBlock && isUsed(1) && isUsed(2)) {
    key.value = true;
    SmallVector<Value> both = buildKeyGrid(key);
    llvm::copy(both, results.begin() + 1);
  } else {
    if (isUsed(1))
      results[1] = buildKeyGrid(key).front();
    if (isUsed(2))
      results[2] = buildKeyGrid(value).front();
  }
  unsigned next = 3;
  if (op.getDSink() && isUsed(next++))
    results[next - 1] = buildSinkGradient(b, op, rows, rowSums);
  if (op.getDBias() && isUsed(next))
    results[next] = buildBiasGrid();
  sides.replace(results);
  return success();
}

LogicalResult lattn::tileGradOnGrids(RewriterBase &b, AttentionGradOp op,
                                     TileSizes sizes) {
  return GradGrids(b, op, sizes).run();
}

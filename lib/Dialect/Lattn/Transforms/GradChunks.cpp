//===- GradChunks.cpp - Chunks of queries that run in parallel ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where there are few heads, queries are cut into chunks, by the shapes alone:
// no bit depends on threads. A chunk has sums for the keys that it sees. Keys
// of which no other chunk knows go to their gradients at once; the others, at
// both ends, to an array (batch, key head, chunk, {front, back}, key, feature).
// A second loop adds them up in the order of chunks.

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// Chunks of all heads that are enough for any number of threads, and the
/// queries that one has at least. Without bounds of a window each chunk may
/// have sums for all keys.
static constexpr int64_t kChunks = 16, kChunksOfAllKeys = 8, kLeastRows = 512;
/// Keys that a step of the second loop adds up.
static constexpr int64_t kMergedKeys = 64;

//===----------------------------------------------------------------------===//
// Where queries are cut
//===----------------------------------------------------------------------===//

bool GradTiler::isCut() { return getConstantIntValue(chunks) != 1; }

void GradTiler::chooseChunks() {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> symbols) {
    return index(affine::makeComposedFoldedAffineApply(b, loc, expr, symbols));
  };
  tiles = apply(s0.ceilDiv(sizes.query), {queries});
  chunks = one, chunkTiles = tiles, sharedKeys = keys;
  std::fill(parts, parts + 3, OpFoldResult(b.getIndexAttr(1)));
  if (wholeKeys)
    return;
  int64_t wanted = kChunksOfAllKeys, least = kLeastRows;
  WindowAttrInterface window = op.getEffectiveWindow();
  Halo halo = window ? getHalo(window) : Halo();
  constexpr int64_t longest = int64_t(1) << 40; // sums do not overflow
  if (halo.before && halo.after && *halo.before < longest &&
      *halo.after < longest) {
    int64_t shared = *halo.before + *halo.after;
    wanted = kChunks, least = std::max(least, 2 * shared);
    sharedKeys = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(0, 1,
                       {s0, getAffineConstantExpr(shared, b.getContext())},
                       b.getContext()),
        {keys});
  }
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto divide = [&](Value value, Value by) -> Value {
    by = b.createOrFold<arith::MaxSIOp>(loc, by, one);
    return b.createOrFold<arith::CeilDivSIOp>(loc, value, by);
  };
  Value allHeads =
      b.createOrFold<arith::MulIOp>(loc, index(batches), index(kvHeads));
  Value ofHead = divide(constant(wanted), allHeads);
  chunkTiles = b.createOrFold<arith::MaxSIOp>(
      loc, divide(tiles, ofHead),
      constant(llvm::divideCeil(least, sizes.query)));
  // No queries at all are a chunk, too: gradients of keys are 0 then.
  chunks = b.createOrFold<arith::MaxSIOp>(loc, divide(tiles, chunkTiles), one);
  chooseParts();
}

/// Parts that add to the same elements of an array that pairs read do not run
/// in parallel, if it is too large for sums of each.
void GradTiler::chooseParts() {
  parts[0] = batches, parts[1] = kvHeads;
  partSizes[0] = partSizes[1] = b.getIndexAttr(1);
  if (hasPairSums()) {
    Value isSmall = arePairSumsSmall();
    auto select = [&](Value condition, Value x, Value otherwise) -> Value {
      return b.createOrFold<arith::SelectOp>(loc, condition, x, otherwise);
    };
    for (unsigned axis : {0, 1})
      if (!areApart(axis)) {
        Value all = index(parts[axis]);
        partSizes[axis] = getAsOpFoldResult(select(isSmall, one, all));
        parts[axis] = getAsOpFoldResult(select(isSmall, all, one));
      }
    // Where one part has several batches, their keys may differ.
    Value mayCut = arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1);
    if (!areApart(0))
      mayCut = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                             index(partSizes[0]), one);
    if (!areApart(2))
      mayCut = b.createOrFold<arith::AndIOp>(loc, mayCut, isSmall);
    chunks = select(mayCut, chunks, one);
    chunkTiles = select(mayCut, chunkTiles, tiles);
  }
  parts[2] = getAsOpFoldResult(chunks);
  // One chunk shares no keys.
  Value isOne =
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, chunks, one);
  sharedKeys = getAsOpFoldResult(
      b.createOrFold<arith::SelectOp>(loc, isOne, zero, index(sharedKeys)));
}

/// The first query of a chunk; of those behind the last, the end.
Value GradTiler::getFirstRow(Value number) {
  Value size = arith::ConstantIndexOp::create(b, loc, sizes.query);
  Value rows = b.createOrFold<arith::MulIOp>(loc, chunkTiles, size);
  Value first = b.createOrFold<arith::MulIOp>(loc, number, rows);
  return b.createOrFold<arith::MinSIOp>(loc, first, index(queries));
}

/// The first key of a chunk's sums. There are sums for all keys.
Value GradTiler::getFirstKey(Value number) {
  Value seen = findTileKeys(b, op, {batch, getFirstRow(number), one, rowOffset},
                            index(keys), /*onePosition=*/true)
                   .begin;
  Value isFirst = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle,
                                                number, zero);
  Value isBehind = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge,
                                                 number, chunks);
  Value key = b.createOrFold<arith::SelectOp>(loc, isBehind, index(keys), seen);
  return b.createOrFold<arith::SelectOp>(loc, isFirst, zero, key);
}

/// The end of the keys of a chunk's sums.
Value GradTiler::getLastKey(Value number) {
  Value next = b.createOrFold<arith::AddIOp>(loc, number, one);
  Value last = b.createOrFold<arith::SubIOp>(loc, getFirstRow(next), one);
  Value seen = findTileKeys(b, op, {batch, last, one, rowOffset}, index(keys),
                            /*onePosition=*/true)
                   .end;
  return b.createOrFold<arith::MaxSIOp>(loc, seen, getFirstKey(next));
}

GradChunk GradTiler::getChunk(Value number) {
  if (!isCut())
    return {zero, zero,        tiles, zero,       index(queries),
            zero, index(keys), zero,  index(keys)};
  Value next = b.createOrFold<arith::AddIOp>(loc, number, one);
  Value before = b.createOrFold<arith::SubIOp>(loc, number, one);
  auto times = [&](Value count) -> Value {
    return b.createOrFold<arith::MulIOp>(loc, count, chunkTiles);
  };
  Value firstTile = times(number);
  Value endTile = b.createOrFold<arith::MinSIOp>(loc, times(next), tiles);
  Value first = getFirstRow(number);
  Value rows = b.createOrFold<arith::SubIOp>(loc, getFirstRow(next), first);
  Value begin = getFirstKey(number), ownEnd = getFirstKey(next);
  Value isFirst = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq,
                                                number, zero);
  Value ownBegin =
      b.createOrFold<arith::MinSIOp>(loc, getLastKey(before), ownEnd);
  ownBegin = b.createOrFold<arith::SelectOp>(loc, isFirst, zero, ownBegin);
  return {number, firstTile,          endTile,  first, rows,
          begin,  getLastKey(number), ownBegin, ownEnd};
}

//===----------------------------------------------------------------------===//
// The loop over chunks
//===----------------------------------------------------------------------===//

void GradTiler::startBatch(Value number) {
  batch = number;
  rowOffset = offset;
  if (offset && isa<ShapedType>(offset.getType()))
    rowOffset = readElement(b, loc, offset, toGlobal(batch, 0));
}

SmallVector<Value> GradTiler::runInSequence() {
  SmallVector<Value> inits = {op.getDQuery(), op.getDKey(), op.getDValue()};
  llvm::append_range(inits, buildPairSums());
  for (PairSum &sum : pairSums)
    sum.at.assign(3, zero);
  chunk = getChunk(zero);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {zero, zero}, {index(batches), index(kvHeads)}, {one, one}, inits,
      [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
        startBatch(ivs[0]);
        kvHead = ivs[1];
        return buildChunk(carried);
      });
  return nest.results;
}

/// Rows of keys [first, end) of a matrix whose first row is `origin`'s.
Value GradTiler::takeKeys(Value matrix, Value origin, Value first, Value end) {
  OpFoldResult width = tensor::getMixedSize(b, loc, matrix, 1);
  OpFoldResult row =
      getAsOpFoldResult(b.createOrFold<arith::SubIOp>(loc, first, origin));
  OpFoldResult count =
      getAsOpFoldResult(b.createOrFold<arith::SubIOp>(loc, end, first));
  return tensor::ExtractSliceOp::create(
      b, loc, matrix, ArrayRef<OpFoldResult>{row, b.getIndexAttr(0)},
      ArrayRef<OpFoldResult>{count, width},
      SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
}

Value GradTiler::putOwnKeys(Value sums, Value gradient) {
  OpFoldResult count = getAsOpFoldResult(
      b.createOrFold<arith::SubIOp>(loc, chunk.ownEnd, chunk.ownBegin));
  Place place = getRows(gradient, batch, kvHead,
                        getAsOpFoldResult(chunk.ownBegin), count);
  Value own = takeKeys(sums, chunk.begin, chunk.ownBegin, chunk.ownEnd);
  return put(convert(own, take(gradient, place)), gradient, place);
}

/// `side`: 0 for the front, 1 for the back.
Value GradTiler::takeShared(Value shared, Value number, int64_t side,
                            OpFoldResult first, OpFoldResult count,
                            Place &place) {
  OpFoldResult single = b.getIndexAttr(1),
               width = tensor::getMixedSize(b, loc, shared, 5);
  place = {
      {batch, kvHead, number, b.getIndexAttr(side), first, b.getIndexAttr(0)},
      {single, single, single, single, count, width}};
  int64_t rows = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  auto whole = cast<RankedTensorType>(shared.getType());
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get({rows, whole.getDimSize(5)}, type), shared,
      place.offsets, place.sizes, SmallVector<OpFoldResult>(6, single));
}

Value GradTiler::putSharedKeys(Value sums, Value shared) {
  std::pair<Value, Value> sides[] = {{chunk.begin, chunk.ownBegin},
                                     {chunk.ownEnd, chunk.end}};
  for (auto [side, range] : llvm::enumerate(sides)) {
    auto [begin, end] = range;
    OpFoldResult count =
        getAsOpFoldResult(b.createOrFold<arith::SubIOp>(loc, end, begin));
    Place place;
    Value to =
        takeShared(shared, chunk.number, side, b.getIndexAttr(0), count, place);
    Value part = convert(takeKeys(sums, chunk.begin, begin, end), to);
    shared = put(part, shared, place);
  }
  return shared;
}

/// Where the part that is being built writes.
SmallVector<Place> GradTiler::getPlaces(ValueRange gradients, Value firstBatch,
                                        Value firstHead) {
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  auto times = [&](Value count) {
    return getAsOpFoldResult(b.createOrFold<arith::MulIOp>(loc, count, group));
  };
  auto widthOf = [&](unsigned i, unsigned axis) {
    return tensor::getMixedSize(b, loc, gradients[i], axis);
  };
  auto at = [](Value value) { return getAsOpFoldResult(value); };
  SmallVector<Place> places = {
      {inLayout({at(firstBatch), times(firstHead), at(chunk.first), none}),
       inLayout({partSizes[0], times(index(partSizes[1])), at(chunk.rows),
                 widthOf(0, 3)})}};
  OpFoldResult own =
      at(b.createOrFold<arith::SubIOp>(loc, chunk.ownEnd, chunk.ownBegin));
  for (unsigned i : {1, 2})
    places.push_back(
        {inLayout({at(firstBatch), at(firstHead), at(chunk.ownBegin), none}),
         inLayout({partSizes[0], partSizes[1], own, widthOf(i, 3)})});
  if (isCut())
    for (unsigned i : {3, 4})
      places.push_back(
          {{at(firstBatch), at(firstHead), at(chunk.number), none, none, none},
           {partSizes[0], partSizes[1], single, b.getIndexAttr(2), sharedKeys,
            widthOf(i, 5)}});
  for (const PairSum &sum : pairSums)
    places.push_back(getPlace(sum, firstBatch, firstHead));
  return places;
}

void GradTiler::yieldPlaces(scf::ForallOp forall, SmallVector<Value> next,
                            ArrayRef<Place> places) {
  for (auto [part, place] : llvm::zip_equal(next, places))
    part = tensor::ExtractSliceOp::create(
        b, loc, part, place.offsets, place.sizes,
        SmallVector<OpFoldResult>(place.sizes.size(), b.getIndexAttr(1)));
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (auto [part, array, place] :
       llvm::zip_equal(next, forall.getRegionIterArgs(), places))
    tensor::ParallelInsertSliceOp::create(
        b, loc, part, array, place.offsets, place.sizes,
        SmallVector<OpFoldResult>(place.sizes.size(), b.getIndexAttr(1)));
}

SmallVector<Value> GradTiler::runInParallel() {
  SmallVector<Value> inits = {op.getDQuery(), op.getDKey(), op.getDValue()};
  if (isCut())
    for (Value array : {op.getKey(), op.getValue()})
      inits.push_back(tensor::EmptyOp::create(
          b, loc,
          ArrayRef<OpFoldResult>{batches, kvHeads, parts[2], b.getIndexAttr(2),
                                 sharedKeys,
                                 tensor::getMixedSize(b, loc, array, 3)},
          type));
  llvm::append_range(inits, buildPairSums());
  auto forall = scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>(parts),
                                      inits, std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  // The last chunk first: under a causal mask it sees most keys.
  Value last = b.createOrFold<arith::SubIOp>(loc, chunks, one);
  Value number = b.createOrFold<arith::SubIOp>(loc, last, ivs[2]);
  Value place[] = {ivs[0], ivs[1], number};
  for (PairSum &sum : pairSums)
    for (auto [axis, at] : llvm::enumerate(place))
      sum.at.push_back(sum.axes[axis] ? zero : at);
  startBatch(ivs[0]);
  kvHead = ivs[1];
  chunk = getChunk(number);
  ValueRange carried = forall.getRegionIterArgs();
  SmallVector<Place> places = getPlaces(carried, ivs[0], ivs[1]);
  SmallVector<Value> next =
      hasPairSums() ? buildPart(carried, ivs[0], ivs[1]) : buildChunk(carried);
  yieldPlaces(forall, next, places);
  return SmallVector<Value>(forall.result_begin(), forall.result_end());
}

/// The batches and heads of a part, one after another.
SmallVector<Value> GradTiler::buildPart(ValueRange gradients, Value firstBatch,
                                        Value firstHead) {
  auto end = [&](Value first, OpFoldResult count) -> Value {
    return b.createOrFold<arith::AddIOp>(loc, first, index(count));
  };
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {firstBatch, firstHead},
      {end(firstBatch, partSizes[0]), end(firstHead, partSizes[1])}, {one, one},
      gradients,
      [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
        startBatch(ivs[0]);
        kvHead = ivs[1];
        return buildChunk(carried);
      });
  return nest.results;
}

//===----------------------------------------------------------------------===//
// Keys of several chunks
//===----------------------------------------------------------------------===//

/// The sums of `count` keys, from `first` on, that `chunk` shares with those
/// before it: in front of its own.
Value GradTiler::sumSharedKeys(Value shared, Value first, Value count) {
  Value all = filled(
      {b.getIndexAttr(kMergedKeys), tensor::getMixedSize(b, loc, shared, 5)},
      0.0);
  AffineMap identity = map({0, 1}, 2);
  auto add = [&](Value sums, Value number, int64_t side, Value row,
                 Value rows) -> Value {
    Place place;
    Value part = takeShared(shared, number, side, getAsOpFoldResult(row),
                            getAsOpFoldResult(rows), place);
    Value front = buildGeneric(
        b, loc, part, takeFront(sums, getAsOpFoldResult(rows)),
        {identity, identity}, [&](OpBuilder &nested, ValueRange args) -> Value {
          return arith::AddFOp::create(nested, loc, args[1], args[0]);
        });
    return putFront(front, sums);
  };
  scf::LoopNest before = scf::buildLoopNest(
      b, loc, zero, chunk.number, one, all,
      [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
        Value next = b.createOrFold<arith::AddIOp>(loc, ivs[0], one);
        Value left =
            b.createOrFold<arith::SubIOp>(loc, getLastKey(ivs[0]), first);
        Value rows = b.createOrFold<arith::MinSIOp>(loc, left, count);
        rows = b.createOrFold<arith::MaxSIOp>(loc, rows, zero);
        Value row =
            b.createOrFold<arith::SubIOp>(loc, first, getFirstKey(next));
        row = b.createOrFold<arith::MinSIOp>(loc, row, index(sharedKeys));
        return SmallVector<Value>{
            add(carried[0], ivs[0], /*side=*/1, row, rows)};
      });
  Value row = b.createOrFold<arith::SubIOp>(loc, first, chunk.begin);
  return add(before.results[0], chunk.number, /*side=*/0, row, count);
}

void GradTiler::mergeSharedKeys(SmallVector<Value> &results) {
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      b, loc, s0.ceilDiv(kMergedKeys), {sharedKeys});
  Value others = b.createOrFold<arith::SubIOp>(loc, chunks, one);
  auto forall = scf::ForallOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{batches, kvHeads, getAsOpFoldResult(others),
                             blocks},
      ValueRange{results[1], results[2]}, std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  startBatch(ivs[0]);
  kvHead = ivs[1];
  chunk = getChunk(b.createOrFold<arith::AddIOp>(loc, ivs[2], one));
  Value size = arith::ConstantIndexOp::create(b, loc, kMergedKeys);
  Value skipped = b.createOrFold<arith::MulIOp>(loc, ivs[3], size);
  Value first = b.createOrFold<arith::AddIOp>(loc, chunk.begin, skipped);
  first = b.createOrFold<arith::MinSIOp>(loc, first, chunk.ownBegin);
  Value count = b.createOrFold<arith::SubIOp>(loc, chunk.ownBegin, first);
  count = b.createOrFold<arith::MinSIOp>(loc, count, size);
  for (auto [i, gradient] : llvm::enumerate(forall.getRegionIterArgs())) {
    b.setInsertionPoint(forall.getTerminator());
    Place place = getRows(gradient, batch, kvHead, getAsOpFoldResult(first),
                          getAsOpFoldResult(count));
    Value sums = sumSharedKeys(results[3 + i], first, count);
    Value rows = convert(takeFront(sums, getAsOpFoldResult(count)),
                         take(gradient, place));
    b.setInsertionPointToEnd(forall.getTerminator().getBody());
    tensor::ParallelInsertSliceOp::create(
        b, loc, rows, gradient, place.offsets, place.sizes,
        SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
  }
  results[1] = forall.getResult(0), results[2] = forall.getResult(1);
}

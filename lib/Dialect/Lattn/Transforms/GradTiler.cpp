//===- GradTiler.cpp - The loops of the gradients of attention ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention_grad -> forall (batch, key head, chunk of queries):
//                     for (query head, query tile of the chunk):
//                       sweep_keys(d_query of the tile, d_key, d_value)
//                   forall (batch, key head, chunk, block of keys):
//                     sums of keys that chunks share (GradChunks.cpp)
// or, of few queries, parts of keys in parallel (GradFewQueries.cpp)

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

GradTiler::GradTiler(OpBuilder &b, AttentionGradOp op, TileSizes sizes,
                     bool wholeKeys)
    : AttentionExtents(b, op), b(b), op(op), loc(op.getLoc()),
      type(op.getAccumulatorType()), sizes(sizes), wholeKeys(wholeKeys) {
  zero = arith::ConstantIndexOp::create(b, loc, 0);
  one = arith::ConstantIndexOp::create(b, loc, 1);
  // No heads at all are no groups.
  Value divisor = b.createOrFold<arith::MaxSIOp>(loc, index(kvHeads), one);
  group = b.createOrFold<arith::DivUIOp>(loc, index(heads), divisor);
  if (op.getEffectiveWindow())
    offset = buildExplicitOffset(b, op, op.getPositionAxis());
  dropout = buildExplicitDropout(b, op);
  ScheduleAttr schedule = op.getScheduleAttr();
  areRows = !wholeKeys && schedule && schedule.getLanes() == Lanes::Features;
}

Value GradTiler::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value GradTiler::constant(double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

Value GradTiler::filled(ArrayRef<OpFoldResult> shape, double value) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  return linalg::FillOp::create(b, loc, constant(value), empty).getResult(0);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

Place GradTiler::getRows(Value array, OpFoldResult batch, OpFoldResult head,
                         OpFoldResult first, OpFoldResult count) {
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  OpFoldResult width = tensor::getMixedSize(b, loc, array, 3);
  if (auto value = dyn_cast<Value>(count))
    count = getAsOpFoldResult(value); // known where it can be
  return {inLayout({batch, head, first, none}),
          inLayout({single, single, count, width})};
}

Value GradTiler::take(Value array, const Place &place) {
  auto whole = cast<RankedTensorType>(array.getType());
  OpFoldResult count = place.sizes[op.getPositionAxis()];
  int64_t rows = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  auto matrix = RankedTensorType::get({rows, whole.getDimSize(3)},
                                      whole.getElementType());
  return tensor::ExtractSliceOp::create(
      b, loc, matrix, array, place.offsets, place.sizes,
      SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
}

Value GradTiler::put(Value matrix, Value array, const Place &place) {
  return tensor::InsertSliceOp::create(
      b, loc, matrix, array, place.offsets, place.sizes,
      SmallVector<OpFoldResult>(place.sizes.size(), b.getIndexAttr(1)));
}

Value GradTiler::takeVector(Value array, Value head, Value first, Value count) {
  OpFoldResult single = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get({ShapedType::kDynamic}, type), array,
      ArrayRef<OpFoldResult>{batch, head, first},
      ArrayRef<OpFoldResult>{single, single, count},
      SmallVector<OpFoldResult>(3, single));
}

Value GradTiler::takeFront(Value matrix, OpFoldResult rows) {
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, matrix);
  extents[0] = rows;
  return tensor::ExtractSliceOp::create(
      b, loc, matrix,
      SmallVector<OpFoldResult>(extents.size(), b.getIndexAttr(0)), extents,
      SmallVector<OpFoldResult>(extents.size(), b.getIndexAttr(1)));
}

Value GradTiler::putFront(Value part, Value whole) {
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, part);
  return tensor::InsertSliceOp::create(
      b, loc, part, whole,
      SmallVector<OpFoldResult>(extents.size(), b.getIndexAttr(0)), extents,
      SmallVector<OpFoldResult>(extents.size(), b.getIndexAttr(1)));
}

Value GradTiler::convert(Value matrix, Value like) {
  unsigned rank = cast<ShapedType>(matrix.getType()).getRank();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, b.getContext());
  Type element = getElementTypeOrSelf(like.getType());
  return buildGeneric(b, loc, matrix, like, {identity, identity},
                      [&](OpBuilder &nested, ValueRange args) {
                        return convertFloat(nested, loc, args[0], element);
                      });
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value GradTiler::toGlobal(Value local, unsigned coordinate) {
  if (op.getOrigin().empty())
    return local;
  return b.createOrFold<arith::AddIOp>(loc, local, op.getOrigin()[coordinate]);
}

LogicalResult lattn::buildGradScore(OpBuilder &b, AttentionGradOp op,
                                    Region &score) {
  if (op.getScore().empty())
    return success();
  OpBuilder::InsertionGuard guard(b);
  Location loc = op.getLoc();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(op.getAccumulatorType(), value));
  };
  Block &block = op.getScore().front();
  SmallVector<Location> locs(block.getNumArguments(), loc);
  Block *target =
      b.createBlock(&score, score.end(), block.getArgumentTypes(), locs);
  Value argument = target->getArgument(0);
  FailureOr<ReverseBlock> reverse = buildReverse(
      b, block, target->getArguments(), constant(1.0), [&](Value value) {
        return value == argument ||
               (!op.getDCaptures().empty() &&
                isa<ShapedType>(value.getType()) &&
                isa<FloatType>(getElementTypeOrSelf(value.getType())));
      });
  if (failed(reverse))
    return failure();
  Value slope = reverse->cotangents.front();
  YieldOp::create(
      b, loc, ValueRange{reverse->results[0], slope ? slope : constant(0.0)});
  return success();
}

/// `rows` are (query, d_output, lse, row_sums, packed...); `state` the tile's
/// d_query, and d_key and d_value of the head.
SmallVector<Value> GradTiler::buildStep(Value head, Value first,
                                        ArrayRef<Value> rows, Value key,
                                        Value size, ValueRange state) {
  Value row = b.createOrFold<arith::SubIOp>(loc, key, chunk.begin);
  auto slice = [&](Value matrix) {
    SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, matrix);
    return Place{{row, b.getIndexAttr(0)}, {size, extents[1]}};
  };
  SmallVector<OpFoldResult> ones(2, b.getIndexAttr(1));
  auto takeKeys = [&](Value matrix) -> Value {
    Place place = slice(matrix);
    return tensor::ExtractSliceOp::create(b, loc, matrix, place.offsets,
                                          place.sizes, ones);
  };
  Value keyTile = take(op.getKey(), getRows(op.getKey(), batch, kvHead, key,
                                            OpFoldResult(size)));
  Value valueTile = take(op.getValue(), getRows(op.getValue(), batch, kvHead,
                                                key, OpFoldResult(size)));
  SmallVector<Value> origin = {toGlobal(batch, 0), toGlobal(head, 1),
                               toGlobal(first, 2), toGlobal(key, 3)};
  // It hides no key of a sweep from queries that stand at one position.
  WindowAttrInterface window =
      fewQueries == 1 ? WindowAttrInterface() : op.getEffectiveWindow();
  FloatAttr scale;
  int64_t headDim = cast<ShapedType>(op.getQuery().getType()).getDimSize(3);
  if (std::optional<double> known = getStaticScale(op, headDim))
    scale = b.getF64FloatAttr(*known);
  SmallVector<Value> pairs;
  if (hasPairSums())
    for (int i = 0; i < 2; ++i)
      pairs.push_back(tensor::EmptyOp::create(
          b, loc,
          ArrayRef<OpFoldResult>{wholeKeys ? keys : b.getIndexAttr(sizes.key),
                                 b.getIndexAttr(sizes.query)},
          type));
  step = AttentionGradStepOp::create(
      b, loc, rows[0], keyTile, valueTile, op.getBias(), op.getKeyMask(),
      wholeKeys ? op.getKvLens() : Value(), window ? rowOffset : Value(),
      origin, op.getCaptures(), dropout, rows[2], rows[3], rows[1],
      rows.drop_front(4), /*edge=*/Value(), state[0], takeKeys(state[1]),
      takeKeys(state[2]), pairs, window, /*causal=*/false, scale,
      op.getBiasMapAttr(), op.getScheduleAttr());
  step.getScore().takeBody(score);
  SmallVector<Value> next(step.getResults());
  for (unsigned i : {1, 2}) {
    Place place = slice(state[i]);
    next[i] = tensor::InsertSliceOp::create(b, loc, next[i], state[i],
                                            place.offsets, place.sizes, ones);
  }
  if (pairs.empty())
    return next;
  SmallVector<Value> sums = addPairs(
      head, first, key, size, b.createOrFold<tensor::DimOp>(loc, rows[0], 0),
      ValueRange(next).drop_front(3), state.drop_front(3));
  next.truncate(3);
  next.append(sums);
  return next;
}

/// `carried` are d_query of all heads, and d_key and d_value of the head.
SmallVector<Value> GradTiler::buildTile(Value head, Value tile,
                                        ValueRange carried) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  Value first = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0 * sizes.query, {OpFoldResult(tile)}));
  Value count = index(affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(
          0, 2, {getAffineConstantExpr(sizes.query, b.getContext()), s0 - s1},
          b.getContext()),
      {queries, OpFoldResult(first)}));
  auto rowsOf = [&](Value array) {
    return getRows(array, batch, head, first, OpFoldResult(count));
  };
  Value query = take(op.getQuery(), rowsOf(op.getQuery()));
  Value output = take(op.getOutput(), rowsOf(op.getOutput()));
  Value dOutput = take(op.getDOutput(), rowsOf(op.getDOutput()));
  Value lse = takeVector(op.getLse(), head, first, count), dLse;
  if (op.getDLse())
    dLse = takeVector(op.getDLse(), head, first, count);
  SmallVector<Value> rows = {query, dOutput, buildLse(lse, count),
                             buildRowSums(output, dOutput, dLse, count)};
  OpFoldResult lanes = b.getIndexAttr(sizes.query);
  if (!wholeKeys)
    packRows(rows);
  SmallVector<Value> state = {
      filled({lanes, tensor::getMixedSize(b, loc, query, 1)}, 0.0), carried[1],
      carried[2]};
  llvm::append_range(state, carried.drop_front(3));
  auto step = [&](Value key, Value size, ValueRange state) {
    return buildStep(head, first, rows, key, size, state);
  };
  if (wholeKeys) {
    state = step(zero, index(keys), state);
  } else {
    TileKeyValues seen =
        findTileKeys(b, op, {batch, first, count, rowOffset}, index(keys));
    state =
        sweepKeys(b, op, seen, sizes.key, /*onePosition=*/false, state, step);
  }
  Place place = rowsOf(carried[0]);
  Value rowsOfGradient = convert(takeFront(state[0], OpFoldResult(count)),
                                 take(carried[0], place));
  state[0] = put(rowsOfGradient, carried[0], place);
  return state;
}

/// Zeros for a chunk's keys: a buffer of its own, whose rows are dense,
/// whatever the destinations are.
Value GradTiler::buildSums(Value array) {
  return ownZeros(
      {OpFoldResult(b.createOrFold<arith::SubIOp>(loc, chunk.end, chunk.begin)),
       tensor::getMixedSize(b, loc, array, 3)});
}

Value GradTiler::ownZeros(ArrayRef<OpFoldResult> shape) {
  SmallVector<int64_t> extents;
  SmallVector<Value> unknown;
  dispatchIndexOpFoldResults(shape, unknown, extents);
  auto sums = bufferization::AllocTensorOp::create(
      b, loc, RankedTensorType::get(extents, type), unknown);
  return linalg::FillOp::create(b, loc, constant(0.0), sums.getResult())
      .getResult(0);
}

/// `gradients` are of (query, key, value), the rows that chunks share of keys
/// and values where there are chunks, and sums of pairs; the same with what
/// `chunk` adds for `kvHead`.
SmallVector<Value> GradTiler::buildChunk(ValueRange gradients) {
  Value firstHead = b.createOrFold<arith::MulIOp>(loc, kvHead, group);
  Value endHead = b.createOrFold<arith::AddIOp>(loc, firstHead, group);
  unsigned arrays = isCut() ? 5 : 3;
  SmallVector<Value> inits = {gradients[0], buildSums(op.getKey()),
                              buildSums(op.getValue())};
  llvm::append_range(inits, gradients.drop_front(arrays));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {firstHead, chunk.firstTile}, {endHead, chunk.endTile},
      {one, one}, inits,
      [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
        return buildTile(ivs[0], ivs[1], carried);
      });
  SmallVector<Value> next(gradients);
  next[0] = nest.results[0];
  for (unsigned i : {1, 2}) {
    next[i] = putOwnKeys(nest.results[i], gradients[i]);
    if (isCut())
      next[i + 2] = putSharedKeys(nest.results[i], gradients[i + 2]);
  }
  llvm::copy(ArrayRef(nest.results).drop_front(3), next.begin() + arrays);
  return next;
}

/// Gradients of (query, key, value), and of what pairs read.
SmallVector<Value> GradTiler::buildGradients() {
  SmallVector<Value> destinations = {op.getDQuery(), op.getDKey(),
                                     op.getDValue()};
  if (op.getDBias())
    destinations.push_back(op.getDBias());
  llvm::append_range(destinations, op.getDCaptures());
  if (llvm::any_of(ArrayRef{batches, heads, queries, keys},
                   isZeroInteger)) // loops of no steps, of which folds crash
    return llvm::map_to_vector(destinations, [&](Value array) -> Value {
      Type element = getElementTypeOrSelf(array.getType());
      Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
      return linalg::FillOp::create(b, loc, nothing, array).getResult(0);
    });
  choosePairSums();
  if (chooseHeadTiles())
    return runFewQueries();
  chooseChunks();
  SmallVector<Value> results = wholeKeys ? runInSequence() : runInParallel();
  SmallVector<Value> sums =
      mergePairSums(ArrayRef(results).drop_front(isCut() ? 5 : 3));
  if (isCut())
    mergeSharedKeys(results);
  results.truncate(3);
  for (auto [sum, destination] :
       llvm::zip_equal(sums, ArrayRef(destinations).drop_front(3)))
    results.push_back(convert(sum, destination));
  return results;
}

FailureOr<SmallVector<Value>> GradTiler::run() {
  if (failed(buildGradScore(b, op, score)))
    return failure();
  SmallVector<Value> results = buildGradients();
  if (op.getDSink()) {
    GradRowArrays rows(b, op);
    Value sums = lattn::buildRowSums(b, op, rows);
    results.insert(results.begin() + 3, buildSinkGradient(b, op, rows, sums));
  }
  return results;
}

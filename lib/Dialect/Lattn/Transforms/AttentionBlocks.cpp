//===- AttentionBlocks.cpp - Attention as linalg ops on blocks ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// for (batch, head, block of queries):
//   products, weights, ... of (row, key) as linalg ops
//   add to slices of the results
//
// What is hidden must not reach a derivative of any order, where a product by a
// cotangent of 0 would still be NaN. So products are made of arrays without NaN
// and infinities, and pairs that see such rows get a NaN that is added: a
// constant to derivatives. Hidden pairs have the product 1, where regions are
// smooth.

#include "AttentionBlocks.h"
#include "KeyRuns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

static constexpr int64_t kBlockRows = 64;

AttentionBlocks::AttentionBlocks(OpBuilder &b, AttentionOp op, Value lse)
    : b(b), op(op), loc(op.getLoc()), type(op.getAccumulatorType()), lse(lse),
      sink(op.getSink()), isBnhd(op.isBnhd()) {
  initialize(buildExplicitDropout(b, op));
}

AttentionBlocks::AttentionBlocks(OpBuilder &b, AttentionGradOp op)
    : b(b), op(op), loc(op.getLoc()), type(op.getAccumulatorType()),
      lse(op.getLse()), sink(op.getSink()), isBnhd(op.isBnhd()) {
  initialize(buildExplicitDropout(b, op));
}

void AttentionBlocks::initialize(ValueRange dropoutOperands) {
  zero = arith::ConstantIndexOp::create(b, loc, 0);
  one = arith::ConstantIndexOp::create(b, loc, 1);
  unsigned head = isBnhd ? 2 : 1, position = isBnhd ? 1 : 2;
  SmallVector<OpFoldResult> ofQuery =
      tensor::getMixedSizes(b, loc, op.getQuery());
  SmallVector<OpFoldResult> ofKey = tensor::getMixedSizes(b, loc, op.getKey());
  batches = ofQuery[0], heads = ofQuery[head], queries = ofQuery[position];
  kvHeads = ofKey[head], keys = ofKey[position];
  scale = buildScale(b, loc, op, ofQuery[3], type);
  if (op.getEffectiveWindow())
    offset = buildExplicitOffset(b, op, position);
  if (!dropoutOperands.empty())
    dropout.emplace(b, loc, dropoutOperands, type);
  query = makeFinite(op.getQuery());
  key = makeFinite(op.getKey());
  value = makeFinite(op.getValue());
}

Value AttentionBlocks::constant(OpBuilder &at, double value) {
  return arith::ConstantOp::create(at, loc, at.getFloatAttr(type, value));
}

Value AttentionBlocks::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value AttentionBlocks::filled(ArrayRef<OpFoldResult> shape, double value) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, type);
  return linalg::FillOp::create(b, loc, constant(b, value), empty).getResult(0);
}

AffineMap AttentionBlocks::map(ArrayRef<unsigned> loops, unsigned count) {
  return AffineMap::getMultiDimMapWithTargets(count, loops, b.getContext());
}

AffineMap AttentionBlocks::inLayout(ArrayRef<unsigned> loops, unsigned count) {
  SmallVector<unsigned> axes(loops);
  if (isBnhd)
    std::swap(axes[1], axes[2]);
  return map(axes, count);
}

//===----------------------------------------------------------------------===//
// Rows without NaN and infinities
//===----------------------------------------------------------------------===//

Value AttentionBlocks::isFinite(OpBuilder &at, Value x) {
  Value size = math::AbsFOp::create(at, loc, x);
  return arith::CmpFOp::create(
      at, loc, arith::CmpFPredicate::OLT, size,
      constant(at, std::numeric_limits<double>::infinity()));
}

AttentionBlocks::Finite AttentionBlocks::makeFinite(Value array) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, array);
  AffineMap all = inLayout({0, 1, 2, 3}), rows = map({0, 1, 2}, 4);
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type);
  AffineMap identity = b.getMultiDimIdentityMap(4);
  Value made =
      buildGeneric(b, loc, array, empty, {identity, identity},
                   [&](OpBuilder &at, ValueRange args) -> Value {
                     Value x = convertFloat(at, loc, args[0], type);
                     return arith::SelectOp::create(at, loc, isFinite(at, x), x,
                                                    constant(at, 0.0));
                   });
  // Integers have no derivatives.
  Type flag = b.getI8Type();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(flag));
  unsigned head = isBnhd ? 2 : 1, position = isBnhd ? 1 : 2;
  Value flags = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{sizes[0], sizes[head], sizes[position]},
      flag);
  flags = linalg::FillOp::create(b, loc, none, flags).getResult(0);
  Value isBad = buildGeneric(
      b, loc, array, flags, {all, rows},
      [&](OpBuilder &at, ValueRange args) -> Value {
        Value x = convertFloat(at, loc, args[0], type);
        Value yes =
            arith::ConstantOp::create(at, loc, at.getIntegerAttr(flag, 1));
        Value no = arith::ConstantOp::create(at, loc, at.getZeroAttr(flag));
        Value bad = arith::SelectOp::create(at, loc, isFinite(at, x), no, yes);
        return arith::OrIOp::create(at, loc, args[1], bad);
      },
      /*reduce=*/true);
  return {made, isBad};
}

Value AttentionBlocks::addBad(OpBuilder &at, Value x, Value isBad) {
  Value none =
      arith::ConstantOp::create(at, loc, at.getZeroAttr(isBad.getType()));
  Value isNone =
      arith::CmpIOp::create(at, loc, arith::CmpIPredicate::eq, isBad, none);
  Value more = arith::SelectOp::create(
      at, loc, isNone, constant(at, 0.0),
      constant(at, std::numeric_limits<double>::quiet_NaN()));
  return arith::AddFOp::create(at, loc, x, more);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

RankedTensorType AttentionBlocks::getSliceType(ArrayRef<OpFoldResult> sizes,
                                               Type type) {
  SmallVector<int64_t> shape;
  for (OpFoldResult size : sizes)
    shape.push_back(getConstantIntValue(size).value_or(ShapedType::kDynamic));
  return RankedTensorType::get(shape, type);
}

ArraySlice AttentionBlocks::getRows(Value array, const Block &block,
                                    bool ofKeys) {
  OpFoldResult none = b.getIndexAttr(0), single = b.getIndexAttr(1);
  OpFoldResult width = tensor::getMixedSize(b, loc, array, 3);
  OpFoldResult count = ofKeys ? block.keys : block.rows;
  ArraySlice slice;
  slice.offsets = {block.batch, ofKeys ? block.kvHead : block.head,
                   ofKeys ? block.firstKey : block.first, none};
  slice.sizes = {single, single, count, width};
  if (isBnhd)
    for (auto *values : {&slice.offsets, &slice.sizes})
      std::swap((*values)[1], (*values)[2]);
  slice.strides.assign(4, single);
  slice.type = getSliceType({count, width}, type);
  return slice;
}

ArraySlice AttentionBlocks::getVector(Value array, const Block &block,
                                      bool ofKeys) {
  OpFoldResult single = b.getIndexAttr(1);
  OpFoldResult count = ofKeys ? block.keys : block.rows;
  ArraySlice slice;
  slice.offsets = {block.batch, ofKeys ? block.kvHead : block.head,
                   ofKeys ? block.firstKey : block.first};
  slice.sizes = {single, single, count};
  slice.strides.assign(3, single);
  slice.type = getSliceType(count, getElementTypeOrSelf(array.getType()));
  return slice;
}

AttentionBlocks::Block AttentionBlocks::beginBlock(ValueRange ivs) {
  Block block;
  block.batch = ivs[0], block.head = ivs[1];
  block.kvHead = buildKvHead(b, loc, block.head, index(heads), index(kvHeads));
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  block.first = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0 * kBlockRows, {OpFoldResult(ivs[2])}));
  std::optional<int64_t> known = getConstantIntValue(queries);
  if (known && *known % std::min(*known, kBlockRows) == 0)
    block.rows = b.getIndexAttr(std::min(*known, kBlockRows));
  else
    block.rows = affine::makeComposedFoldedAffineMin(
        b, loc,
        AffineMap::get(
            0, 2, {getAffineConstantExpr(kBlockRows, b.getContext()), s0 - s1},
            b.getContext()),
        {queries, OpFoldResult(block.first)});
  Value position = offset;
  if (position && isa<ShapedType>(position.getType()))
    position = readElement(
        b, loc, position,
        addOrigin(b, loc, op, {block.batch, zero, zero, zero}).batch);
  TileKeyValues seen = findTileKeys(
      b, op, {block.batch, block.first, index(block.rows), position},
      index(keys));
  block.firstKey = seen.begin;
  block.keys = getAsOpFoldResult(
      b.createOrFold<arith::SubIOp>(loc, seen.end, seen.begin));
  block.origin = addOrigin(
      b, loc, op, {block.batch, block.head, block.first, block.firstKey});
  block.query = getRows(query.array, block, false).read(b, loc, query.array);
  block.key = getRows(key.array, block, true).read(b, loc, key.array);
  block.value = getRows(value.array, block, true).read(b, loc, value.array);
  block.isBadValue =
      getVector(value.isBad, block, true).read(b, loc, value.isBad);
  buildHidden(block, position);
  buildProducts(block);
  buildWeights(block);
  return block;
}

Coordinates AttentionBlocks::coordinates(OpBuilder &at, const Block &block) {
  Value row = linalg::IndexOp::create(at, loc, 0);
  Value key = linalg::IndexOp::create(at, loc, 1);
  row = arith::AddIOp::create(at, loc, block.origin.query, row);
  key = arith::AddIOp::create(at, loc, block.origin.key, key);
  return {block.origin.batch, block.origin.head, row, key};
}

FailureOr<AttentionBlocks::Values> AttentionBlocks::buildLoops(ValueRange sums,
                                                               Body body) {
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  Value blocks = index(affine::makeComposedFoldedAffineApply(
      b, loc, s0.ceilDiv(kBlockRows), {queries}));
  LogicalResult result = success();
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {zero, zero, zero}, {index(batches), index(heads), blocks},
      {one, one, one}, sums,
      [&](OpBuilder &, Location, ValueRange ivs, ValueRange carried) {
        Values next(carried);
        Block block = beginBlock(ivs);
        result = body(block, next);
        return next;
      });
  if (failed(result))
    return failure();
  return Values(nest.results);
}

SmallVector<Value> AttentionBlocks::buildSums() {
  OpFoldResult width = tensor::getMixedSize(b, loc, op.getValue(), 3);
  SmallVector<OpFoldResult> rows = {batches, heads, queries}, shape = rows;
  if (isBnhd)
    std::swap(shape[1], shape[2]);
  shape.push_back(width);
  auto body = [&](Block &block, MutableArrayRef<Value> sums) {
    Value output = multiply(buildDropped(block, block.isBadValue, map({1})),
                            block.value, false, false);
    sums[0] =
        addToSlice(b, loc, sums[0], getRows(sums[0], block, false), output);
    sums[1] = addToSlice(b, loc, sums[1], getVector(sums[1], block, false),
                         sumRows(block.weights, block.rows));
    return success();
  };
  Values sums = *buildLoops({filled(shape, 0.0), filled(rows, 0.0)}, body);
  if (!sink)
    return sums;
  Value empty = tensor::EmptyOp::create(b, loc, rows, type);
  AffineMap row = map({0, 1, 2}, 3);
  sums[1] = buildGeneric(
      b, loc, {sums[1], buildSinkWeights()}, empty, {row, row, row},
      [&](OpBuilder &at, ValueRange args) -> Value {
        return arith::AddFOp::create(at, loc, args[0], args[1]);
      });
  return sums;
}

ArraySlice AttentionBlocks::getSinks() {
  OpFoldResult first = b.getIndexAttr(0);
  if (!op.getOrigin().empty())
    first = op.getOrigin()[1];
  return {{first},
          {heads},
          {b.getIndexAttr(1)},
          getSliceType(heads, getElementTypeOrSelf(sink.getType()))};
}

Value AttentionBlocks::buildSinkWeights() {
  Value sinks = getSinks().read(b, loc, sink);
  AffineMap row = map({0, 1, 2}, 3);
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{batches, heads, queries}, type);
  return buildGeneric(b, loc, {sinks, lse}, empty, {map({1}, 3), row, row},
                      [&](OpBuilder &at, ValueRange args) {
                        Value x = convertFloat(at, loc, args[0], type);
                        return buildExp(at, buildIsNone(at, x, args[1]), x,
                                        args[1]);
                      });
}

//===- Scores.cpp - Scores as IR ------------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

Coordinates lattn::addOrigin(OpBuilder &b, Location loc,
                             AttentionOpInterface op, Coordinates local) {
  if (op.getOrigin().empty())
    return local;
  auto add = [&](Value value, unsigned i) {
    return b.createOrFold<arith::AddIOp>(loc, value, op.getOrigin()[i]);
  };
  return {add(local.batch, 0), add(local.head, 1), add(local.query, 2),
          add(local.key, 3)};
}

Value lattn::readElement(OpBuilder &b, Location loc, Value array,
                         ValueRange indices) {
  if (isa<RankedTensorType>(array.getType()))
    return tensor::ExtractOp::create(b, loc, array, indices);
  return memref::LoadOp::create(b, loc, array, indices);
}

Value lattn::readBatchNumber(OpBuilder &b, Location loc, Value array,
                             Value batch) {
  Operation *op = array.getDefiningOp();
  if (auto pad = dyn_cast_or_null<PadSequencesOp>(op))
    return arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                      buildSequenceRows(b, pad, batch).length);
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !isa<RankedTensorType>(array.getType()) ||
      !OpTrait::hasElementwiseMappableTraits(op))
    return readElement(b, loc, array, batch);
  IRMapping numbers;
  for (Value operand : op->getOperands())
    numbers.map(operand, readBatchNumber(b, loc, operand, batch));
  Operation *scalar = b.clone(*op, numbers);
  auto type = cast<RankedTensorType>(array.getType());
  scalar->getResult(0).setType(type.getElementType());
  return scalar->getResult(0);
}

Value lattn::buildPosition(OpBuilder &b, Location loc, Value offset,
                           Value batch, Value query) {
  if (!offset)
    return query;
  if (isa<ShapedType>(offset.getType()))
    offset = readBatchNumber(b, loc, offset, batch);
  offset = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), offset);
  return b.createOrFold<arith::AddIOp>(loc, offset, query);
}

Value lattn::buildExplicitOffset(OpBuilder &b, AttentionOpInterface op,
                                 unsigned positionAxis, Value batch) {
  Location loc = op.getLoc();
  Value offset = op.getOffset();
  if (offset && batch && isa<ShapedType>(offset.getType()))
    return readBatchNumber(b, loc, offset, batch);
  if (offset)
    return offset;
  auto extent = [&](Value value) {
    Value size = isa<RankedTensorType>(value.getType())
                     ? getValueOrCreateConstantIndexOp(
                           b, loc, getMixedSizes(b, loc, value)[positionAxis])
                     : b.createOrFold<memref::DimOp>(loc, value, positionAxis);
    return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), size);
  };
  Value queries = extent(op.getQuery()), keys = extent(op.getKey());
  Value lens = op.getKvLens();
  if (!lens)
    return b.createOrFold<arith::SubIOp>(loc, keys, queries);
  auto offsetOf = [&](OpBuilder &nested, Value batch) -> Value {
    Value len = readElement(nested, loc, lens, batch);
    if (len.getType() != keys.getType())
      len = arith::ExtSIOp::create(nested, loc, keys.getType(), len);
    Value zero =
        arith::ConstantOp::create(nested, loc, nested.getI64IntegerAttr(0));
    len = arith::MaxSIOp::create(nested, loc, len, zero);
    len = arith::MinSIOp::create(nested, loc, len, keys);
    return arith::SubIOp::create(nested, loc, len, queries);
  };
  if (batch)
    return offsetOf(b, batch);
  if (!isa<RankedTensorType>(lens.getType()))
    return {};
  auto lensType = cast<RankedTensorType>(lens.getType());
  SmallVector<Value> sizes;
  if (lensType.isDynamicDim(0))
    sizes.push_back(tensor::DimOp::create(b, loc, lens, 0));
  return tensor::GenerateOp::create(
      b, loc, lensType.clone(b.getI64Type()), sizes,
      [&](OpBuilder &nested, Location, ValueRange at) {
        tensor::YieldOp::create(nested, loc, offsetOf(nested, at[0]));
      });
}

Value lattn::convertFloat(OpBuilder &b, Location loc, Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (value.getType() == type)
    return value;
  if (from < to)
    return arith::ExtFOp::create(b, loc, type, value);
  return arith::TruncFOp::create(b, loc, type, value);
}

std::optional<double> lattn::getStaticScale(AttentionOpInterface op,
                                            int64_t headDim) {
  if (FloatAttr scale = op.getScaleAttr())
    return scale.getValueAsDouble();
  if (ShapedType::isDynamic(headDim))
    return std::nullopt;
  return 1.0 / std::sqrt(static_cast<double>(headDim));
}

Value lattn::buildScale(OpBuilder &b, Location loc, AttentionOpInterface op,
                        OpFoldResult headDim, Type type) {
  if (auto constant = getStaticScale(
          op, getConstantIntValue(headDim).value_or(ShapedType::kDynamic)))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, *constant));
  Value size = getValueOrCreateConstantIndexOp(b, loc, headDim);
  size = arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  size = arith::SIToFPOp::create(b, loc, type, size);
  return math::RsqrtOp::create(b, loc, size);
}

/// Whether the key at `at` is visible to the query at `at`; null where always.
static Value buildVisible(OpBuilder &b, Location loc, AttentionOpInterface op,
                          Value offset, Coordinates at) {
  Value visible;
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    Value p = buildPosition(b, loc, offset, at.batch, at.query);
    visible = buildIsVisible(b, loc, window, p, at.key);
  }
  auto require = [&](Value condition) {
    visible = visible ? b.createOrFold<arith::AndIOp>(loc, visible, condition)
                      : condition;
  };
  if (Value lens = op.getKvLens()) {
    Value len = readElement(b, loc, lens, at.batch);
    len = arith::IndexCastOp::create(b, loc, b.getIndexType(), len);
    require(
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at.key, len));
  }
  if (Value mask = op.getKeyMask())
    require(readElement(b, loc, mask, {at.batch, at.key}));
  return visible;
}

SmallVector<Value> lattn::buildScoreRegion(OpBuilder &b, Location loc,
                                           AttentionOpInterface op, Value score,
                                           Coordinates at) {
  Block &block = op.getScore().front();
  auto i32 = [&](Value index) {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index)
        .getResult();
  };
  SmallVector<Value> arguments = {score, i32(at.batch), i32(at.head),
                                  i32(at.query), i32(at.key)};
  llvm::append_range(arguments, op.getCaptures());
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &inner : block.without_terminator())
    b.clone(inner, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

Value lattn::buildModifiedScore(OpBuilder &b, Location loc,
                                AttentionOpInterface op, Value score,
                                Coordinates at) {
  if (op.getScore().empty())
    return score;
  return buildScoreRegion(b, loc, op, score, at).front();
}

SmallVector<Value> lattn::buildBiasIndices(OpBuilder &b, Location loc,
                                           AttentionOpInterface op,
                                           Coordinates at) {
  SmallVector<Value> dims = {at.batch, at.head, at.query, at.key};
  SmallVector<Value> indices;
  AffineMap map = op.getEffectiveBiasMap();
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    indices.push_back(
        affine::AffineApplyOp::create(b, loc, map.getSubMap({i}), dims));
  return indices;
}

bool lattn::hasBiasTiles(AttentionOpInterface op) {
  constexpr unsigned bits = 16;
  if (!op.getBias() ||
      getElementTypeOrSelf(op.getBias()).getIntOrFloatBitWidth() != bits)
    return false;
  constexpr unsigned query = 2, key = 3; // of (batch, head, query, key)
  AffineMap map = op.getEffectiveBiasMap();
  unsigned count = map.getNumResults();
  if (count < 2 ||
      map.getResult(count - 2) != getAffineDimExpr(query, map.getContext()) ||
      map.getResult(count - 1) != getAffineDimExpr(key, map.getContext()))
    return false;
  return llvm::none_of(map.getResults().drop_back(2), [](AffineExpr axis) {
    return axis.isFunctionOfDim(query) || axis.isFunctionOfDim(key);
  });
}

Value lattn::buildVisibleScore(OpBuilder &b, Location loc,
                               AttentionOpInterface op, Value score,
                               Value scale, Coordinates at) {
  Type type = score.getType();
  score = arith::MulFOp::create(b, loc, score, scale);
  score = buildModifiedScore(b, loc, op, score, at);
  if (Value bias = op.getBias()) {
    Value element = readElement(b, loc, bias, buildBiasIndices(b, loc, op, at));
    score = arith::AddFOp::create(b, loc, score,
                                  convertFloat(b, loc, element, type));
  }
  return score;
}

Value lattn::buildScore(OpBuilder &b, Location loc, AttentionOpInterface op,
                        Value score, Value scale, Value offset,
                        Coordinates at) {
  Type type = score.getType();
  score = buildVisibleScore(b, loc, op, score, scale, at);
  Value visible = buildVisible(b, loc, op, offset, at);
  if (!visible)
    return score;
  Value hidden = arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(type,
                     APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                     /*Negative=*/true)));
  return arith::SelectOp::create(b, loc, visible, score, hidden);
}

Value lattn::buildKvHead(OpBuilder &b, Location loc, Value head, Value heads,
                         Value kvHeads) {
  // Without heads there is nothing to compute, but division must not trap.
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  kvHeads = b.createOrFold<arith::MaxSIOp>(loc, kvHeads, one);
  Value group = b.createOrFold<arith::DivSIOp>(loc, heads, kvHeads);
  group = b.createOrFold<arith::MaxSIOp>(loc, group, one);
  return b.createOrFold<arith::DivSIOp>(loc, head, group);
}

Value lattn::buildExpDifference(OpBuilder &b, Location loc, Value x,
                                Value max) {
  Type type = x.getType();
  Value infinity = arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(type,
                     APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                     /*Negative=*/true)));
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, infinity);
  Value difference = arith::SubFOp::create(b, loc, x, max);
  Value exp = math::ExpOp::create(b, loc, difference);
  return arith::SelectOp::create(b, loc, none, zero, exp);
}

//===- AttentionJvpOps.cpp - attention_jvp and its step: verifiers --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

using namespace mlir;
using namespace lattn;

using Extents = SmallVector<int64_t>;

static Extents getExtents(Value array) {
  return Extents(cast<ShapedType>(array.getType()).getShape());
}

/// attention_jvp_c2, attention_jvp_step_c1: tangents are like their arrays.
/// `hasAny`: of other arrays.
template <typename Op> static LogicalResult verifyTangents(Op op, bool hasAny) {
  std::tuple<Value, StringRef, Value, StringRef> tangents[] = {
      {op.getDQuery(), "d_query", op.getQuery(), "query"},
      {op.getDKey(), "d_key", op.getKey(), "key"},
      {op.getDValue(), "d_value", op.getValue(), "value"}};
  for (auto [tangent, name, array, like] : tangents) {
    if (!tangent)
      continue;
    hasAny = true;
    if (failed(verifyShape(op, tangent, name, getExtents(array), like)) ||
        failed(verifyAccumulator(op, tangent, name, op.getQuery().getType())))
      return failure();
  }
  return hasAny ? success() : op.emitOpError("expected a tangent, got none");
}

//===----------------------------------------------------------------------===//
// attention_jvp
//===----------------------------------------------------------------------===//

/// attention_jvp_c3
static LogicalResult verifyResults(AttentionJvpOp op) {
  Extents query = getExtents(op.getQuery());
  Extents rows = {query[0], query[op.getHeadAxis()],
                  query[op.getPositionAxis()]};
  if (failed(verifyLengths(op)) ||
      failed(verifyShape(op, op.getDOutput(), "d_output",
                         getExtents(op.getOutput()), "output")) ||
      failed(verifyAccumulator(op, op.getDOutput(), "d_output",
                               op.getQuery().getType())))
    return failure();
  for (auto [value, name] : {std::pair(Value(op.getLse()), "lse"),
                             std::pair(Value(op.getDLse()), "d_lse")})
    if (failed(verifyShape(op, value, name, rows,
                           "query's (batch, head, position)")) ||
        failed(verifyElementType(op, value, name, op.getAccumulatorType())))
      return failure();
  return success();
}

/// attention_jvp_c5, attention_jvp_c6
static LogicalResult verifyScoreTangents(AttentionJvpOp op) {
  auto verifyLike = [&](Value tangent, StringRef name, Value array,
                        StringRef like) -> LogicalResult {
    if (failed(verifyShape(op, tangent, name, getExtents(array), like)))
      return failure();
    return verifyAccumulator(op, tangent, name, op.getQuery().getType());
  };
  std::tuple<Value, StringRef, Value, StringRef> tangents[] = {
      {op.getDSink(), "d_sink", op.getSink(), "sink"},
      {op.getDBias(), "d_bias", op.getBias(), "bias"}};
  for (auto [tangent, name, array, like] : tangents) {
    if (!tangent)
      continue;
    if (!array)
      return op.emitOpError() << "has " << name << " but no " << like;
    if (failed(verifyLike(tangent, name, array, like)))
      return failure();
  }
  SmallVector<Value> captures = op.getFloatCaptures();
  if (op.getDCaptures().empty())
    return success();
  if (op.getDCaptures().size() != captures.size())
    return op.emitOpError()
           << "expected d_captures of the " << captures.size()
           << " captured arrays of floats, got " << op.getDCaptures().size();
  for (auto [tangent, array] : llvm::zip(op.getDCaptures(), captures)) {
    if (failed(verifyShape(op, tangent, "d_captures", getExtents(array),
                           "the captured array")) ||
        failed(verifyElementType(op, tangent, "d_captures",
                                 getElementTypeOrSelf(array.getType()))))
      return failure();
  }
  return success();
}

LogicalResult AttentionJvpOp::verify() {
  bool hasOthers = getDSink() || getDBias() || !getDCaptures().empty();
  if (failed(verifyAttentionOperands(*this,
                                     {{12, "output"},
                                      {13, "lse"},
                                      {14, "d_output"},
                                      {15, "d_lse"}})) || // attention_jvp_c4
      failed(verifyHeadShapes(*this)) ||
      failed(verifyResults(*this)) || failed(verifyTangents(*this, hasOthers)))
    return failure();
  auto extents = getScoreExtents(*this);
  // attention_jvp_c1
  if (failed(verifyPartDropout(*this, getDropout().getTypes())) ||
      failed(verifyOriginOffset(*this)) ||
      failed(verifySink(*this, getSink(), extents[1])) ||
      failed(verifyProducts(*this, getScheduleAttr())) ||
      failed(verifyScoring(*this, extents)))
    return failure();
  return verifyScoreTangents(*this);
}

MutableOperandRange AttentionJvpOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, getODSOperandIndexAndLength(12).first, 4);
}

SmallVector<Value> AttentionJvpOp::getFloatCaptures() {
  return llvm::filter_to_vector(getCaptures(), [](Value array) {
    return isa<FloatType>(getElementTypeOrSelf(array.getType()));
  });
}

LogicalResult AttentionJvpOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes({adaptor.getOutput(), adaptor.getLse(),
                                adaptor.getDOutput(), adaptor.getDLse()},
                               types);
}

//===----------------------------------------------------------------------===//
// attention_jvp_step
//===----------------------------------------------------------------------===//

/// attention_jvp_step_c1, attention_jvp_step_c2
static LogicalResult verifyMatrices(AttentionJvpStepOp op) {
  std::pair<Value, StringRef> matrices[] = {
      {op.getQuery(), "query"}, {op.getKey(), "key"}, {op.getValue(), "value"}};
  for (auto [value, name] : matrices)
    if (failed(verifyRank(op, value, name, 2, "of a matrix")) ||
        failed(verifyAccumulator(op, value, name, op.getQuery().getType())))
      return failure();
  Extents query = getExtents(op.getQuery()), value = getExtents(op.getValue());
  if (failed(verifyExtent(op, op.getKey(), "key", 1, query[0],
                          "query's head size")) ||
      failed(verifyExtent(op, op.getValue(), "value", 0,
                          getExtents(op.getKey())[0], "the number of keys")))
    return failure();
  std::tuple<Value, StringRef, bool> state[] = {{op.getAcc(), "acc", true},
                                                {op.getMax(), "max", false},
                                                {op.getSum(), "sum", false},
                                                {op.getDAcc(), "d_acc", true},
                                                {op.getDSum(), "d_sum", false}};
  for (auto [array, name, isMatrix] : state) {
    Extents extents = {query[1]};
    if (isMatrix)
      extents.push_back(value[1]);
    if (failed(verifyShape(op, array, name, extents, "(query, value)")) ||
        failed(verifyElementType(op, array, name, op.getAccumulatorType())))
      return failure();
  }
  return success();
}

LogicalResult AttentionJvpStepOp::verify() {
  if (failed(verifyAttentionOperands(*this, {{9, "query_rows"},
                                             {13, "acc"},
                                             {14, "max"},
                                             {15, "sum"},
                                             {16, "d_acc"},
                                             {17, "d_sum"}})) ||
      failed(verifyMatrices(*this)) ||
      failed(verifyTangents(*this, /*hasAny=*/!getScore().empty())) ||
      // attention_jvp_step_c3
      failed(verifyStepDropout(*this, getDropout().getTypes())) ||
      failed(verifyStepOffset(*this)) ||
      failed(verifyProducts(*this, getScheduleAttr())))
    return failure();
  return verifyScoring(*this,
                       {1, 1, ShapedType::kDynamic, getExtents(getKey())[0]});
}

MutableOperandRange AttentionJvpStepOp::getDpsInitsMutable() {
  return MutableOperandRange(*this, getODSOperandIndexAndLength(13).first, 5);
}

LogicalResult AttentionJvpStepOp::inferReturnTypes(
    MLIRContext *, std::optional<Location>, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes({adaptor.getAcc(), adaptor.getMax(),
                                adaptor.getSum(), adaptor.getDAcc(),
                                adaptor.getDSum()},
                               types);
}

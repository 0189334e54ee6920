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

/// attention_jvp_c1, attention_jvp_step_c3
static LogicalResult verifyNoRegion(AttentionOpInterface op) {
  if (op.getScore().empty() && op.getCaptures().empty())
    return success();
  return op->emitOpError("expected no score region and no captures");
}

/// attention_jvp_c2, attention_jvp_step_c1: tangents are like their arrays.
template <typename Op> static LogicalResult verifyTangents(Op op) {
  std::tuple<Value, StringRef, Value, StringRef> tangents[] = {
      {op.getDQuery(), "d_query", op.getQuery(), "query"},
      {op.getDKey(), "d_key", op.getKey(), "key"},
      {op.getDValue(), "d_value", op.getValue(), "value"}};
  bool hasAny = false;
  for (auto [tangent, name, array, like] : tangents) {
    if (!tangent)
      continue;
    hasAny = true;
    if (failed(verifyShape(op, tangent, name, getExtents(array), like)) ||
        failed(verifyAccumulator(op, tangent, name, op.getQuery().getType())))
      return failure();
  }
  return hasAny ? success()
                : op.emitOpError("expected a tangent: d_query, d_key or "
                                 "d_value");
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

LogicalResult AttentionJvpOp::verify() {
  if (failed(verifyAttentionOperands(*this,
                                     {{12, "output"},
                                      {13, "lse"},
                                      {14, "d_output"},
                                      {15, "d_lse"}})) || // attention_jvp_c4
      failed(verifyHeadShapes(*this)) ||
      failed(verifyResults(*this)) || failed(verifyTangents(*this)) ||
      failed(verifyNoRegion(*this)) ||
      failed(verifyOriginOffset(*this)) || // attention_jvp_c1
      failed(verifyProducts(*this, getScheduleAttr())))
    return failure();
  return verifyScoring(*this, getScoreExtents(*this));
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
      failed(verifyMatrices(*this)) || failed(verifyTangents(*this)) ||
      failed(verifyNoRegion(*this)) ||
      failed(verifyStepOffset(*this)) || // attention_jvp_step_c3
      failed(verifyProducts(*this, getScheduleAttr())))
    return failure();
  return verifyScoring(*this,
                       {1, 1, ShapedType::kDynamic, getExtents(getKey())[0]});
}

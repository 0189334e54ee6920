//===- AttentionGradOps.cpp - attention_grad and its step: verifiers ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

using namespace mlir;
using namespace lattn;

/// Errors unless `value` has the shape of `like`, of which `meaning` tells.
static LogicalResult verifyShapeLike(Operation *op, Value value, StringRef name,
                                     Value like, StringRef meaning) {
  return verifyShape(op, value, name,
                     cast<ShapedType>(like.getType()).getShape(), meaning);
}

//===----------------------------------------------------------------------===//
// attention_grad
//===----------------------------------------------------------------------===//

/// attention_grad_c2: lengths, and d_output like output.
static LogicalResult verifyOutputs(AttentionGradOp op) {
  if (failed(verifyLengths(op)) ||
      failed(verifyAccumulator(op, op.getDOutput(), "d_output",
                               op.getQuery().getType())))
    return failure();
  return verifyShapeLike(op, op.getDOutput(), "d_output", op.getOutput(),
                         "output");
}

/// attention_grad_c4, attention_grad_c5
static LogicalResult verifyGradients(AttentionGradOp op) {
  std::tuple<Value, StringRef, Value, StringRef> gradients[] = {
      {op.getDQuery(), "d_query", op.getQuery(), "query"},
      {op.getDKey(), "d_key", op.getKey(), "key"},
      {op.getDValue(), "d_value", op.getValue(), "value"},
      {op.getDSink(), "d_sink", op.getSink(), "sink"},
      {op.getDBias(), "d_bias", op.getBias(), "bias"}};
  if (op.getDSink() && !op.getSink())
    return op.emitOpError("has d_sink but no sink");
  if (op.getDBias() && !op.getBias())
    return op.emitOpError("has d_bias but no bias");
  for (auto [gradient, name, array, meaning] : gradients)
    if (gradient &&
        (failed(verifyShapeLike(op, gradient, name, array, meaning)) ||
         failed(
             verifyAccumulator(op, gradient, name, op.getQuery().getType()))))
      return failure();
  return success();
}

SmallVector<Value> AttentionGradOp::getFloatCaptures() {
  return llvm::filter_to_vector(getCaptures(), [](Value array) {
    return isa<FloatType>(getElementTypeOrSelf(array.getType()));
  });
}

/// attention_grad_c7
static LogicalResult verifyCaptureGradients(AttentionGradOp op) {
  OperandRange gradients = op.getDCaptures();
  SmallVector<Value> captures = op.getFloatCaptures();
  if (gradients.empty())
    return success();
  if (gradients.size() != captures.size())
    return op.emitOpError()
           << "expected d_captures of the " << captures.size()
           << " captured arrays of floats, got " << gradients.size();
  for (auto [gradient, array] : llvm::zip(gradients, captures))
    if (failed(verifyShapeLike(op, gradient, "d_captures", array,
                               "the captured array")))
      return failure();
  return success();
}

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyAttentionOperands(*this,
                                     {{11, "output"},
                                      {12, "lse"},
                                      {13, "d_output"},
                                      {15, "d_query"},
                                      {16, "d_key"},
                                      {17, "d_value"}})) || // attention_grad_c6
      failed(verifyHeadShapes(*this)) ||
      failed(verifyOutputs(*this)) ||
      failed(verifyRowArray(*this, getLse(), "lse")) || // attention_grad_c3
      failed(verifyRowArray(*this, getDLse(), "d_lse")) ||
      failed(verifyGradients(*this)) || failed(verifyCaptureGradients(*this)) ||
      // attention_grad_c1
      failed(verifyPartDropout(*this, getDropout().getTypes())) ||
      failed(verifyOriginOffset(*this)))
    return failure();
  auto extents = getScoreExtents(*this);
  if (failed(verifySink(*this, getSink(), extents[1])) ||
      failed(verifyProducts(*this, getScheduleAttr(), getDOutput())))
    return failure();
  return verifyScoring(*this, extents);
}

MutableOperandRange AttentionGradOp::getDpsInitsMutable() {
  auto [start, size] = getODSOperandIndexAndLength(15);
  return MutableOperandRange(*this, start, getNumOperands() - start);
}

LogicalResult AttentionGradOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  SmallVector<Value> destinations = {adaptor.getDQuery(), adaptor.getDKey(),
                                     adaptor.getDValue(), adaptor.getDSink(),
                                     adaptor.getDBias()};
  llvm::append_range(destinations, adaptor.getDCaptures());
  return inferDestinationTypes(destinations, types);
}

//===----------------------------------------------------------------------===//
// attention_grad_step
//===----------------------------------------------------------------------===//

/// attention_grad_step_c1: matrices whose extents agree. Sets the numbers of
/// queries and keys.
static LogicalResult verifyMatrices(AttentionGradStepOp op, int64_t &queries,
                                    int64_t &keys) {
  int64_t headDim = ShapedType::kDynamic, valueDim = headDim;
  queries = keys = headDim;
  std::tuple<Value, StringRef, int64_t *, int64_t *> matrices[] = {
      {op.getQuery(), "query", &queries, &headDim},
      {op.getKey(), "key", &keys, &headDim},
      {op.getValue(), "value", &keys, &valueDim},
      {op.getDOutput(), "d_output", &queries, &valueDim},
      {op.getDKey(), "d_key", &keys, &headDim},
      {op.getDValue(), "d_value", &keys, &valueDim}};
  for (auto [value, name, rows, columns] : matrices) {
    if (failed(verifyRank(op, value, name, 2, "(row, feature)")) ||
        failed(verifyAccumulator(op, value, name, op.getQuery().getType())))
      return failure();
    int64_t *extents[] = {rows, columns};
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      if (failed(verifyExtent(op, value, name, axis, *extent,
                              "the extent seen before")))
        return failure();
      if (ShapedType::isDynamic(*extent))
        *extent = cast<ShapedType>(value.getType()).getDimSize(axis);
    }
  }
  if (headDim == 0)
    return op.emitOpError("expected a head size of at least 1, got 0");
  if (failed(verifyRank(op, op.getDQuery(), "d_query", 2, "(row, feature)")))
    return failure();
  return verifyExtent(op, op.getDQuery(), "d_query", 1, headDim,
                      "query's head size");
}

/// attention_grad_step_c2: lse, row_sums and d_query are as long, and of the
/// accumulator type.
static LogicalResult verifyState(AttentionGradStepOp op, int64_t queries) {
  Type element = op.getAccumulatorType();
  int64_t lanes = cast<ShapedType>(op.getDQuery().getType()).getDimSize(0);
  std::pair<Value, StringRef> rows[] = {{op.getLse(), "lse"},
                                        {op.getRowSums(), "row_sums"}};
  for (auto [value, name] : rows)
    if (failed(verifyRank(op, value, name, 1, "(query)")) ||
        failed(verifyElementType(op, value, name, element)) ||
        failed(verifyExtent(op, value, name, 0, lanes, "d_query's rows")))
      return failure();
  std::pair<Value, StringRef> sums[] = {{op.getDQuery(), "d_query"},
                                        {op.getDKey(), "d_key"},
                                        {op.getDValue(), "d_value"}};
  for (auto [value, name] : sums)
    if (failed(verifyElementType(op, value, name, element)))
      return failure();
  if (ShapedType::isStatic(queries) && ShapedType::isStatic(lanes) &&
      queries > lanes)
    return op.emitOpError() << "expected at most " << lanes
                            << " queries, d_query's rows, got " << queries;
  return success();
}

static LogicalResult verifyNoneOrTwo(Operation *op, OperandRange values,
                                     StringRef meaning) {
  if (values.empty() || values.size() == 2)
    return success();
  return op->emitOpError("expected ")
         << meaning << ", got " << values.size() << " values";
}

/// attention_grad_step_c3
static LogicalResult verifyPacked(AttentionGradStepOp op) {
  if (failed(verifyNoneOrTwo(op, op.getPacked(), "packed (query, d_output)")))
    return failure();
  int64_t lanes = cast<ShapedType>(op.getDQuery().getType()).getDimSize(0);
  Type element = op.getProducts() == Products::Dot
                     ? getElementTypeOrSelf(op.getQuery().getType())
                     : op.getAccumulatorType();
  std::pair<StringRef, Value> arrays[] = {{"packed query", op.getQuery()},
                                          {"packed d_output", op.getDOutput()}};
  for (auto [value, array] : llvm::zip(op.getPacked(), arrays)) {
    auto [name, rows] = array;
    if (failed(verifyRank(op, value, name, 2, "(feature, query)")) ||
        failed(verifyElementType(op, value, name, element)) ||
        failed(verifyExtent(op, value, name, 0,
                            cast<ShapedType>(rows.getType()).getDimSize(1),
                            "the number of features")) ||
        failed(verifyExtent(op, value, name, 1, lanes, "d_query's rows")))
      return failure();
  }
  return success();
}

/// attention_grad_step_c7
static LogicalResult verifyPairs(AttentionGradStepOp op, int64_t keys) {
  if (failed(verifyNoneOrTwo(op, op.getPairs(), "pairs (products, d_scores)")))
    return failure();
  int64_t lanes = cast<ShapedType>(op.getDQuery().getType()).getDimSize(0);
  for (Value value : op.getPairs()) {
    if (failed(verifyRank(op, value, "pairs", 2, "(key, query)")) ||
        failed(
            verifyElementType(op, value, "pairs", op.getAccumulatorType())) ||
        failed(verifyExtent(op, value, "pairs", 1, lanes, "d_query's rows")))
      return failure();
    int64_t rows = cast<ShapedType>(value.getType()).getDimSize(0);
    if (ShapedType::isStatic(rows) && ShapedType::isStatic(keys) && rows < keys)
      return op.emitOpError() << "expected pairs with at least " << keys
                              << " rows, one per key, got " << rows;
  }
  return success();
}

LogicalResult AttentionGradStepOp::verify() {
  int64_t queries, keys;
  if (failed(verifyAttentionOperands(*this, {{10, "lse"},
                                             {11, "row_sums"},
                                             {12, "d_output"},
                                             {15, "d_query"},
                                             {16, "d_key"},
                                             {17, "d_value"}})) ||
      failed(verifyMatrices(*this, queries, keys)) ||
      failed(verifyState(*this, queries)) || failed(verifyPacked(*this)) ||
      failed(verifyPairs(*this, keys)) ||
      // attention_grad_step_c4
      failed(verifyStepOffset(*this)) ||
      failed(verifyStepDropout(*this, getDropout().getTypes())) ||
      // attention_grad_step_c5
      failed(verifyProducts(*this, getScheduleAttr(), getDOutput())))
    return failure();
  return verifyScoring(*this, {1, 1, queries, keys});
}

MutableOperandRange AttentionGradStepOp::getDpsInitsMutable() {
  unsigned count = 3 + getPairs().size();
  return MutableOperandRange(*this, getNumOperands() - count, count);
}

LogicalResult AttentionGradStepOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes(
      operands.take_back(3 + adaptor.getPairs().size()), types);
}

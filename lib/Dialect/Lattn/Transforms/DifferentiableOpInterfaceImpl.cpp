//===- DifferentiableOpInterfaceImpl.cpp - Derivatives of attention -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

static Value emptyLike(OpBuilder &b, Value array) {
  return tensor::EmptyOp::create(
      b, array.getLoc(), tensor::getMixedSizes(b, array.getLoc(), array),
      getElementTypeOrSelf(array.getType()));
}

/// `op` with its log-sum-exp, which its gradients need.
static AttentionOp withLse(AttentionOp op) {
  if (op.getLse())
    return op;
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, op.getQuery());
  Value lse = tensor::EmptyOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{sizes[0], sizes[op.getHeadAxis()],
                             sizes[op.getPositionAxis()]},
      op.getAccumulatorType());
  auto whole = AttentionOp::create(
      b, loc, op.getQuery(), op.getKey(), op.getValue(), op.getBias(),
      op.getKeyMask(), op.getKvLens(), op.getOffset(), op.getOrigin(),
      op.getCaptures(), op.getSink(), op.getDropout(), op.getOutput(), lse,
      op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      op.getBiasMapAttr(), op.getLayout(), op.getScheduleAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&whole.getScore(), mapping);
  op->getResult(0).replaceAllUsesWith(whole->getResult(0));
  return whole;
}

namespace {
struct AttentionModel
    : DifferentiableOpInterface::ExternalModel<AttentionModel, AttentionOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto attention = cast<AttentionOp>(op);
    if (!attention.hasPureTensorSemantics())
      return op->emitOpError("has no derivative on memrefs");
    Location loc = op->getLoc();
    Value dOutput = reverse.getCotangent(b, op->getResult(0)), dLse;
    if (attention.getLse())
      dLse = reverse.getCotangent(b, op->getResult(1));
    if (!dOutput && !dLse)
      return success();
    if (!dOutput)
      dOutput = buildZeros(b, loc, op->getResult(0));
    attention = withLse(attention);
    // Which arrays get a gradient, in the order of destinations.
    SmallVector<Value> arrays = {attention.getQuery(), attention.getKey(),
                                 attention.getValue()};
    auto isActive = [&](Value array) {
      return array && reverse.isActive(array);
    };
    Value dSink, dBias;
    if (isActive(attention.getSink()))
      dSink = emptyLike(b, arrays.emplace_back(attention.getSink()));
    if (isActive(attention.getBias()))
      dBias = emptyLike(b, arrays.emplace_back(attention.getBias()));
    SmallVector<Value> captures, dCaptures;
    for (Value array : attention.getCaptures())
      if (isa<FloatType>(getElementTypeOrSelf(array.getType())))
        captures.push_back(array);
    if (llvm::any_of(captures, isActive))
      for (Value array : captures)
        dCaptures.push_back(emptyLike(b, arrays.emplace_back(array)));
    auto grad = AttentionGradOp::create(
        b, loc, attention.getQuery(), attention.getKey(), attention.getValue(),
        attention.getBias(), attention.getKeyMask(), attention.getKvLens(),
        attention.getOffset(), attention.getOrigin(), attention.getCaptures(),
        attention.getSink(), attention.getDropout(), attention->getResult(0),
        attention->getResult(1), dOutput, dLse,
        emptyLike(b, attention.getQuery()), emptyLike(b, attention.getKey()),
        emptyLike(b, attention.getValue()), dSink, dBias, dCaptures,
        attention.getWindowAttr(), attention.getCausal(),
        attention.getScaleAttr(), attention.getBiasMapAttr(),
        attention.getLayout(), /*schedule=*/ScheduleAttr());
    IRMapping mapping;
    attention.getScore().cloneInto(&grad.getScore(), mapping);
    for (auto [array, gradient] : llvm::zip_equal(arrays, grad.getResults()))
      reverse.add(b, array, gradient);
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &, Forward &) const {
    return op->emitOpError("has no tangent: forward mode is not built for it");
  }
};
} // namespace

void lattn::registerDifferentiableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LattnDialect *) {
    AttentionOp::attachInterface<AttentionModel>(*context);
    attachRotaryDerivatives(*context);
  });
}

//===- RotaryDerivatives.cpp - Derivatives of lattn.rotary ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rotary is linear: cotangents turn back, tangents turn as the rows do.

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// `op` on other rows, with a result of `element`.
static Value turn(OpBuilder &b, RotaryOp op, Value rows, Type element,
                  bool back) {
  Location loc = op.getLoc();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, rows), element);
  bool transposed = op.getTransposed() != back;
  return RotaryOp::create(b, loc, rows, op.getStart(), op.getCenter(), empty,
                          op.getDimAttr(), op.getThetaAttr(),
                          op.getInterleavedAttr(), op.getXposScaleBaseAttr(),
                          op.getDownscaleAttr(),
                          transposed ? b.getUnitAttr() : UnitAttr(),
                          op.getPositionAxisAttr())
      .getResult(0);
}

namespace {
struct RotaryModel
    : DifferentiableOpInterface::ExternalModel<RotaryModel, RotaryOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto rotary = cast<RotaryOp>(op);
    if (!rotary.hasPureTensorSemantics())
      return op->emitOpError("has no derivative on memrefs");
    if (!reverse.isActive(rotary.getInput()))
      return success();
    Value given = reverse.getWideCotangent(op->getResult(0));
    Type element = getElementTypeOrSelf(rotary.getInput().getType());
    reverse.add(b, rotary.getInput(),
                turn(b, rotary, given, element, /*back=*/true));
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto rotary = cast<RotaryOp>(op);
    if (!rotary.hasPureTensorSemantics())
      return op->emitOpError("has no derivative on memrefs");
    if (Value tangent = forward.getTangent(rotary.getInput()))
      forward.setTangent(op->getResult(0),
                         turn(b, rotary, tangent,
                              getElementTypeOrSelf(op->getResult(0).getType()),
                              /*back=*/false));
    return success();
  }
};
} // namespace

void lattn::attachRotaryDerivatives(MLIRContext &context) {
  RotaryOp::attachInterface<RotaryModel>(context);
}

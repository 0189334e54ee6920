//===- Reshapes.cpp - Other shapes, the same elements ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorRules.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

void lattn::setLinearTangent(OpBuilder &b, Operation *op, Forward &forward) {
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    if (!isDifferentiable(operand.getType()))
      continue;
    Value tangent = forward.getTangent(operand);
    mapping.map(operand,
                tangent ? tangent : buildZeros(b, op->getLoc(), operand));
  }
  Operation *made = b.clone(*op, mapping);
  forward.setTangent(op->getResult(0), made->getResult(0));
}

/// The elements of `x` in the shape of what `op` reads.
static Value undo(OpBuilder &b, tensor::ExpandShapeOp op, Value x) {
  return tensor::CollapseShapeOp::create(b, op.getLoc(), op.getSrcType(), x,
                                         op.getReassociationIndices());
}
static Value undo(OpBuilder &b, tensor::CastOp op, Value x) {
  return tensor::CastOp::create(b, op.getLoc(), op.getSource().getType(), x);
}

static Value undo(OpBuilder &b, tensor::ReshapeOp op, Value x) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getSource().getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    sizes.push_back(b.createOrFold<tensor::DimOp>(loc, op.getSource(), i));
  Value shape = tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({type.getRank()}, b.getIndexType()), sizes);
  return tensor::ReshapeOp::create(b, loc, type, x, shape);
}
static Value undo(OpBuilder &b, tensor::CollapseShapeOp op, Value x) {
  return tensor::ExpandShapeOp::create(
      b, op.getLoc(), op.getSrcType(), x, op.getReassociationIndices(),
      tensor::getMixedSizes(b, op.getLoc(), op.getSrc()));
}

namespace {
template <typename Op>
struct ReshapeModel
    : DifferentiableOpInterface::ExternalModel<ReshapeModel<Op>, Op> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    reverse.add(
        b, op->getOperand(0),
        undo(b, cast<Op>(op), reverse.getCotangent(b, op->getResult(0))));
    return success();
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    setLinearTangent(b, op, forward);
    return success();
  }
};
} // namespace

void lattn::attachReshapes(MLIRContext *context) {
  attachAll<ReshapeModel, tensor::CastOp, tensor::CollapseShapeOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp>(context);
}

//===- Slices.cpp - Parts of arrays ---------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorRules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

static LogicalResult addAdjoint(OpBuilder &b, tensor::ExtractSliceOp op,
                                Value cotangent, Reverse &reverse) {
  Value zeros = buildZeros(b, op.getLoc(), op.getSource());
  reverse.add(b, op.getSource(),
              tensor::InsertSliceOp::create(
                  b, op.getLoc(), cotangent, zeros, op.getMixedOffsets(),
                  op.getMixedSizes(), op.getMixedStrides()));
  return success();
}

static LogicalResult addAdjoint(OpBuilder &b, tensor::InsertSliceOp op,
                                Value cotangent, Reverse &reverse) {
  Location loc = op.getLoc();
  if (reverse.isActive(op.getSource()))
    reverse.add(b, op.getSource(),
                tensor::ExtractSliceOp::create(
                    b, loc, op.getSourceType(), cotangent, op.getMixedOffsets(),
                    op.getMixedSizes(), op.getMixedStrides()));
  if (reverse.isActive(op.getDest()))
    reverse.add(b, op.getDest(),
                tensor::InsertSliceOp::create(
                    b, loc, buildZeros(b, loc, op.getSource()), cotangent,
                    op.getMixedOffsets(), op.getMixedSizes(),
                    op.getMixedStrides()));
  return success();
}

static LogicalResult addAdjoint(OpBuilder &b, tensor::ConcatOp op,
                                Value cotangent, Reverse &reverse) {
  Location loc = op.getLoc();
  int64_t rank = op.getResultType().getRank();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  AffineExpr x, y;
  bindSymbols(b.getContext(), x, y);
  for (Value input : op.getInputs()) {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, input);
    if (reverse.isActive(input))
      reverse.add(b, input,
                  tensor::ExtractSliceOp::create(
                      b, loc, cast<RankedTensorType>(input.getType()),
                      cotangent, offsets, sizes, strides));
    OpFoldResult &offset = offsets[op.getDim()];
    offset = affine::makeComposedFoldedAffineApply(
        b, loc, x + y, {offset, sizes[op.getDim()]});
  }
  return success();
}

static LogicalResult addAdjoint(OpBuilder &b, tensor::PadOp op, Value cotangent,
                                Reverse &reverse) {
  Location loc = op.getLoc();
  Value padding = op.getConstantPaddingValue();
  if (!padding || reverse.isActive(padding))
    return op.emitOpError(
        "has no derivative by its padding, which must be one constant value");
  SmallVector<OpFoldResult> strides(op.getSourceType().getRank(),
                                    b.getIndexAttr(1));
  reverse.add(b, op.getSource(),
              tensor::ExtractSliceOp::create(
                  b, loc, op.getSourceType(), cotangent, op.getMixedLowPad(),
                  tensor::getMixedSizes(b, loc, op.getSource()), strides));
  return success();
}

static LogicalResult addAdjoint(OpBuilder &b, tensor::InsertOp op,
                                Value cotangent, Reverse &reverse) {
  Location loc = op.getLoc();
  if (reverse.isActive(op.getScalar()))
    reverse.add(b, op.getScalar(),
                tensor::ExtractOp::create(b, loc, cotangent, op.getIndices()));
  if (reverse.isActive(op.getDest()))
    reverse.add(b, op.getDest(),
                tensor::InsertOp::create(b, loc,
                                         buildZeros(b, loc, op.getScalar()),
                                         cotangent, op.getIndices()));
  return success();
}

static LogicalResult addAdjoint(OpBuilder &b, tensor::FromElementsOp op,
                                Value cotangent, Reverse &reverse) {
  auto type = cast<RankedTensorType>(op.getType());
  for (auto [n, element] : llvm::enumerate(op.getElements())) {
    if (!reverse.isActive(element))
      continue;
    SmallVector<Value> indices(type.getRank());
    int64_t rest = n;
    for (int64_t axis = type.getRank(); axis-- > 0;) {
      indices[axis] = arith::ConstantIndexOp::create(
          b, op.getLoc(), rest % type.getDimSize(axis));
      rest /= type.getDimSize(axis);
    }
    reverse.add(b, element,
                tensor::ExtractOp::create(b, op.getLoc(), cotangent, indices));
  }
  return success();
}

namespace {
template <typename Op>
struct SliceModel
    : DifferentiableOpInterface::ExternalModel<SliceModel<Op>, Op> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    return addAdjoint(b, cast<Op>(op),
                      reverse.getCotangent(b, op->getResult(0)), reverse);
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    setLinearTangent(b, op, forward);
    return success();
  }
};

/// What the padding becomes is zero.
struct PadModel
    : DifferentiableOpInterface::ExternalModel<PadModel, tensor::PadOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    return addAdjoint(b, cast<tensor::PadOp>(op),
                      reverse.getCotangent(b, op->getResult(0)), reverse);
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto pad = cast<tensor::PadOp>(op);
    Value padding = pad.getConstantPaddingValue();
    if (!padding || forward.getTangent(padding))
      return op->emitOpError("has no derivative by its padding, which must be "
                             "one constant value");
    Value zero = buildZeros(b, op->getLoc(), padding);
    forward.setTangent(
        pad.getResult(),
        tensor::PadOp::create(b, op->getLoc(), pad.getType(),
                              forward.getTangent(pad.getSource()),
                              pad.getMixedLowPad(), pad.getMixedHighPad(), zero,
                              pad.getNofold()));
    return success();
  }
};
} // namespace

void lattn::attachSlices(MLIRContext *context) {
  attachAll<SliceModel, tensor::ConcatOp, tensor::ExtractSliceOp,
            tensor::FromElementsOp, tensor::InsertOp, tensor::InsertSliceOp>(
      context);
  tensor::PadOp::attachInterface<PadModel>(*context);
}

//===- SequenceDerivatives.cpp - Derivatives of packed sequences ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both ops are linear, and each one's cotangents go through the other.

#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// The type of `like`, of other elements.
static RankedTensorType withElement(Value like, Type element) {
  return cast<RankedTensorType>(like.getType()).clone(element);
}

/// The rows of `packed` as `padded` has them.
static Value pad(OpBuilder &b, Location loc, Value packed, Value cuSeqlens,
                 Value maxSeqlen, LayoutAttr layout, Value padded) {
  int64_t count = cast<RankedTensorType>(padded.getType()).getDimSize(0);
  Type element = getElementTypeOrSelf(packed.getType());
  return PadSequencesOp::create(b, loc, withElement(padded, element),
                                RankedTensorType::get({count}, b.getI64Type()),
                                packed, cuSeqlens, maxSeqlen, layout)
      .getPadded();
}

static Value zerosLike(OpBuilder &b, Location loc, Value like, Type element) {
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, like), element);
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

/// The rows of `padded` in the shape of `like`, and 0 where no sequence is.
static Value pack(OpBuilder &b, Location loc, Value padded, Value cuSeqlens,
                  LayoutAttr layout, Value like) {
  Value none = zerosLike(b, loc, like, getElementTypeOrSelf(padded.getType()));
  return PackSequencesOp::create(b, loc, padded, cuSeqlens, none, layout)
      .getResult();
}

namespace {
struct PadModel
    : DifferentiableOpInterface::ExternalModel<PadModel, PadSequencesOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto padOp = cast<PadSequencesOp>(op);
    if (Value given = reverse.getWideCotangent(padOp.getPadded()))
      reverse.add(b, padOp.getPacked(),
                  pack(b, op->getLoc(), given, padOp.getCuSeqlens(),
                       padOp.getLayoutAttr(), padOp.getPacked()));
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto padOp = cast<PadSequencesOp>(op);
    if (Value tangent = forward.getTangent(padOp.getPacked()))
      forward.setTangent(padOp.getPadded(),
                         pad(b, op->getLoc(), tangent, padOp.getCuSeqlens(),
                             padOp.getMaxSeqlen(), padOp.getLayoutAttr(),
                             padOp.getPadded()));
    return success();
  }
};

struct PackModel
    : DifferentiableOpInterface::ExternalModel<PackModel, PackSequencesOp> {
  /// `rows`, of result's shape, as padded has them.
  static Value take(OpBuilder &b, PackSequencesOp op, Value rows) {
    Location loc = op.getLoc();
    Value most =
        b.createOrFold<tensor::DimOp>(loc, op.getPadded(), op.getRowAxis());
    return pad(b, loc, rows, op.getCuSeqlens(), most, op.getLayoutAttr(),
               op.getPadded());
  }

  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto packOp = cast<PackSequencesOp>(op);
    Value given = reverse.getWideCotangent(packOp.getResult());
    if (!given)
      return success();
    Value rows = take(b, packOp, given);
    reverse.add(b, packOp.getPadded(), rows);
    if (!reverse.isActive(packOp.getOutput()))
      return success();
    // What the result keeps of output.
    Location loc = op->getLoc();
    Value none = zerosLike(b, loc, rows, getElementTypeOrSelf(given.getType()));
    reverse.add(b, packOp.getOutput(),
                PackSequencesOp::create(b, loc, none, packOp.getCuSeqlens(),
                                        given, packOp.getLayoutAttr())
                    .getResult());
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto packOp = cast<PackSequencesOp>(op);
    Value padded = forward.getTangent(packOp.getPadded());
    Value output = forward.getTangent(packOp.getOutput());
    if (!padded && !output)
      return success();
    Location loc = op->getLoc();
    Type element = getElementTypeOrSelf((padded ? padded : output).getType());
    if (!padded)
      padded = zerosLike(b, loc, packOp.getPadded(), element);
    if (!output)
      output = zerosLike(b, loc, packOp.getOutput(), element);
    forward.setTangent(packOp.getResult(),
                       PackSequencesOp::create(b, loc, padded,
                                               packOp.getCuSeqlens(), output,
                                               packOp.getLayoutAttr())
                           .getResult());
    return success();
  }
};
} // namespace

void lattn::attachSequenceDerivatives(MLIRContext &context) {
  PadSequencesOp::attachInterface<PadModel>(context);
  PackSequencesOp::attachInterface<PackModel>(context);
}

//===- DecomposeLinalg.cpp - linalg ops that upstream makes no loops of ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream decomposes them in its transform dialect only, not in a pass.

#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNDECOMPOSELINALGPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Upstream's decomposition adds in the element type: a sum of bf16 stays at
/// 256.
static LogicalResult decomposeSoftmax(RewriterBase &rewriter,
                                      linalg::SoftmaxOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto result = cast<RankedTensorType>(op.getOutput().getType());
  if (!isa<FloatType>(type.getElementType()) ||
      type.getElementType() != result.getElementType())
    return rewriter.notifyMatchFailure(op, "expected floats of one type");
  if (getAccumulatorType(type) == type.getElementType())
    return decompose(rewriter, op);
  Location loc = op.getLoc();
  FloatType wide = getAccumulatorType(type);
  Value input =
      arith::ExtFOp::create(rewriter, loc, type.clone(wide), op.getInput());
  Value output = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getOutput()),
      wide);
  auto softmax = linalg::SoftmaxOp::create(rewriter, loc, output.getType(),
                                           input, output, op.getDimension());
  rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, result,
                                               softmax.getResult().front());
  return decompose(rewriter, softmax);
}

LogicalResult lattn::decomposeLinalg(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::SoftmaxOp softmax) {
        return decomposeSoftmax(rewriter, softmax);
      })
      .Case([&](linalg::WinogradFilterTransformOp transform) {
        return decomposeWinogradFilterTransformOp(rewriter, transform);
      })
      .Case([&](linalg::WinogradInputTransformOp transform) {
        return decomposeWinogradInputTransformOp(rewriter, transform);
      })
      .Case([&](linalg::WinogradOutputTransformOp transform) {
        return decomposeWinogradOutputTransformOp(rewriter, transform);
      })
      .Case([&](linalg::PackOp pack) {
        return linalg::lowerPack(rewriter, pack);
      })
      .Case([&](linalg::UnPackOp unpack) {
        return linalg::lowerUnPack(rewriter, unpack);
      })
      .Default([&](Operation *other) {
        return rewriter.notifyMatchFailure(other, "has no decomposition");
      });
}

namespace {
struct DecomposeLinalg
    : lattn::impl::LattnDecomposeLinalgPassBase<DecomposeLinalg> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<DestinationStyleOpInterface> ops;
    getOperation()->walk([&](DestinationStyleOpInterface op) {
      if (isa<linalg::LinalgDialect>(op->getDialect()) &&
          op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      (void)decomposeLinalg(rewriter, op); // lattn-check-lowered names the rest
  }
};
} // namespace

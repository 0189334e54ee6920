//===- SeparateStarts.cpp - A start of its own for each sum ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sums that start with the same fill share it after CSE. Bufferization would
// fill one buffer and copy it for each of the others.

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSEPARATESTARTSPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

/// A copy of what makes `start` of an empty tensor; nothing if it is made of
/// another one.
static Value copyStart(RewriterBase &rewriter, Value start) {
  Operation *op = start.getDefiningOp();
  if (!isa_and_nonnull<linalg::FillOp, linalg::BroadcastOp,
                       tensor::ExtractSliceOp, tensor::EmptyOp>(op))
    return {};
  Operation *copy = rewriter.clone(*op);
  if (isa<tensor::EmptyOp>(op))
    return copy->getResult(0);
  OpOperand &target =
      isa<tensor::ExtractSliceOp>(op)
          ? copy->getOpOperand(0)
          : *cast<DestinationStyleOpInterface>(copy).getDpsInitOperand(0);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(copy);
  Value inner = copyStart(rewriter, target.get());
  if (!inner) {
    rewriter.eraseOp(copy);
    return {};
  }
  target.set(inner);
  return copy->getResult(0);
}

namespace {
struct SeparateStarts
    : lattn::impl::LattnSeparateStartsPassBase<SeparateStarts> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<OpOperand *> shared;
    getOperation()->walk([&](linalg::LinalgOp op) {
      for (OpOperand &init : op.getDpsInitsMutable())
        if (isa_and_nonnull<linalg::FillOp, linalg::BroadcastOp>(
                init.get().getDefiningOp()))
          shared.push_back(&init);
    });
    // The first one keeps what is there.
    for (OpOperand *init : llvm::reverse(shared)) {
      if (init->get().hasOneUse())
        continue;
      rewriter.setInsertionPoint(init->getOwner());
      if (Value copy = copyStart(rewriter, init->get()))
        init->set(copy);
    }
  }
};
} // namespace

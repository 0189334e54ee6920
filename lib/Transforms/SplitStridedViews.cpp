//===- SplitStridedViews.cpp - Views with strides keep their rank ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream finds the axes that a memref.subview drops by comparing the strides
// of both types, without those of the op. If the op has strides, and an axis of
// extent 1 stays, SubViewOp::getDroppedDims reads what is not there.

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPLITSTRIDEDVIEWSPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

namespace {

struct SplitView : OpRewritePattern<memref::SubViewOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(memref::SubViewOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getType().getRank() == op.getSourceType().getRank())
      return rewriter.notifyMatchFailure(op, "keeps its rank");
    if (op.hasUnitStride())
      return rewriter.notifyMatchFailure(op, "has no strides");
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    Value whole = memref::SubViewOp::create(
        rewriter, op.getLoc(), op.getSource(), op.getMixedOffsets(), sizes,
        op.getMixedStrides());
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<memref::SubViewOp>(op, op.getType(), whole,
                                                   zeros, sizes, ones);
    return success();
  }
};

struct SplitStridedViews
    : lattn::impl::LattnSplitStridedViewsPassBase<SplitStridedViews> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitView>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

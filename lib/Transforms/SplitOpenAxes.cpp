//===- SplitOpenAxes.cpp - Axes split by several open extents -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's expand-strided-metadata reads no output_shape: it computes the one
// open extent of an axis from the others, and crashes where there are two.

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPLITOPENAXESPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

/// Strides of a strided array of these extents, whose axes split those of
/// `strides`.
static SmallVector<OpFoldResult> splitStrides(RewriterBase &rewriter,
                                              memref::ExpandShapeOp op,
                                              ArrayRef<OpFoldResult> strides,
                                              ArrayRef<OpFoldResult> sizes) {
  AffineExpr product =
      rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
  SmallVector<OpFoldResult> split(sizes.size());
  for (auto [stride, group] :
       llvm::zip_equal(strides, op.getReassociationIndices())) {
    OpFoldResult next = stride;
    for (int64_t axis : llvm::reverse(group)) {
      split[axis] = next;
      next = affine::makeComposedFoldedAffineApply(
          rewriter, op.getLoc(), product, {next, sizes[axis]});
    }
  }
  return split;
}

namespace {
struct SplitOpenAxis : OpRewritePattern<memref::ExpandShapeOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    auto isOpen = [&](int64_t axis) { return type.isDynamicDim(axis); };
    if (llvm::none_of(op.getReassociationIndices(),
                      [&](ArrayRef<int64_t> axes) {
                        return llvm::count_if(axes, isOpen) > 1;
                      }))
      return rewriter.notifyMatchFailure(op, "one open extent at most");
    SmallVector<int64_t> known;
    int64_t offset;
    if (failed(type.getStridesAndOffset(known, offset)))
      return rewriter.notifyMatchFailure(op, "its layout has no strides");
    auto source = memref::ExtractStridedMetadataOp::create(
        rewriter, op.getLoc(), op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides =
        splitStrides(rewriter, op, source.getConstifiedMixedStrides(), sizes);
    for (auto [stride, value] : llvm::zip_equal(strides, known))
      if (ShapedType::isStatic(value))
        stride = rewriter.getIndexAttr(value);
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), source.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }
};

struct SplitOpenAxes : lattn::impl::LattnSplitOpenAxesPassBase<SplitOpenAxes> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitOpenAxis>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace

//===- AttentionCanonicalize.cpp - Canonicalization of lattn.attention ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace lattn;

namespace {

/// attention {causal, window} -> attention {window with right = 0}
struct FoldCausalIntoWindow : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getCausal())
      return rewriter.notifyMatchFailure(op, "not causal");
    rewriter.modifyOpInPlace(op, [&] {
      op.setWindowAttr(op.getEffectiveWindow());
      op.setCausal(false);
    });
    return success();
  }
};

/// attention {window that hides nothing} -> attention
struct DropFullWindow : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    WindowAttrInterface window = op.getWindowAttr();
    if (!window)
      return rewriter.notifyMatchFailure(op, "no window");
    if (!hidesNothing(op, window))
      return rewriter.notifyMatchFailure(op, "window may hide keys");
    rewriter.modifyOpInPlace(op, [&] { op.removeWindowAttr(); });
    return success();
  }

private:
  static bool hidesNothing(AttentionOp op, WindowAttrInterface window) {
    if (!window.getLowerBounds().getNumResults() &&
        !window.getUpperBounds().getNumResults())
      return true;
    unsigned axis = op.getPositionAxis();
    int64_t queries =
        cast<ShapedType>(op.getQuery().getType()).getDimSize(axis);
    int64_t keys = cast<ShapedType>(op.getKey().getType()).getDimSize(axis);
    if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys) ||
        !op.getOrigin().empty())
      return false;
    if (queries == 0 || keys == 0)
      return true;
    APInt offset(64, keys - queries, /*isSigned=*/true);
    if (op.getOffset() ? !matchPattern(op.getOffset(), m_ConstantInt(&offset))
                       : bool(op.getKvLens()))
      return false;
    int64_t first = offset.getSExtValue();
    constexpr int64_t limit = WindowAttr::kMaxExtent;
    if (first < -limit || first > limit || queries > limit)
      return false; // bounds might overflow
    return coversAll(window, first, first + queries - 1, keys);
  }
};

/// attention(query * c) -> attention(query) {scale * c}
struct FoldScale : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    auto multiply = op.getQuery().getDefiningOp<arith::MulFOp>();
    if (!multiply)
      return rewriter.notifyMatchFailure(op, "query is no product");
    auto type = cast<RankedTensorType>(multiply.getType());
    // In f16 and bf16 the product rounds: folding would change the numbers.
    if (type.getElementTypeBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "query is narrower than f32");
    DenseElementsAttr factor;
    if (!matchPattern(multiply.getRhs(), m_Constant(&factor)) ||
        !factor.isSplat())
      return rewriter.notifyMatchFailure(op, "factor is no constant splat");
    std::optional<double> scale = getStaticScale(op, type.getDimSize(3));
    if (!scale)
      return rewriter.notifyMatchFailure(op, "head size is not known");
    double folded = *scale * factor.getSplatValue<APFloat>().convertToDouble();
    if (!std::isfinite(folded))
      return rewriter.notifyMatchFailure(op, "folded scale is not finite");
    rewriter.modifyOpInPlace(op, [&] {
      op.getQueryMutable().assign(multiply.getLhs());
      op.setScaleAttr(rewriter.getF64FloatAttr(folded));
    });
    return success();
  }
};

/// attention with a mask that shows all keys, a bias of zeros, a dropout of 0,
/// or a region that yields the score -> attention without it
struct DropIdleOperands : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    bool hasMask = op.getKeyMask() && isSplat(op.getKeyMask(), m_One());
    bool hasBias = op.getBias() && isSplat(op.getBias(), m_AnyZeroFloat());
    bool hasDropout = !op.getDropout().empty() &&
                      matchPattern(op.getDropout()[0], m_AnyZeroFloat());
    bool hasScore = yieldsScore(op.getScore());
    if (!hasMask && !hasBias && !hasDropout && !hasScore)
      return rewriter.notifyMatchFailure(op, "each operand may count");
    rewriter.modifyOpInPlace(op, [&] {
      if (hasMask)
        op.getKeyMaskMutable().clear();
      if (hasBias) {
        op.getBiasMutable().clear();
        op.removeBiasMapAttr();
      }
      if (hasDropout)
        op.getDropoutMutable().clear();
      if (hasScore) {
        op.getCapturesMutable().clear();
        rewriter.eraseBlock(&op.getScore().front());
      }
    });
    return success();
  }

private:
  template <typename Matcher> static bool isSplat(Value array, Matcher match) {
    DenseElementsAttr elements;
    return matchPattern(array, m_Constant(&elements)) && elements.isSplat() &&
           matchPattern(array, match);
  }
  static bool yieldsScore(Region &score) {
    return !score.empty() && score.front().getTerminator()->getOperand(0) ==
                                 score.front().getArgument(0);
  }
};

/// Head sizes that one array's type tells and another's does not: kernels need
/// them all. (Of other extents, operands that are not cast would have to
/// agree.)
struct ShareHeadSizes : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<TensorType>(op.getQuery().getType()))
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    bool changed =
        share(rewriter, op, op.getQueryMutable(), op.getKeyMutable());
    changed |= share(rewriter, op, op.getValueMutable(), op.getOutputMutable());
    return success(changed);
  }

private:
  static bool share(PatternRewriter &rewriter, AttentionOp op, OpOperand &one,
                    OpOperand &other) {
    auto sizeOf = [](OpOperand &array) {
      return cast<ShapedType>(array.get().getType()).getShape().back();
    };
    int64_t a = sizeOf(one), b = sizeOf(other);
    if (ShapedType::isDynamic(a) == ShapedType::isDynamic(b))
      return false;
    if (ShapedType::isDynamic(a))
      castTo(rewriter, op, one, b);
    else
      castTo(rewriter, op, other, a);
    return true;
  }

  static void castTo(PatternRewriter &rewriter, AttentionOp op,
                     OpOperand &array, int64_t size) {
    auto old = cast<RankedTensorType>(array.get().getType());
    SmallVector<int64_t> shape(old.getShape());
    shape.back() = size;
    auto type = old.clone(shape);
    rewriter.setInsertionPoint(op);
    Value cast =
        tensor::CastOp::create(rewriter, op.getLoc(), type, array.get());
    rewriter.modifyOpInPlace(op, [&] { array.set(cast); });
    if (!op.isDpsInit(&array))
      return;
    OpResult result = op.getTiedOpResult(&array);
    rewriter.modifyOpInPlace(op, [&] { result.setType(type); });
    rewriter.setInsertionPointAfter(op);
    auto back = tensor::CastOp::create(rewriter, op.getLoc(), old, result);
    rewriter.replaceAllUsesExcept(result, back, back);
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<FoldCausalIntoWindow, DropFullWindow, DropIdleOperands, FoldScale,
              ShareHeadSizes>(context);
}

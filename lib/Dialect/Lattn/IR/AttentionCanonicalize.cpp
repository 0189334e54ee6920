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
    if (first < -WindowAttr::kMaxExtent || first > WindowAttr::kMaxExtent)
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

/// Extents that one array's type tells and another's does not: the other is
/// cast to the type that does.
struct ShareExtents : OpRewritePattern<AttentionOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<TensorType>(op.getQuery().getType()))
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    enum Extent { Batch, Head, KVHead, Query, Key, HeadDim, ValueDim, Count };
    unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
    auto axes = [&](Extent heads, Extent rows, Extent width) {
      SmallVector<Extent> extents(4, Batch);
      extents[head] = heads;
      extents[position] = rows;
      extents[3] = width;
      return extents;
    };
    std::pair<OpOperand *, SmallVector<Extent>> arrays[] = {
        {&op.getQueryMutable(), axes(Head, Query, HeadDim)},
        {&op.getKeyMutable(), axes(KVHead, Key, HeadDim)},
        {&op.getValueMutable(), axes(KVHead, Key, ValueDim)},
        {op.getDpsInitOperand(0), axes(Head, Query, ValueDim)},
        {op.getLse() ? op.getDpsInitOperand(1) : nullptr,
         {Batch, Head, Query}}};
    SmallVector<int64_t> known(Count, ShapedType::kDynamic);
    for (auto &[operand, extents] : arrays)
      if (operand)
        for (auto [extent, size] : llvm::zip_equal(
                 extents,
                 cast<ShapedType>(operand->get().getType()).getShape()))
          if (ShapedType::isStatic(size))
            known[extent] = size;
    bool changed = false;
    for (auto &[operand, extents] : arrays) {
      if (!operand)
        continue;
      auto type = cast<RankedTensorType>(operand->get().getType());
      auto shape = llvm::map_to_vector(
          extents, [&](Extent extent) { return known[extent]; });
      if (ArrayRef(shape) == type.getShape())
        continue;
      changed = true;
      share(rewriter, op, *operand, type.clone(shape));
    }
    return success(changed);
  }

private:
  static void share(PatternRewriter &rewriter, AttentionOp op,
                    OpOperand &operand, RankedTensorType type) {
    rewriter.setInsertionPoint(op);
    Type old = operand.get().getType();
    Value cast =
        tensor::CastOp::create(rewriter, op.getLoc(), type, operand.get());
    rewriter.modifyOpInPlace(op, [&] { operand.set(cast); });
    if (!op.isDpsInit(&operand))
      return;
    OpResult result = op.getTiedOpResult(&operand);
    rewriter.modifyOpInPlace(op, [&] { result.setType(type); });
    rewriter.setInsertionPointAfter(op);
    auto back = tensor::CastOp::create(rewriter, op.getLoc(), old, result);
    rewriter.replaceAllUsesExcept(result, back, back);
  }
};

} // namespace

void AttentionOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<FoldCausalIntoWindow, DropFullWindow, FoldScale, ShareExtents>(
      context);
}

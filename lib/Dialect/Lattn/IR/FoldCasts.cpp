//===- FoldCasts.cpp - Folds casts of tensors and memrefs into attention --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream folds tensor.cast into any op in destination style, by cloning it.
// That cannot clone an empty score region, and leaves the region's arguments
// with the old types of captures. This pattern goes first. Casts of memrefs it
// folds into its own ops only.

#include "EmptyArrays.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace lattn;

namespace {

/// attention(tensor.cast(x), ...) -> tensor.cast(attention(x, ...))
struct FoldTensorCasts : OpInterfaceRewritePattern<AttentionOpInterface> {
  FoldTensorCasts(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(AttentionOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!tensor::hasFoldableTensorCastOperand(op))
      return rewriter.notifyMatchFailure(op, "no cast to fold");
    auto destination = cast<DestinationStyleOpInterface>(op.getOperation());
    SmallVector<Type> types(op->result_type_begin(), op->result_type_end());
    SmallVector<Value> operands =
        tensor::getUpdatedOperandsAfterCastOpFolding(destination, types);
    OperationState state(op.getLoc(), op->getName(), operands, types);
    state.addRegion();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    state.addAttributes(llvm::to_vector(op->getDiscardableAttrs()));
    auto newOp = cast<AttentionOpInterface>(rewriter.create(state));
    moveRegion(op, newOp, rewriter);
    SmallVector<Value> results;
    for (auto [old, result] :
         llvm::zip_equal(op->getResults(), newOp->getResults()))
      results.push_back(rewriter.createOrFold<tensor::CastOp>(
          op.getLoc(), old.getType(), result));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Moves the score region; its last arguments take the captures' new types.
  static void moveRegion(AttentionOpInterface from, AttentionOpInterface to,
                         PatternRewriter &rewriter) {
    Region &region = to.getScore();
    rewriter.inlineRegionBefore(from.getScore(), region, region.end());
    if (region.empty())
      return;
    auto arguments = region.getArguments().take_back(to.getCaptures().size());
    for (auto [argument, capture] :
         llvm::zip_equal(arguments, to.getCaptures()))
      argument.setType(capture.getType());
  }
};

/// online_attention(memref.cast(x)) -> online_attention(x) where x's type says
/// more, as that of a tile in the interior does.
struct FoldMemRefCasts : OpRewritePattern<OnlineAttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(OnlineAttentionOp op,
                                PatternRewriter &rewriter) const override {
    bool folded = false;
    for (OpOperand *operand :
         {&op.getQueryMutable(), &op.getKeyMutable(), &op.getValueMutable()}) {
      auto cast = operand->get().getDefiningOp<memref::CastOp>();
      if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand->set(cast.getSource()); });
      folded = true;
    }
    if (!folded)
      return rewriter.notifyMatchFailure(op, "no cast to fold");
    return success();
  }
};

} // namespace

void LattnDialect::getCanonicalizationPatterns(
    RewritePatternSet &results) const {
  results.add<FoldTensorCasts, FoldMemRefCasts>(getContext());
  addEmptyArrayPatterns(results);
}

//===- RowShapes.cpp - Batches and lengths of token-wise work -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What lattn-fuse-rows changes before it looks for chains: where batches and
// rows lie, and what says how many there are.

#include "RowChain.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace lattn;

/// Whether a reshape only splits or merges leading axes: batches and rows.
template <typename Reshape> static bool isOfBatches(Reshape reshape) {
  SmallVector<ReassociationIndices> groups = reshape.getReassociationIndices();
  return llvm::all_of(
      ArrayRef(groups).drop_front(),
      [](ArrayRef<int64_t> group) { return group.size() == 1; });
}

void lattn::resolveLengths(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, root->getContext());
  (void)applyPatternsGreedily(root, std::move(patterns));
}

void lattn::mergeBatches(Operation *root) {
  MLIRContext *context = root->getContext();
  auto isBesideProduct = [](OpOperand *operand) {
    auto isLinalg = [](Operation *op) {
      return isa_and_nonnull<linalg::LinalgOp>(op);
    };
    if (auto merge = dyn_cast<tensor::CollapseShapeOp>(operand->getOwner()))
      return isOfBatches(merge) && llvm::any_of(merge->getUsers(), isLinalg);
    auto split = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
    return split && isOfBatches(split) &&
           isLinalg(split.getSrc().getDefiningOp());
  };
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, isBesideProduct);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyPatternsGreedily(root, std::move(patterns));
}

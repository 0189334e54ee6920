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

/// Sums that keep their axis as one of extent 1, whose maps have a constant:
/// upstream's tiling refuses them.
static void dropKeptAxes(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (op.hasPureTensorSemantics() &&
        llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return !map.isProjectedPermutation();
        }))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, op, linalg::ControlDropUnitDims());
    if (succeeded(dropped))
      rewriter.replaceOp(op, dropped->replacements);
  }
}

namespace {
/// matmul(x, transpose(w)) -> matmul of x and w by another map: the kernel
/// reads either. Upstream makes transposes of such maps, but not the reverse.
template <typename Matmul>
struct FoldTransposedRight : OpRewritePattern<Matmul> {
  using OpRewritePattern<Matmul>::OpRewritePattern;
  LogicalResult matchAndRewrite(Matmul op,
                                PatternRewriter &rewriter) const override {
    OpOperand *right = op.getDpsInputOperand(1);
    auto transpose = right->get().template getDefiningOp<linalg::TransposeOp>();
    if (!transpose || !op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "it has no transposed operand");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    ArrayRef<int64_t> axes = transpose.getPermutation();
    for (int64_t batch = 0; batch < int64_t(axes.size()) - 2; ++batch)
      if (axes[batch] != batch)
        return rewriter.notifyMatchFailure(op, "batches are transposed, too");
    SmallVector<AffineExpr> read(maps[1].getResults());
    maps[1] =
        AffineMap::get(maps[1].getNumDims(), 0,
                       applyPermutation(read, invertPermutationVector(axes)),
                       rewriter.getContext());
    rewriter.modifyOpInPlace(op, [&] {
      right->set(transpose.getInput());
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};
} // namespace

void lattn::foldTransposedWeights(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<FoldTransposedRight<linalg::MatmulOp>,
               FoldTransposedRight<linalg::BatchMatmulOp>>(root->getContext());
  (void)applyPatternsGreedily(root, std::move(patterns));
}

void lattn::mergeBatches(Operation *root) {
  dropKeptAxes(root);
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

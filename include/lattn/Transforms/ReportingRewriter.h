//===- ReportingRewriter.h - Tells users why a pass failed ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TRANSFORMS_REPORTINGREWRITER_H
#define LATTN_TRANSFORMS_REPORTINGREWRITER_H

#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// A rewriter that keeps the last reason for not matching, so that the user can
/// be told.
class ReportingRewriter : public mlir::IRRewriter,
                          private mlir::RewriterBase::Listener {
public:
  explicit ReportingRewriter(mlir::MLIRContext *context)
      : IRRewriter(context, this) {}
  /// Emits the reason as an error on `op`.
  mlir::WalkResult fail(mlir::Operation *op);
  llvm::StringRef getReason() const { return reason; }
  void clearReason() { reason.clear(); }

private:
  void notifyMatchFailure(
      mlir::Location loc,
      llvm::function_ref<void(mlir::Diagnostic &)> callback) override;
  std::string reason;
};

/// All ops of a kind under `root`.
template <typename Op> llvm::SmallVector<Op> collectOps(mlir::Operation *root) {
  llvm::SmallVector<Op> ops;
  root->walk([&](Op op) { ops.push_back(op); });
  return ops;
}

/// Applies `expand` to all ops of a kind under `root`. Fails with an error on
/// the first op that it does not take.
template <typename Op>
mlir::LogicalResult expandAll(
    mlir::Operation *root,
    llvm::function_ref<mlir::LogicalResult(mlir::RewriterBase &, Op)> expand) {
  ReportingRewriter rewriter(root->getContext());
  for (Op op : collectOps<Op>(root))
    if (failed(expand(rewriter, op))) {
      rewriter.fail(op);
      return mlir::failure();
    }
  return mlir::success();
}

} // namespace lattn

#endif // LATTN_TRANSFORMS_REPORTINGREWRITER_H

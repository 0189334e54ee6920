//===- Raise.h - Attention in programs of linalg ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RAISE_RAISE_H
#define LATTN_RAISE_RAISE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// Replaces `product` by lattn.attention if it is a product of a softmax's
/// weights and values. If there is a softmax, but a proof fails, it fails with
/// a reason (`notifyMatchFailure`). If there is none, it fails without a
/// reason.
mlir::LogicalResult raiseAttention(mlir::RewriterBase &rewriter,
                                   mlir::linalg::LinalgOp product);

/// Gives `op`, a `lattn.attention` or its gradients without a window, the
/// window that hides the pairs whose scores its score region sets to -inf, as
/// far as that is proven.
mlir::LogicalResult raiseScoreMask(mlir::RewriterBase &rewriter,
                                   mlir::Operation *op);

} // namespace lattn

#endif // LATTN_RAISE_RAISE_H

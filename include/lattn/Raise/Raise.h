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

/// `op` is a `lattn.attention`, or its gradients, without a window. If its
/// score region sets scores to -inf, gives it the largest window that is proven
/// to hide only such pairs.
mlir::LogicalResult raiseScoreMask(mlir::RewriterBase &rewriter,
                                   mlir::Operation *op);

} // namespace lattn

#endif // LATTN_RAISE_RAISE_H

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

/// Makes lattn.attention of `product`, if it is that of softmax's weights and
/// values. Failure with a reason (`notifyMatchFailure`) where there is a
/// softmax and something is not proven, and without one where there is none.
mlir::LogicalResult raiseAttention(mlir::RewriterBase &rewriter,
                                   mlir::linalg::LinalgOp product);

/// Makes the window of `op`, a `lattn.attention` or its gradients without one,
/// of what its score region hides by -inf, as far as it is proven.
mlir::LogicalResult raiseScoreMask(mlir::RewriterBase &rewriter,
                                   mlir::Operation *op);

} // namespace lattn

#endif // LATTN_RAISE_RAISE_H

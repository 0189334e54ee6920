//===- LinalgKernel.h - Elementwise ops and reductions ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_LINALGKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_LINALGKERNEL_H

#include "VectorUnit.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// Replaces `op`, on buffers, by loops of which the innermost is one over
/// vectors: elementwise work, broadcasts, and reductions. Fails where vectors
/// would not lie one after the other, or where the body has ops that vectors do
/// not have.
mlir::LogicalResult lowerLinalg(mlir::RewriterBase &rewriter,
                                mlir::linalg::LinalgOp op, VectorUnit unit);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_LINALGKERNEL_H

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

/// Replaces `op`, on buffers, by loops. The innermost one runs over vectors,
/// for elementwise work, broadcasts and reductions. Fails if the elements of a
/// vector would not be adjacent, or if the body has ops that do not exist on
/// vectors.
mlir::LogicalResult lowerLinalg(mlir::RewriterBase &rewriter,
                                mlir::linalg::LinalgOp op, VectorUnit unit);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_LINALGKERNEL_H

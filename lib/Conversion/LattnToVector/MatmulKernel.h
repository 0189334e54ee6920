//===- MatmulKernel.h - Kernel of a tile of a matrix product ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H

#include "KernelFunctions.h"
#include "VectorUnit.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace lattn {

mlir::LogicalResult lowerMatmul(mlir::RewriterBase &rewriter,
                                mlir::linalg::LinalgOp op, VectorUnit unit,
                                KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H

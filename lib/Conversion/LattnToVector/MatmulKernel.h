//===- MatmulKernel.h - Kernel of a tile of a matrix product ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H

#include "KernelBuilder.h"
#include "KernelFunctions.h"
#include "VectorUnit.h"
#include "lattn/Target/MatmulBlock.h"

namespace lattn {

/// The body of a kernel. `arguments` are A, B, C, which are matrices with any
/// strides, and whether C is fresh, so that its old contents do not count.
/// `tile` of B is packed at a time. `bf16` says how matrices of bf16 are
/// multiplied.
/// packed at a time. `bf16`: how matrices of bf16 are multiplied.
void buildMatmulKernel(KernelBuilder &k, KernelFunctions &functions,
                       MatmulBlock block, MatmulTileOfB tile, BF16Products bf16,
                       mlir::ValueRange arguments);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_MATMULKERNEL_H

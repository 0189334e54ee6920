//===- RowKernels.h - Kernels along rows: rotary, l2_normalize --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWKERNELS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWKERNELS_H

#include "KernelBuilder.h"

namespace lattn {

/// Loops over all axes but `rowAxis` and the last. `body` gets the matrices
/// (row, element) of input and output at these coordinates.
void forEachMatrix(
    KernelBuilder &k, mlir::Value input, mlir::Value output, unsigned rowAxis,
    llvm::function_ref<void(mlir::Value input, mlir::Value output)> body);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWKERNELS_H

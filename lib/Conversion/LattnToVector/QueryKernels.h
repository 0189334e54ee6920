//===- QueryKernels.h - Kernels of pack_query and finalize ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_QUERYKERNELS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_QUERYKERNELS_H

#include "KernelFunctions.h"
#include "VectorUnit.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

mlir::LogicalResult lowerPackQuery(mlir::RewriterBase &rewriter, PackQueryOp op,
                                   VectorUnit unit, KernelFunctions &functions);
mlir::LogicalResult lowerFinalize(mlir::RewriterBase &rewriter, FinalizeOp op,
                                  VectorUnit unit, KernelFunctions &functions);
/// Of a state that holds the values of a query in a row.
mlir::LogicalResult lowerFinalizeRows(mlir::RewriterBase &rewriter,
                                      FinalizeOp op, VectorUnit unit,
                                      KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_QUERYKERNELS_H

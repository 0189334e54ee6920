//===- GlobalMatrix.h - A matrix in global memory ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_FRAGMENTTONVVM_GLOBALMATRIX_H
#define LATTN_LIB_CONVERSION_FRAGMENTTONVVM_GLOBALMATRIX_H

#include "mlir/IR/Builders.h"

namespace lattn::fragment {

/// Sizes and strides of a matrix in global memory, and whether its rows allow
/// access to `bytes` at a time.
struct GlobalMatrix {
  GlobalMatrix(mlir::OpBuilder &b, mlir::Location loc, mlir::Value matrix,
               int64_t bytes);
  /// The matrix, typed for rows without gaps between elements.
  mlir::Value getDense();

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value matrix, base, offset;
  llvm::SmallVector<mlir::Value> sizes, strides;
  mlir::Value aligned; // i1
};

} // namespace lattn::fragment

#endif // LATTN_LIB_CONVERSION_FRAGMENTTONVVM_GLOBALMATRIX_H

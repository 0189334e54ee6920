//===- Generic.h - linalg.generic of one output -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_GENERIC_H
#define LATTN_DIALECT_LATTN_IR_GENERIC_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace lattn {

/// Computes an element of the output from elements of the inputs and from the
/// old element of the output.
using ElementBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

/// `maps` are those of `ins` and `out`. All loops are parallel. With `reduce`
/// the last one is a reduction.
mlir::Value buildGeneric(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::ValueRange ins, mlir::Value out,
                         llvm::ArrayRef<mlir::AffineMap> maps, ElementBody body,
                         bool reduce = false);
mlir::Value buildGeneric(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::ValueRange ins, mlir::Value out,
                         llvm::ArrayRef<mlir::AffineMap> maps,
                         llvm::ArrayRef<mlir::utils::IteratorType> kinds,
                         ElementBody body);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_GENERIC_H

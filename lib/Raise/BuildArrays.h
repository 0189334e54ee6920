//===- BuildArrays.h - Arrays beside query, key and value -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_BUILDARRAYS_H
#define LATTN_LIB_RAISE_BUILDARRAYS_H

#include "Operands.h"

namespace lattn::raise {

/// (batch, keys) of i1, true where all conditions hold.
mlir::Value buildKeyMask(mlir::OpBuilder &b, mlir::Location loc,
                         const Frame &frame, mlir::FloatType accumulator,
                         llvm::ArrayRef<Expr> conditions);

/// (heads)
mlir::Value buildSink(mlir::OpBuilder &b, mlir::Location loc,
                      const Frame &frame, mlir::FloatType accumulator,
                      Expr sink);

/// Captures a scalar that the region reads as an array of one element.
mlir::Value buildCapture(mlir::OpBuilder &b, mlir::Location loc, Expr scalar);

/// Writes NaN to the rows of `output` whose log-sum-exp is -inf.
mlir::Value replaceEmptyRows(mlir::OpBuilder &b, mlir::Location loc,
                             mlir::Value output, mlir::Value lse, bool isBnhd);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_BUILDARRAYS_H

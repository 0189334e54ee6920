//===- Keep.h - What gradient functions do not compute again ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIFFERENTIATION_KEEP_H
#define LATTN_LIB_DIFFERENTIATION_KEEP_H

#include "lattn/Differentiation/Function.h"

namespace lattn {

/// A function that computes its results and then gradients.
struct ReverseFunction {
  mlir::func::FuncOp function;
  /// The arguments before the cotangents.
  unsigned numArguments;
  llvm::ArrayRef<mlir::Value> results, gradients;
  /// The last operation of the results; null: none.
  mlir::Operation *last;
};

/// Lets `function` return `values`.
void setResults(mlir::func::FuncOp function, mlir::ValueRange values);

/// Splits `reverse` at the results of operations that `names` has. Its function
/// then returns the gradients alone, and takes these results in front of the
/// cotangents. Sets `forward` and `kept` of `derivative`.
void keepValues(ReverseFunction reverse, llvm::ArrayRef<llvm::StringRef> names,
                Derivative &derivative);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_KEEP_H

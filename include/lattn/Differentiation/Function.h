//===- Function.h - Derivatives of functions --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIFFERENTIATION_FUNCTION_H
#define LATTN_DIFFERENTIATION_FUNCTION_H

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lattn {

struct DifferentiateOptions {
  bool forward = false;
  /// By which arguments; empty: by all floats and tensors of floats.
  llvm::SmallVector<unsigned> arguments;
  /// The function also returns what it returned before, first.
  bool keepResults = false;
  /// Names of operations whose results a gradient function takes as arguments,
  /// behind its own, and does not compute again.
  llvm::SmallVector<llvm::StringRef> kept;
};

/// What `differentiate` made.
struct Derivative {
  /// The arguments by which it is taken.
  llvm::SmallVector<unsigned> arguments;
  /// With `kept`: a function beside no module that returns the results and,
  /// behind them, those kept values that are no results.
  mlir::func::FuncOp forward;
  /// The kept values, in the order of their operations: numbers of the results
  /// of `forward`.
  llvm::SmallVector<unsigned> kept;
};

/// Makes `function` its gradient function: it takes the cotangents of its float
/// results after its arguments, and returns those of the chosen arguments. Or,
/// forward, its tangent function: it takes the tangents of the chosen
/// arguments, and returns those of its float results.
mlir::FailureOr<Derivative> differentiate(mlir::func::FuncOp function,
                                          const DifferentiateOptions &options);

} // namespace lattn

#endif // LATTN_DIFFERENTIATION_FUNCTION_H

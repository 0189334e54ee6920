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
  /// The arguments to differentiate by; empty: all floats and tensors of
  /// floats.
  llvm::SmallVector<unsigned> arguments;
  /// The new function first returns what the function returned before.
  bool keepResults = false;
  /// Names of operations whose results a gradient function does not compute
  /// again. It takes them as arguments, after its own.
  llvm::SmallVector<llvm::StringRef> kept;
};

/// The result of `differentiate`.
struct Derivative {
  /// The arguments to which the derivatives belong.
  llvm::SmallVector<unsigned> arguments;
  /// With `kept`: a function outside of any module. It returns the results and
  /// then those kept values that are not results.
  mlir::func::FuncOp forward;
  /// The kept values, in the order of their operations: numbers of the results
  /// of `forward`.
  llvm::SmallVector<unsigned> kept;
};

/// In reverse mode, makes `function` its gradient function: it takes the
/// cotangents of its float results after its arguments, and returns the
/// cotangents of the chosen arguments. In forward mode, makes it its tangent
/// function: it takes the tangents of the chosen arguments, and returns the
/// tangents of its float results.
mlir::FailureOr<Derivative> differentiate(mlir::func::FuncOp function,
                                          const DifferentiateOptions &options);

} // namespace lattn

#endif // LATTN_DIFFERENTIATION_FUNCTION_H

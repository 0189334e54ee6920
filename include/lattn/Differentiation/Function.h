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

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace lattn {

struct DifferentiateOptions {
  bool forward = false;
  /// By which arguments; empty: by all floats and tensors of floats.
  llvm::SmallVector<unsigned> arguments;
  /// The function also returns what it returned before, first.
  bool keepResults = false;
};

/// Makes `function` its gradient function: it takes the cotangents of its float
/// results after its arguments, and returns those of the chosen arguments. Or,
/// forward, its tangent function: it takes the tangents of the chosen
/// arguments, and returns those of its float results.
llvm::LogicalResult differentiate(mlir::func::FuncOp function,
                                  const DifferentiateOptions &options);

} // namespace lattn

#endif // LATTN_DIFFERENTIATION_FUNCTION_H

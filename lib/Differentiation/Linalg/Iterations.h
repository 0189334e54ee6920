//===- Iterations.h - Iterations of a linalg op -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIFFERENTIATION_LINALG_ITERATIONS_H
#define LATTN_LIB_DIFFERENTIATION_LINALG_ITERATIONS_H

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace lattn {

/// How a linalg op makes a result from the terms of its iterations.
struct Combination {
  enum Kind {
    Single,  // each element comes from one iteration
    Sum,     // each iteration adds to the element
    Extreme, // the greatest or the least of `term`
    Other
  } kind = Other;
  mlir::Value term = {};
};
Combination getCombination(mlir::linalg::LinalgOp op, unsigned result);

/// Reads and writes arrays as the iterations of a linalg op do, in new ops of
/// the same iteration space.
class Iterations {
public:
  explicit Iterations(mlir::linalg::LinalgOp op);

  /// Adds an array that each iteration reads. Returns its place among the
  /// inputs.
  unsigned read(mlir::Value array, mlir::AffineMap map) {
    inputs.push_back(array);
    maps.push_back(map);
    return inputs.size() - 1;
  }

  /// Builds an array. `body` computes an element from the elements of the
  /// inputs, the arguments of the op's body and the array's old element, which
  /// `start` has at first. Loops that `map` does not have are summed.
  using Body = llvm::function_ref<mlir::FailureOr<mlir::Value>(
      mlir::OpBuilder &, mlir::ValueRange elements, mlir::ValueRange arguments,
      mlir::Value before)>;
  mlir::FailureOr<mlir::Value> build(mlir::OpBuilder &b, mlir::Value start,
                                     mlir::AffineMap map, Body body);

  /// The same, as loops in order. `body` gets the arrays and returns their new
  /// values.
  using LoopBody =
      llvm::function_ref<mlir::FailureOr<llvm::SmallVector<mlir::Value>>(
          mlir::OpBuilder &, mlir::ValueRange elements,
          mlir::ValueRange arguments, mlir::ValueRange arrays)>;
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  buildLoops(mlir::OpBuilder &b, mlir::ValueRange starts, LoopBody body);

private:
  /// The arguments of the op's body, computed from elements of the inputs.
  /// Destinations with which a sum or an extreme starts are zero.
  llvm::SmallVector<mlir::Value> getArguments(mlir::OpBuilder &b,
                                              mlir::ValueRange elements);

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<std::optional<unsigned>> places; // of the op's operands
};

/// Whether each iteration of `op` has an element of its own by `map`.
bool isPermutation(mlir::linalg::LinalgOp op, mlir::AffineMap map);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_LINALG_ITERATIONS_H

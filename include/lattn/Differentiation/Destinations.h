//===- Destinations.h - Functions that write to arguments -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIFFERENTIATION_DESTINATIONS_H
#define LATTN_DIFFERENTIATION_DESTINATIONS_H

#include "lattn/Differentiation/Function.h"

namespace lattn {

/// Remembers the memrefs of a function that becomes a function of tensors.
class Destinations {
public:
  /// Makes tensors of the memrefs among the arguments of `function`. The
  /// function may read them by bufferization.to_tensor and memref.dim, and
  /// write to them by bufferization.materialize_in_destination, whose values
  /// become its results. An error names any other use. A function without
  /// memrefs stays as it is.
  static mlir::FailureOr<Destinations> remove(mlir::func::FuncOp function);

  /// Whether `argument` is written.
  bool isWritten(unsigned argument) const {
    return llvm::is_contained(written, argument);
  }
  /// Makes memrefs of the arrays of `gradient`, the function's derivative in
  /// reverse mode, and of its results. A cotangent takes the place of each
  /// array that was written. Gradients are written to further arguments.
  void restoreGradient(mlir::func::FuncOp gradient,
                       const Derivative &derivative) const;
  /// Makes memrefs of the arrays of `tangent`, the function's derivative in
  /// forward mode. It writes tangents to further arguments. Without
  /// `keepResults` it does not take the arrays that the function writes.
  void restoreTangent(mlir::func::FuncOp tangent, const Derivative &derivative,
                      bool keepResults) const;
  /// Makes memrefs of the arrays of `derivative.forward`. Kept values are
  /// written to further arguments.
  void restoreForward(const Derivative &derivative) const;

  bool empty() const { return written.empty(); }

private:
  void readArguments(mlir::func::FuncOp function, unsigned begin) const;

  llvm::SmallVector<mlir::Type> types; // of the arguments
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  llvm::SmallVector<unsigned> written; // the argument of each result
};

} // namespace lattn

#endif // LATTN_DIFFERENTIATION_DESTINATIONS_H

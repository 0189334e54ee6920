//===- Extremes.h - Which elements are the greatest -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIFFERENTIATION_LINALG_EXTREMES_H
#define LATTN_LIB_DIFFERENTIATION_LINALG_EXTREMES_H

#include "Iterations.h"

namespace lattn {

/// The body of a linalg op. For a maximum or minimum (an extreme), it yields
/// the term that the op compares.
class TermBody {
public:
  explicit TermBody(mlir::linalg::LinalgOp op);
  mlir::Block &get() { return region.front(); }

private:
  mlir::Region region;
};

/// Whether `term` is the extreme `extreme`, as a condition.
mlir::Value buildIsExtreme(mlir::OpBuilder &b, mlir::Location loc,
                           mlir::Value term, mlir::Value extreme);

/// `x` divided by the number of iterations whose term equals result `result` of
/// `op`, an extreme. With `countStart`, an equal start value counts as well.
mlir::Value divideByTies(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                         unsigned result, mlir::Value x, bool countStart);

/// `x` where the start value of the extreme `result` of `op` is that extreme;
/// else zero.
mlir::Value takeAtStart(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                        unsigned result, mlir::Value x);

/// Applies `body` to the elements of arrays of one shape.
mlir::Value mapElements(
    mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange arrays,
    mlir::Type element,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_LINALG_EXTREMES_H

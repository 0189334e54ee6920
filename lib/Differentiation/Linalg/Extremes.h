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

/// The body of a linalg op, which yields for an extreme what it compares.
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

/// `x` divided by the number of iterations whose term is result `result` of
/// `op`, an extreme. With `countStart` what it starts with counts, too.
mlir::Value divideByTies(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                         unsigned result, mlir::Value x, bool countStart);

/// `x` where what the extreme `result` of `op` starts with is that extreme;
/// else zero.
mlir::Value takeAtStart(mlir::OpBuilder &b, mlir::linalg::LinalgOp op,
                        unsigned result, mlir::Value x);

/// `body` of the elements of arrays of one shape.
mlir::Value mapElements(
    mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange arrays,
    mlir::Type element,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body);

} // namespace lattn

#endif // LATTN_LIB_DIFFERENTIATION_LINALG_EXTREMES_H

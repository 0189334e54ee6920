//===- GradStep.h - A step of gradients as fragments ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADSTEP_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADSTEP_H

#include "TileMath.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// The step's result that is the gradients of scores.
inline constexpr unsigned kScoreGradients = 4;

/// What a block reads once: the operands of its rows, and, if these are
/// queries, their numbers.
struct ResidentRows {
  mlir::Value first, second; // query and d_output, or key and value
  mlir::Value exponents, rowSums;
};

/// A log-sum-exp as an exponent of 2, as weights need it. If scores of -inf are
/// all that a row has, it becomes +inf.
mlir::Value toExponents(TileMath &math, AttentionGradStepOp op,
                        mlir::Value lse);

/// Adds what the step `op` in the body of `sweep` contributes. `wanted` says
/// which of its results each of `sums`, which are tiles, is. With `skipZeros`
/// pairs without weight add nothing, even if their operands are NaN.
llvm::SmallVector<mlir::Value>
buildGradStep(TileMath &math, AttentionGradStepOp op, SweepKeysOp sweep,
              const ResidentRows &resident, bool skipZeros,
              llvm::ArrayRef<unsigned> wanted, mlir::ValueRange sums);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADSTEP_H

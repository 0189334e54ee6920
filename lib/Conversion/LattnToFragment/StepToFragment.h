//===- StepToFragment.h - A step over keys on fragments ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_STEPTOFRAGMENT_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_STEPTOFRAGMENT_H

#include "TileMath.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// How a step computes.
struct StepForm {
  /// Scores of any size: maxima are subtracted before anything else. They are
  /// scores; else they are exponents of 2, and kNoScore where there is none.
  bool anyScore = false;
  /// Values whose weight is 0 count as 0, even if they are NaN or infinite.
  bool skipZeros = false;
};

/// The state after the step `op` in the body of `sweep`, which carries the
/// state as tiles.
llvm::SmallVector<mlir::Value> buildStep(TileMath &math, OnlineAttentionOp op,
                                         SweepKeysOp sweep, mlir::Value query,
                                         StepForm form);

/// The tiles after a sweep on fragments, which starts from `tiles`. `convert`
/// builds the step of `sweep`, of which it gets a copy in the new sweep's body.
llvm::SmallVector<mlir::Value> convertSweep(
    mlir::OpBuilder &b, SweepKeysOp sweep, mlir::ValueRange bounds,
    llvm::ArrayRef<SweepRun> runs, int64_t keyTile, mlir::ValueRange tiles,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(AttentionOpInterface step,
                                                      SweepKeysOp converted)>
        convert);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_STEPTOFRAGMENT_H

//===- Projection.h - What surrounds attention in modules -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_PROJECTION_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_PROJECTION_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// x (B, N, K) times a weight (O, K) as torch's Linear keeps it, plus `bias`
/// (O) if there is one: (B, N, O) of the accumulator type.
mlir::Value project(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                    mlir::Value weight, mlir::Value bias = {});

/// (x - mean) / sqrt(variance + eps) * gain + bias along the last axis, of x's
/// type; without `bias` if there is none.
mlir::Value layerNorm(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      mlir::Value gain, mlir::Value bias, double eps);

/// What an elementwise function reads: `map` of the output's indices.
struct Indexed {
  mlir::Value array;
  mlir::AffineMap map;
};

/// `output` of what `body` gives for the elements of `inputs`, which come and
/// go in the accumulator type. With `reduce` the last axis is summed up, onto
/// `output`, of one axis less.
mlir::Value mapElements(
    mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Indexed> inputs,
    mlir::Value output,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body,
    bool reduce = false);

/// `x` of the type of `output`, which is overwritten if it must be converted.
mlir::Value convertTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      mlir::Value output);

/// Replaces `op`, on tensors, by the values that `build` gives before it; by
/// its destinations where there is nothing to compute.
mlir::LogicalResult
expandOp(mlir::RewriterBase &rewriter, mlir::DestinationStyleOpInterface op,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_PROJECTION_H

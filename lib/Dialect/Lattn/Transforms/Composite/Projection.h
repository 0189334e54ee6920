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

/// x (B, N, K) times a weight (O, K), in the form of torch's Linear, plus
/// `bias` (O) if there is one. The result (B, N, O) has the accumulator type.
mlir::Value project(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                    mlir::Value weight, mlir::Value bias = {});

/// (x - mean) / sqrt(variance + eps) * gain + bias along the last axis, in x's
/// type. There may be no `bias`.
mlir::Value layerNorm(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      mlir::Value gain, mlir::Value bias, double eps);

/// An input of an elementwise function. `map` maps the output's indices to its
/// own.
struct Indexed {
  mlir::Value array;
  mlir::AffineMap map;
};

/// Computes `output` from the elements of `inputs` by `body`, whose arguments
/// and results have the accumulator type. With `reduce` the last axis is summed
/// onto `output`, which has one axis less.
mlir::Value mapElements(
    mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Indexed> inputs,
    mlir::Value output,
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> body,
    bool reduce = false);

/// Converts `x` to the type of `output`. If that is another type, `output` is
/// overwritten.
mlir::Value convertTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value x,
                      mlir::Value output);

/// Replaces `op`, on tensors, by the values that `build` builds before it. If
/// there is nothing to compute, replaces it by its destinations.
mlir::LogicalResult
expandOp(mlir::RewriterBase &rewriter, mlir::DestinationStyleOpInterface op,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> build);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_PROJECTION_H

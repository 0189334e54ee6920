//===- Lowering.h - Ops become calls of vector kernels ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_LOWERING_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_LOWERING_H

#include "KernelBuilder.h"
#include "KernelFunctions.h"
#include "VectorUnit.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace lattn {

/// The common state of the lowerings of a module's ops.
struct Lowering {
  /// Replaces `op` by a call of a kernel. `build` builds the kernel in place of
  /// a copy of `op`, with vectors of `element`. `tag` is that of
  /// KernelFunctions.
  template <typename OpTy>
  void outline(OpTy op, llvm::StringRef name, int64_t tag, mlir::Type element,
               llvm::function_ref<void(KernelBuilder &, OpTy)> build) {
    functions.outline(rewriter, op, name, tag, [&](mlir::Operation *copy) {
      rewriter.setInsertionPoint(copy);
      KernelBuilder k(rewriter, op.getLoc(), element, unit.getLanes(element));
      build(k, mlir::cast<OpTy>(copy));
    });
  }

  /// The same for an op with at most `maxKeys` keys: the bound of `keys`, which
  /// are `key`'s rows if it is left out. Without a bound there is no kernel.
  template <typename OpTy>
  mlir::LogicalResult outlineByKeys(
      OpTy op, llvm::StringRef name,
      llvm::function_ref<void(KernelBuilder &, OpTy, int64_t maxKeys)> build) {
    return outlineByKeys<OpTy>(op, {op.getKey(), 0}, name, build);
  }
  template <typename OpTy>
  mlir::LogicalResult outlineByKeys(
      OpTy op, const mlir::ValueBoundsConstraintSet::Variable &keys,
      llvm::StringRef name,
      llvm::function_ref<void(KernelBuilder &, OpTy, int64_t maxKeys)> build) {
    mlir::FailureOr<int64_t> bound = getMostKeys(op, keys);
    if (failed(bound))
      return mlir::failure();
    outline<OpTy>(op, name, *bound, op.getAccumulatorType(),
                  [&](KernelBuilder &k, OpTy copy) {
                    build(k, copy, std::max<int64_t>(*bound, 1));
                  });
    return mlir::success();
  }

  mlir::FailureOr<int64_t>
  getMostKeys(mlir::Operation *op,
              const mlir::ValueBoundsConstraintSet::Variable &keys);

  mlir::RewriterBase &rewriter;
  VectorUnit unit;
  KernelFunctions &functions;
};

/// An op on buffers becomes a call of a kernel. stage_rows becomes code that
/// chooses a kernel.
mlir::LogicalResult lowerToVector(AttentionGradStepOp op, Lowering &to);
mlir::LogicalResult lowerToVector(AttentionJvpStepOp op, Lowering &to);
mlir::LogicalResult lowerToVector(FinalizeOp op, Lowering &to);
mlir::LogicalResult lowerToVector(L2NormalizeOp op, Lowering &to);
mlir::LogicalResult lowerToVector(OnlineAttentionOp op, Lowering &to);
mlir::LogicalResult lowerToVector(PackQueryOp op, Lowering &to);
mlir::LogicalResult lowerToVector(RotatePairsOp op, Lowering &to);
mlir::LogicalResult lowerToVector(StageRowsOp op, Lowering &to);
/// Lowers a matrix product for each batch. Removes a fill of its destination
/// with zeros right before it.
mlir::LogicalResult lowerToVector(mlir::linalg::LinalgOp op, Lowering &to);

/// The forms of finalize and online_attention that have features on the lanes.
mlir::LogicalResult lowerFinalizeRows(FinalizeOp op, Lowering &to);
mlir::LogicalResult lowerRowAttention(OnlineAttentionOp op, Lowering &to);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_LOWERING_H

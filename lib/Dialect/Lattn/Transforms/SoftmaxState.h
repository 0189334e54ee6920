//===- SoftmaxState.h - The state of an online softmax as IR ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SOFTMAXSTATE_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SOFTMAXSTATE_H

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// (acc, max, sum) of no keys: (0, -inf, 0). acc has the axes `rows` and, at
/// `valueAxis`, one of extent `width`.
llvm::SmallVector<mlir::Value>
buildEmptyState(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element,
                llvm::ArrayRef<mlir::OpFoldResult> rows,
                mlir::OpFoldResult width, int64_t valueAxis);

/// Puts the op's sink, one score for each head, into the state of no keys. max
/// and sum are (batch, head, query).
void addSink(mlir::OpBuilder &b, AttentionOp op,
             llvm::MutableArrayRef<mlir::Value> state);

/// The same for a state of rows of head `head`, if the op has a sink.
void addSink(mlir::OpBuilder &b, AttentionOp op, mlir::Value head,
             llvm::MutableArrayRef<mlir::Value> state);

/// The same for a state whose rows are heads from `firstHead` on.
void addSinkOfHeads(mlir::OpBuilder &b, AttentionOp op, mlir::Value firstHead,
                    llvm::MutableArrayRef<mlir::Value> state);

/// Whether lattn can lower `op` at all. If not, `rewriter` gets the reason.
mlir::LogicalResult requireLowerable(mlir::RewriterBase &rewriter,
                                     AttentionOp op);

/// Whether `op` can be tiled. If not, `rewriter` gets the reason.
mlir::LogicalResult requireTileable(mlir::RewriterBase &rewriter,
                                    AttentionOp op);

/// The same for tiles of these sizes.
mlir::LogicalResult requireTileable(mlir::RewriterBase &rewriter,
                                    AttentionOp op, TileSizes sizes);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_SOFTMAXSTATE_H

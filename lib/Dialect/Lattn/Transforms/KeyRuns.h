//===- KeyRuns.h - Which keys a tile of queries visits ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_KEYRUNS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_KEYRUNS_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"

namespace lattn {

/// A tile of `rows` queries of a batch, in local coordinates. `offset` is a
/// scalar, set if the op has a window.
struct QueryRows {
  mlir::Value batch, first, rows, offset;
};

/// Which steps apply a key mask. In those at edges alone, all steps of an op
/// with a key mask are at edges.
enum class MaskedSteps { Edges, All };

/// The keys that the tile visits, all in [0, numKeys]. With `onePosition` all
/// its queries stand at the same position.
TileKeyValues findTileKeys(mlir::OpBuilder &b, AttentionOpInterface op,
                           const QueryRows &tile, mlir::Value numKeys,
                           bool onePosition = false,
                           MaskedSteps masked = MaskedSteps::Edges);

/// Moves the first of `keys` back to a multiple of `unit`.
void beginAtMultiple(mlir::OpBuilder &b, mlir::Location loc,
                     TileKeyValues &keys, int64_t unit);

/// Builds a step over `size` keys from `key` on, and returns the next state.
using KeyStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value key, mlir::Value size, mlir::ValueRange state)>;

/// The state after the steps over `keys`, `keyTile` at a time, in runs: left
/// edge, interior, right edge. With a `unit`, which divides the key tile, steps
/// begin at its multiples, but perhaps the first. If queries stand at several
/// positions, `keys` must then begin at a multiple.
llvm::SmallVector<mlir::Value>
sweepKeys(mlir::OpBuilder &b, AttentionOpInterface op, TileKeyValues keys,
          int64_t keyTile, bool onePosition, mlir::ValueRange state,
          KeyStep step, int64_t unit = 0,
          MaskedSteps masked = MaskedSteps::Edges);

/// Builds a step over `size` queries from `query` on, of the head with number
/// `head` in its group. `edge` is false if no pair of the step is hidden.
using QueryStep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value head, mlir::Value query, mlir::Value size, mlir::Value edge,
    mlir::ValueRange state)>;

/// The state after the steps over `queries` of `heads` heads, `queryTile` at a
/// time, in one run: whether a step is at an edge is known when it begins. So
/// the queries of the next head come while those of one are used, and there is
/// one loop, whose addresses take fewer registers.
llvm::SmallVector<mlir::Value>
sweepQueries(mlir::OpBuilder &b, mlir::Location loc, TileKeyValues queries,
             int64_t queryTile, mlir::Value heads, mlir::ValueRange state,
             QueryStep step);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_KEYRUNS_H

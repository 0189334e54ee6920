//===- Scores.h - Scores as IR ----------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Computes scores from their coordinates, as IR over index values. All
// decompositions use this file. Vector code computes the same lane by lane
// (ScoreVectorizer.h).

#ifndef LATTN_DIALECT_LATTN_IR_SCORES_H
#define LATTN_DIALECT_LATTN_IR_SCORES_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// Global coordinates of a score, index values.
struct Coordinates {
  mlir::Value batch, head, query, key;
};

/// Local coordinates plus the op's origin.
Coordinates addOrigin(mlir::OpBuilder &b, mlir::Location loc,
                      AttentionOpInterface op, Coordinates local);

/// The position of query `query` in batch `batch`: offset + query, as index.
mlir::Value buildPosition(mlir::OpBuilder &b, mlir::Location loc,
                          mlir::Value offset, mlir::Value batch,
                          mlir::Value query);

/// The op's offset, or its default: kv_lens - N, or M - N without kv_lens, with
/// N and M along `positionAxis`. If `batch` is given, it is the op's only
/// batch, and the offset is a scalar. Null if that would need a new memref.
mlir::Value buildExplicitOffset(mlir::OpBuilder &b, AttentionOpInterface op,
                                unsigned positionAxis, mlir::Value batch = {});
inline mlir::Value buildExplicitOffset(mlir::OpBuilder &b, AttentionOp op,
                                       mlir::Value batch = {}) {
  return buildExplicitOffset(b, op, op.getPositionAxis(), batch);
}

/// `array[indices...]` from a tensor or memref.
mlir::Value readElement(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value array, mlir::ValueRange indices);

/// The number of `batch` in `array`, which has one for each batch. It is
/// computed again where arithmetic or lattn.pad_sequences computes the array,
/// so that no array is made, for which a kernel of a GPU would have to wait.
mlir::Value readBatchNumber(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value array, mlir::Value batch);

/// `value` extended or truncated to `type`.
mlir::Value convertFloat(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value value, mlir::Type type);

/// The factor on query.key: `scale`, or D^-0.5 if the op has none. Nothing if D
/// is not known.
std::optional<double> getStaticScale(AttentionOpInterface op, int64_t headDim);

/// That factor as a value of type `type`. If D is not known, IR computes it.
mlir::Value buildScale(mlir::OpBuilder &b, mlir::Location loc,
                       AttentionOpInterface op, mlir::OpFoldResult headDim,
                       mlir::Type type);

/// The score region applied to `score` (after scale) at `at`.
llvm::SmallVector<mlir::Value>
buildScoreRegion(mlir::OpBuilder &b, mlir::Location loc,
                 AttentionOpInterface op, mlir::Value score, Coordinates at);
mlir::Value buildModifiedScore(mlir::OpBuilder &b, mlir::Location loc,
                               AttentionOpInterface op, mlir::Value score,
                               Coordinates at);

/// The indices of the bias's element at `at`, by the op's bias map.
llvm::SmallVector<mlir::Value> buildBiasIndices(mlir::OpBuilder &b,
                                                mlir::Location loc,
                                                AttentionOpInterface op,
                                                Coordinates at);

/// Whether a tile of pairs has a tile of the bias, of elements of two bytes:
/// the last axes of the bias are those of queries and keys.
bool hasBiasTiles(AttentionOpInterface op);

/// The score at `at` before anything is hidden. `score` is a product before
/// scaling. It is scaled, goes through the score region, and gets its bias.
mlir::Value buildVisibleScore(mlir::OpBuilder &b, mlir::Location loc,
                              AttentionOpInterface op, mlir::Value score,
                              mlir::Value scale, Coordinates at);

/// The final score at `at`; -inf if the key is hidden. `score` is a product
/// before scaling. `offset` is the op's, and must be explicit if the op has a
/// window.
mlir::Value buildScore(mlir::OpBuilder &b, mlir::Location loc,
                       AttentionOpInterface op, mlir::Value score,
                       mlir::Value scale, mlir::Value offset, Coordinates at);

/// The key head that query head `head` reads: head / (heads / kvHeads).
mlir::Value buildKvHead(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value head, mlir::Value heads,
                        mlir::Value kvHeads);

/// exp(x - max). If both are -inf (no scores), the result is 0.
mlir::Value buildExpDifference(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value x, mlir::Value max);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_SCORES_H

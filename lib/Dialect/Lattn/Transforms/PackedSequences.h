//===- PackedSequences.h - Attention of packed sequences --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_PACKEDSEQUENCES_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_PACKEDSEQUENCES_H

#include "lattn/Dialect/Lattn/IR/Sequences.h"

namespace lattn {

/// Whether both pad the same sequences.
bool haveSameSequences(PadSequencesOp a, PadSequencesOp c);

/// What pads the keys of `op`, of which axis `rowAxis` has the rows; null if
/// they are not padded, the values are padded otherwise, or keys of the padding
/// are visible.
PadSequencesOp getPaddedKeys(AttentionOpInterface op, unsigned rowAxis);

/// Whether tiles read queries or keys where pages or packed sequences lie.
bool isReadElsewhere(mlir::Value query, mlir::Value key);

/// An array of packed rows.
struct PackedArray {
  PackedArray(PadSequencesOp pad)
      : rows(pad.getPacked()), axis(pad.getRowAxis()) {}
  PackedArray(PackSequencesOp pack)
      : rows(pack.getOutput()), axis(pack.getRowAxis()) {}

  mlir::Value rows;
  unsigned axis; // of the rows
};

/// The rows of `sequence`, one of those of `pad`, that all of `arrays` have.
SequenceRows buildSequenceRows(mlir::OpBuilder &b, PadSequencesOp pad,
                               llvm::ArrayRef<PackedArray> arrays,
                               mlir::Value sequence);

/// What packs `result`, rows of the sequences of `pad`, again; null if there
/// are other uses, or if its destination comes after `op`.
PackSequencesOp getPackedResult(mlir::Operation *op, mlir::Value result,
                                PadSequencesOp pad);

/// Moves the destinations of what packs the results of `op` before it, as far
/// as they can be had there.
void hoistDestinations(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// Erases `op` and the casts of its results that nothing needs any more.
void eraseWithUsers(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// An attention's queries that are padded sequences, where all its results are
/// packed again.
struct PackedQueries {
  PackedQueries() = default;
  /// Empty unless `op` has such queries.
  explicit PackedQueries(AttentionOp op);
  explicit operator bool() const { return bool(pad); }

  /// All arrays with the rows of queries.
  llvm::SmallVector<PackedArray> getArrays() const;
  /// Where the results go, in the order of the op's destinations.
  llvm::SmallVector<mlir::Value> getDestinations() const;
  /// How many tiles of `size` rows the sequences have, and a bit more, so that
  /// no sum over all sequences is needed.
  mlir::Value buildTileCount(mlir::OpBuilder &b, int64_t size) const;
  /// Packs `padded`, the results of a copy of the op, as the op's are packed;
  /// the same values where nothing is packed.
  llvm::SmallVector<mlir::Value> packAgain(mlir::OpBuilder &b,
                                           mlir::ValueRange padded) const;
  /// Replaces the packed results and erases `op`.
  void replace(mlir::RewriterBase &rewriter, AttentionOp op,
               mlir::ValueRange results) const;

  PadSequencesOp pad;
  llvm::SmallVector<PackSequencesOp> results;
};

/// A tile of rows of one sequence. A sequence's last tile may be empty.
struct SequenceTile {
  mlir::Value sequence;
  SequenceRows rows;
  mlir::Value first; // of the tile's rows in the sequence
};

/// Tile `tile` of `buildTileCount`.
SequenceTile buildSequenceTile(mlir::OpBuilder &b, const PackedQueries &queries,
                               int64_t size, mlir::Value tile);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_PACKEDSEQUENCES_H

//===- Sequences.h - Packed sequences ---------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_SEQUENCES_H
#define LATTN_DIALECT_LATTN_IR_SEQUENCES_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// The axis of rows in `array`. An array without an axis of elements has them
/// last, whatever the layout.
inline unsigned getRowAxis(mlir::Value array, Layout layout) {
  int64_t rank = mlir::cast<mlir::ShapedType>(array.getType()).getRank();
  return layout == Layout::BNHD && rank == 4 ? 1 : 2;
}

/// The rows of a packed array that belong to a sequence.
struct SequenceRows {
  mlir::Value begin, length;
};

/// Those of sequence `sequence`: never outside of `rows` rows, and at most
/// `most`, whatever cu_seqlens says.
SequenceRows buildSequenceRows(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value cuSeqlens, mlir::Value sequence,
                               mlir::Value rows, mlir::Value most);
/// Those of a sequence of `op`.
SequenceRows buildSequenceRows(mlir::OpBuilder &b, PadSequencesOp op,
                               mlir::Value sequence);

/// The number of sequences: the length of cu_seqlens, without the last entry.
mlir::Value buildSequenceCount(mlir::OpBuilder &b, mlir::Location loc,
                               mlir::Value cuSeqlens);

/// The op that pads the sequences of `array`; null if nothing does.
PadSequencesOp getPaddedSequences(mlir::Value array);

/// The sizes of `array`, without a use of it where sequences are padded or
/// pages gathered.
llvm::SmallVector<mlir::OpFoldResult>
getMixedSizes(mlir::OpBuilder &b, mlir::Location loc, mlir::Value array);

/// A slice of one batch: `size` rows of all heads from row `begin` on.
/// `array` is (batch, head, row, element) in `layout`, or (batch, head, row).
struct RowSlice {
  RowSlice(mlir::OpBuilder &b, mlir::Location loc, mlir::Value array,
           Layout layout, mlir::OpFoldResult batch, mlir::OpFoldResult begin,
           mlir::OpFoldResult size);

  mlir::Value extract(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value array) const;
  mlir::Value insert(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rows,
                     mlir::Value array) const;

  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
};

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_SEQUENCES_H

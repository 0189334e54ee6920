//===- GradSides.h - Where rows of gradients lie ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADSIDES_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADSIDES_H

#include "GradTiler.h"
#include "PackedSequences.h"

namespace lattn {

/// Where all rows of a batch are: in a packed array from `begin` on.
struct Span {
  mlir::Value begin; // null if arrays are not packed
  mlir::Value length;
};

/// The rows of queries and of keys of an attention_grad on a GPU. Either may be
/// packed sequences, which count as batches, in all arrays with such rows.
class GradSides {
public:
  GradSides(mlir::RewriterBase &b, AttentionGradOp op) : b(b), op(op) {}

  /// Finds what is packed. Then the op has no kv_lens: spans are the lengths.
  mlir::LogicalResult find();
  /// The rows of a batch; `all` if they are not packed.
  Span openQueries(mlir::Value batch, mlir::Value all) {
    return open(queries, batch, all);
  }
  Span openKeys(mlir::Value batch, mlir::Value all) {
    return open(keys, batch, all);
  }
  GradRowArrays getRowArrays();
  /// Where the op's result `result` goes.
  mlir::Value getDestination(unsigned result);
  /// Replaces the op, and what packs its results.
  void replace(llvm::ArrayRef<mlir::Value> results);

private:
  struct Side {
    PadSequencesOp pad; // null if no array is packed
    llvm::SmallVector<PackedArray> arrays;
  };
  mlir::LogicalResult findSide(Side &side, mlir::Value array,
                               llvm::ArrayRef<mlir::Value> others,
                               llvm::ArrayRef<unsigned> results);
  Span open(const Side &side, mlir::Value batch, mlir::Value all);
  const Side &getSide(unsigned result) { return result == 0 ? queries : keys; }

  mlir::RewriterBase &b;
  AttentionGradOp op;
  Side queries, keys;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_GRADSIDES_H

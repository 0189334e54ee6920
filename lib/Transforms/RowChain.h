//===- RowChain.h - Chains of token-wise work -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_TRANSFORMS_ROWCHAIN_H
#define LATTN_LIB_TRANSFORMS_ROWCHAIN_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"

namespace lattn {

/// Loops of an op that go over batches and rows, outermost first; of a slice or
/// reshape the axes of its result.
using RowLoops = llvm::SmallVector<unsigned, 2>;

/// An op and those before it that a block of its rows needs only as blocks of
/// the same rows.
class RowChain {
public:
  /// Why an op before a chain is not in it.
  using Reasons = llvm::MapVector<mlir::Operation *, std::string>;

  RowChain(mlir::linalg::LinalgOp root, RowLoops loops, Reasons &reasons);

  mlir::linalg::LinalgOp getRoot() const { return root; }
  /// All but the root, the last first.
  llvm::ArrayRef<mlir::Operation *> getProducers() const { return producers; }
  llvm::ArrayRef<unsigned> getRowLoops(mlir::Operation *op) const {
    return loops.find(op)->second;
  }
  /// The axes of rows of a slice or reshape: of its source and of its result.
  llvm::SmallVector<std::pair<unsigned, unsigned>>
  matchRows(mlir::Operation *view) const;
  bool contains(mlir::Operation *op) const { return loops.contains(op); }
  /// Whether others read the op's results, after the root.
  bool isReadLater(mlir::Operation *op) const { return readLater.contains(op); }
  bool hasProduct() const;
  /// Whether there is a matrix product and something to fuse with it, or other
  /// work that has rows.
  bool isWorthwhile() const;

  /// How many rows there are, of all batches.
  mlir::OpFoldResult countRows(mlir::OpBuilder &b) const;
  /// Of a row's results: the most that two ops have, as far as that is known.
  double getRowBytes() const;
  /// Of a row, what ops before the chain give it and what ops after it read, as
  /// far as that is known.
  double getMovedBytes() const;

private:
  double getRowBytes(mlir::linalg::LinalgOp op) const;
  mlir::FailureOr<RowLoops> findRowLoops(mlir::Operation *producer,
                                         std::string &reason) const;

  mlir::linalg::LinalgOp root;
  llvm::SmallVector<mlir::Operation *> producers;
  llvm::DenseMap<mlir::Operation *, RowLoops> loops;
  llvm::DenseSet<mlir::Operation *> readLater;
};

/// Loops of `op` over batches and rows: those of the matrix product that it is,
/// or that what it reads comes from. None if there is no such product, or if
/// they are not parallel here.
RowLoops findRowLoops(mlir::Operation *op);

/// Loops of `op` over all axes of its result but the last. None for products
/// and convolutions.
RowLoops findLeadingLoops(mlir::linalg::LinalgOp op);

/// Whether `op` is a slice of a tensor, or a reshape of one.
bool isView(mlir::Operation *op);

/// Lengths as those of arguments: not of what a chain computes, which would
/// have to be computed for them.
void resolveLengths(mlir::Operation *root);

/// Work on (batch, row, feature) before and after products of (batch * row,
/// feature) goes over their rows, so that no reshape lies between; sums over
/// features keep no axis of extent 1.
void mergeBatches(mlir::Operation *root);

/// Products of transposed weights read the weights as they lie.
void foldTransposedWeights(mlir::Operation *root);

} // namespace lattn

#endif // LATTN_LIB_TRANSFORMS_ROWCHAIN_H

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

/// The loops of an op over batches and rows, outermost first. For a slice or
/// reshape, the axes of its result.
using RowLoops = llvm::SmallVector<unsigned, 2>;

/// An op, the root, and earlier ops. A block of the root's rows needs only the
/// same block of rows of each earlier op.
class RowChain {
public:
  /// Reasons why ops before a chain are not in it.
  using Reasons = llvm::MapVector<mlir::Operation *, std::string>;

  RowChain(mlir::linalg::LinalgOp root, RowLoops loops, Reasons &reasons);

  mlir::linalg::LinalgOp getRoot() const { return root; }
  /// All but the root, the last first.
  llvm::ArrayRef<mlir::Operation *> getProducers() const { return producers; }
  llvm::ArrayRef<unsigned> getRowLoops(mlir::Operation *op) const {
    return loops.find(op)->second;
  }
  /// The axes of rows of a slice or reshape, as pairs of a source's and a
  /// result's axis.
  llvm::SmallVector<std::pair<unsigned, unsigned>>
  matchRows(mlir::Operation *view) const;
  bool contains(mlir::Operation *op) const { return loops.contains(op); }
  /// Whether ops after the root read the op's results.
  bool isReadLater(mlir::Operation *op) const { return readLater.contains(op); }
  bool hasProduct() const;
  /// Whether there is a matrix product and an op to fuse with it, or other work
  /// that has rows.
  bool isWorthwhile() const;

  /// The number of rows, of all batches together.
  mlir::OpFoldResult countRows(mlir::OpBuilder &b) const;
  /// The bytes of a row's results: the most that two ops have together, as far
  /// as known.
  double getRowBytes() const;
  /// The bytes that ops before the chain write and ops after it read, for one
  /// row, as far as known.
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

/// The loops of `op` over batches and rows. They are those of the matrix
/// product that `op` is, or from which its operands come. None if there is no
/// such product, or if these loops are not parallel in `op`.
RowLoops findRowLoops(mlir::Operation *op);

/// Loops of `op` over all axes of its result but the last. None for products
/// and convolutions.
RowLoops findLeadingLoops(mlir::linalg::LinalgOp op);

/// Whether `op` is a slice of a tensor, or a reshape of one.
bool isView(mlir::Operation *op);

/// Computes lengths from those of arguments. Otherwise they would need results
/// of the chain, which would have to be computed for them.
void resolveLengths(mlir::Operation *root);

/// Changes work on (batch, row, feature) before and after products of (batch *
/// row, feature) to go over the products' rows. So no reshape lies between.
/// Sums over features no longer keep an axis of extent 1.
void mergeBatches(mlir::Operation *root);

/// Lets products of transposed weights read the weights in place.
void foldTransposedWeights(mlir::Operation *root);

} // namespace lattn

#endif // LATTN_LIB_TRANSFORMS_ROWCHAIN_H

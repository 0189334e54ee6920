//===- RowSums.h - Sums of weighted rows ------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWSUMS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWSUMS_H

#include "BlockProduct.h"
#include "KernelFunctions.h"
#include "lattn/Target/AttentionBlock.h"

namespace lattn {

/// target += weights . matrix, with features on the lanes. The weight of
/// target's row i and the matrix's row t is at (i, t), or at (t, i) if
/// `areColumns`.
struct RowSum {
  mlir::Value target, weights, matrix;
  bool areColumns;
  mlir::Value rows, terms; // of target, and of matrix
  int64_t width;
  /// The same for products of pairs of terms. Weights of two terms are side by
  /// side: (i, 2t) and (i, 2t + 1), or (t / 2, 2i) and (t / 2, 2i + 1) if
  /// `areColumns`. The matrix is as PairProducts::packRows makes it.
  mlir::Value weightPairs = {}, matrixPairs = {};
  /// The weights' number of the first term, if it is not 0. For
  /// addSkippingZeros: factors of target's rows before the terms come, if there
  /// are any.
  mlir::Value firstTerm = {}, corrections = {};
};

/// `count` rows of `matrix`, from `first` on.
mlir::Value getRows(KernelBuilder &k, mlir::Value matrix, mlir::Value first,
                    mlir::Value count);

/// Builds such sums. Register blocks are rows x vectors of features; a weight
/// is broadcast, and rows of the matrix are read as vectors, where they lie.
class RowSums {
public:
  /// `registers` counts the target's vector registers. Products are of pairs if
  /// `bf16` says so.
  RowSums(KernelBuilder &k, KernelFunctions &functions, int64_t registers,
          BF16Products bf16 = BF16Products::Widened)
      : k(k), functions(functions), registers(registers), bf16(bf16) {
    if (bf16 != BF16Products::Widened)
      pairs.emplace(k, bf16);
  }

  /// Calls the function of such sums, which the kernels of a module share. A
  /// whole tile has `tileRows` rows of target. With `skipsZeros` a weight of 0
  /// takes nothing from its row, not even NaN.
  void add(const RowSum &sum, int64_t tileRows, bool skipsZeros);

  /// `rows` rows, of which only `vectors` vectors from `column` on. The last
  /// one has `lastLanes` features.
  struct Block {
    mlir::Value firstRow;
    int64_t rows;
    mlir::Value column;
    int64_t vectors, lastLanes;
  };
  /// The blocks of rows of `width` features, each of at most `mostVectors`.
  llvm::SmallVector<Block> makeBlocks(mlir::Value firstRow, int64_t rows,
                                      int64_t width, int64_t mostVectors);
  /// Builds for each of them. Many of one size are built once.
  void forEachBlock(mlir::Value firstRow, int64_t rows, int64_t width,
                    int64_t mostVectors,
                    llvm::function_ref<void(const Block &)> build);
  llvm::SmallVector<mlir::Value> loadRow(mlir::Value matrix, mlir::Value row,
                                         const Block &block);
  llvm::SmallVector<mlir::Value> load(mlir::Value target, const Block &block);
  void store(llvm::ArrayRef<mlir::Value> values, mlir::Value target,
             const Block &block);

  /// `sums` and the products with a step's rows of the matrix.
  llvm::SmallVector<mlir::Value> addStep(const BlockProduct &product,
                                         const RowSum &sum, const Block &block,
                                         mlir::Value step,
                                         mlir::ValueRange sums);
  /// Stores a block's sums. 0 * x is not 0 where x is NaN or Inf: then a sum
  /// that `skipsZeros` is computed once more, with care.
  void finish(llvm::ArrayRef<mlir::Value> sums, const RowSum &sum,
              const Block &block, bool skipsZeros);
  /// Calls the function that adds to the rows of a block one after the other; a
  /// weight of 0 takes nothing. It is a function of its own: inlined, it would
  /// keep the old sums in registers that the loop before it lacks.
  void addSkippingZeros(const RowSum &sum, const Block &block);

private:
  int64_t countLanes(const Block &block, int64_t v) const {
    return v + 1 < block.vectors ? k.lanes : block.lastLanes;
  }
  void build(const RowSum &sum, ValueBlock block, mlir::Value skipsZeros);
  void addBlock(const RowSum &sum, const Block &block, mlir::Value skipsZeros);
  mlir::Value loadWeight(const BlockProduct &product, const RowSum &sum,
                         const Block &block, int64_t row, mlir::Value step);

  /// The operands of functions of sums; and a sum of a function's arguments.
  llvm::SmallVector<mlir::Value> getOperands(const RowSum &sum);
  RowSum takeOperands(const RowSum &sum, mlir::ValueRange from);

  KernelBuilder &k;
  KernelFunctions &functions;
  int64_t registers;
  BF16Products bf16;
  std::optional<PairProducts> pairs;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ROWSUMS_H

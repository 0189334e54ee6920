//===- LocalAttentionRows.h - The rows that local attention mends -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_LOCALATTENTIONROWS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_LOCALATTENTIONROWS_H

#include "../SoftmaxState.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// Corrects rows for which local attention differs from the core op. It finds
/// them by their log-sum-exp, and writes only these rows.
class LocalAttentionRows {
public:
  /// `biasMap`: from (batch, head, query, key) to op's bias; null without one.
  LocalAttentionRows(mlir::OpBuilder &b, LocalAttentionOp op,
                     mlir::Value output, mlir::Value lse,
                     mlir::AffineMap biasMap);

  /// Adds the keys of the padding after the last key: their score is 0 plus
  /// bias, their value 0. The output must be of the accumulator type; it is
  /// rounded later.
  void addPaddedKeys();
  /// Rows without any score get the mean of their hidden slots.
  void fillEmptyRows();
  /// The same without loops over blocks of rows.
  void fillEmptyRowsWhole();
  /// Rounds the output to the type of `destination`, with blocks of rows in
  /// parallel.
  mlir::Value roundTo(mlir::Value destination);

  mlir::Value getOutput() { return output; }

private:
  class HiddenSlots;
  /// A slot at position t: the key to read, and whether there is none.
  struct Slot {
    mlir::Value t, key, outside, noKey;
  };
  using OFR = mlir::OpFoldResult;
  /// Some rows of a batch and head. `tile` is their part of the destination.
  struct Rows {
    mlir::Value batch, head, tile;
    OFR first, count;
    llvm::SmallVector<OFR> at, sizes;
  };
  /// Computes `destination` by `body`, which gets `group` rows at a time, in
  /// parallel.
  mlir::Value forEachRows(int64_t group, mlir::Value destination,
                          llvm::function_ref<mlir::Value(const Rows &)> body);

  mlir::Value index(int64_t value);
  mlir::Value scalar(mlir::OpBuilder &b, double value);
  mlir::Value getNone(mlir::OpBuilder &b); // -inf
  /// Offsets or sizes in the op's layout.
  llvm::SmallVector<OFR> inLayout(OFR batch, OFR head, OFR position, OFR width);
  mlir::Value slice(mlir::Value tensor, llvm::ArrayRef<OFR> offsets,
                    llvm::ArrayRef<OFR> sizes);

  /// linalg.generic onto `out`, yielding what `body` gives.
  mlir::Value generic(mlir::ValueRange ins, mlir::Value out,
                      llvm::ArrayRef<mlir::AffineMap> maps,
                      llvm::ArrayRef<mlir::utils::IteratorType> kinds,
                      ElementBody body);
  /// An index into loop `dim` of the enclosing generic, plus `base` if given.
  static mlir::Value loopIndex(mlir::OpBuilder &b, mlir::Location loc,
                               unsigned dim, mlir::Value base = {});
  static mlir::Value indexToFloat(mlir::OpBuilder &b, mlir::Location loc,
                                  mlir::Value index, mlir::Type type);
  static mlir::Value isNone(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value lse);
  static mlir::Value buildWeight(mlir::OpBuilder &b, mlir::Location loc,
                                 mlir::Value score, mlir::Value lse);

  mlir::Value getPaddedMass(mlir::Value lseTail, mlir::Value firstRow);
  mlir::Value getMassOfBias(mlir::Value lseTail, mlir::Value firstRow);
  OFR getFirstOfTail();
  mlir::Value shareWithMass(mlir::Value rows, mlir::Value mass);
  mlir::Value rescueRows(mlir::Value lseTail, mlir::Value mass);
  mlir::Value getZerosOfBlocks(OFR blocks);
  mlir::Value getSumsOfBlocks(OFR blocks);
  mlir::Value getSumsOfSlots(OFR blocks);
  mlir::Value getMeansOfSlots();
  mlir::Value fillFromSlots();
  mlir::Value hasEmptyRow(mlir::Value lseRows);
  mlir::Value getMeanOfSlots(mlir::Value batch, mlir::Value head,
                             mlir::Value firstRow);
  mlir::Value getMeanOfHidden(mlir::Value batch, mlir::Value head,
                              mlir::Value row, mlir::Value kept);
  Slot buildSlot(mlir::OpBuilder &b, mlir::Value t, mlir::Value end,
                 mlir::Value lastKey);
  mlir::Value buildIsHidden(mlir::OpBuilder &b, mlir::Value batch,
                            mlir::Value row, const Slot &slot,
                            mlir::Value mask);
  enum class Count { Hidden, HiddenKeys, Outside };
  mlir::Value countSlots(Count what);
  void addKeptOutside(mlir::Value &sums, OFR firstRow, OFR rows, OFR firstSlot,
                      int64_t slots);
  mlir::Value getSumOutside();
  void buildHiddenScore(mlir::Region &region);
  mlir::Value getMeanOfHiddenKeys();
  mlir::Value fillFromHidden();
  mlir::Value getKeptOfSlots(mlir::Value batch, mlir::Value head,
                             mlir::Value row);
  mlir::Value getFirstSlot(mlir::OpBuilder &b, mlir::Value row);
  mlir::Value getMeanOfRow(const Rows &rows);

  mlir::OpBuilder &b;
  LocalAttentionOp op;
  mlir::Location loc;
  mlir::Value output, lse;
  mlir::AffineMap biasMap;
  mlir::FloatType element;
  OFR batches, heads, length, width;
  mlir::Value kvHeads, padded; // N with autopad's rows
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_COMPOSITE_LOCALATTENTIONROWS_H

//===- OnlineAttentionRows.h - online_attention of few queries --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H

#include "KernelBuilder.h"
#include "RowSums.h"
#include "VectorUnit.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

class RowAttentionKernel {
public:
  RowAttentionKernel(KernelBuilder &k, KernelFunctions &functions,
                     OnlineAttentionOp op, VectorUnit target, int64_t maxKeys);
  void build();

private:
  /// Vectors of acc of some queries.
  using Chunk = RowSums::Block;
  /// Where rows lie that are prefetched, `distance` rows further on. Of a
  /// stretch in a page they follow `here`, an offset into the pool. Rows from
  /// `turn` on are prefetched from the page behind it, where they follow
  /// `next`.
  struct Distance {
    int64_t rows;
    mlir::Value pool = {}, here = {}, turn = {}, next = {};
  };
  /// Keys or values of the step that lie together: `count` of them from `first`
  /// on, which are the first rows of `rows`.
  struct Stretch {
    mlir::Value rows, first, count;
    Distance ahead;
  };
  /// `count` keys from `first` on. Their values are the rows of `values` from
  /// `firstValue` on, and the rows of `pairs`, if there are any, with two keys
  /// each. The values further on are prefetched, if `ahead` tells where.
  struct KeyBlock {
    mlir::Value first, count, values, firstValue, pairs;
    const Distance *ahead;
  };

  int64_t countVectors(int64_t width) {
    return llvm::divideCeil(width, k.lanes);
  }
  /// Lanes of vector `v` that hold one of `width` elements.
  int64_t countLanes(int64_t v, int64_t width) {
    return std::min(k.lanes, width - v * k.lanes);
  }
  mlir::Value loadVector(mlir::Value matrix, mlir::Value row, int64_t v) {
    int64_t width =
        mlir::cast<mlir::MemRefType>(matrix.getType()).getDimSize(1);
    return loadFront(k, matrix, {row, k.index(v * k.lanes)},
                     countLanes(v, width));
  }
  void prepare();
  void copyQuery();
  mlir::Value stage(mlir::Value tile);
  int64_t countRowsAhead(mlir::Value tile);
  void forEachStretch(mlir::Value tile, int64_t distance,
                      llvm::function_ref<void(const Stretch &)> body);
  using StretchBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      const Stretch &, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> forEachStretch(mlir::Value tile,
                                                int64_t distance,
                                                mlir::ValueRange inits,
                                                StretchBody body);
  llvm::SmallVector<mlir::Value> forEachPage(mlir::Value pool, int64_t distance,
                                             mlir::ValueRange carriedByBody,
                                             StretchBody body);
  mlir::Value findPage(mlir::Value pool, mlir::Value entry);
  mlir::Value skipRows(mlir::Value pool, mlir::Value offset, mlir::Value row);
  mlir::Value viewRows(mlir::Value pool, mlir::Value offset,
                       mlir::OpFoldResult count,
                       llvm::ArrayRef<int64_t> strides);
  mlir::Value isLarge(mlir::Value pool);
  void touchPage(mlir::Value pool, mlir::Value begin);
  mlir::Value findEndOfWhole(mlir::Value pool);
  Stretch getPartOfPage(mlir::Value pool, mlir::ValueRange begins,
                        mlir::Value begin, int64_t distance);
  Distance findAhead(mlir::Value pool, mlir::ValueRange begins, mlir::Value row,
                     int64_t distance);
  void hideBeyondLast(mlir::Value row);
  /// Rows to prefetch, from `first` on.
  struct Ahead {
    mlir::Value matrix, first;
  };
  Ahead getAhead(const Distance &ahead, mlir::Value tile, mlir::Value row);
  void prefetchColumns(mlir::Value tile, mlir::Value row, int64_t from,
                       int64_t to);
  void forEachRow(llvm::function_ref<void(mlir::Value row)> body);

  /// A block of as many keys as lanes, from `first` on: rows `rows` of
  /// `matrix`.
  struct KeyRows {
    mlir::Value matrix, first;
    // The end of the keys, and whether the block goes beyond it, if it may.
    mlir::Value end = {}, isPartial = {};
    llvm::SmallVector<mlir::Value> rows = {};
    Ahead ahead = {}; // what to prefetch meanwhile, if anything
  };

  int64_t countFeatures() { return byPairs ? 2 * unit : unit; }
  mlir::Value loadUnit(mlir::Value matrix, mlir::ValueRange at, int64_t count);
  void groupQueries();
  void storeUnits(mlir::Value row);
  void prefetchShare(const KeyRows &keys, mlir::Value step, int64_t steps);
  mlir::Value multiply(mlir::Value row, const KeyRows &keys);
  llvm::SmallVector<mlir::Value> multiplyGroup(mlir::Value group,
                                               const KeyRows &keys);
  void scoreGroups(const KeyRows &keys);
  KeyRows widen(const KeyRows &keys);
  bool isWhole(const Stretch &stretch);
  void finishScore(mlir::Value score, mlir::Value row, const KeyRows &keys);
  void scoreBlock(const Stretch &stretch, mlir::Value matrix,
                  mlir::Value lastBlock, mlir::Value row);
  void scoreStretch(const Stretch &stretch);
  void scoreInUnits(int64_t lanes);
  void exponentiate(mlir::Value row);
  void narrowWeights(mlir::Value row);

  void correctAcc();
  mlir::Value countOfBlock(const Stretch &stretch, mlir::Value first,
                           int64_t block);
  void accumulateStretch(const Stretch &stretch);
  void accumulatePairs(const Stretch &stretch, mlir::Value packed);
  mlir::Value allocatePairs();
  int64_t countValuesAhead();
  int64_t countKeysOfBlock();
  void prefetchValues(const Chunk &chunk, const Ahead &ahead, mlir::Value first,
                      int64_t count);
  void accumulateKeys(const KeyBlock &keys);
  void accumulateOneRow(mlir::Value tile);
  void accumulateRows(mlir::Value firstRow, int64_t rows, const KeyBlock &keys);
  llvm::SmallVector<mlir::Value> startSums(const Chunk &chunk);
  llvm::SmallVector<mlir::Value>
  addKeys(const Chunk &chunk, const KeyBlock &keys, mlir::ValueRange sums);
  void finishSums(const Chunk &chunk, llvm::SmallVector<mlir::Value> sums,
                  llvm::function_ref<void()> repeatSkippingZeros);
  void accumulateSkippingZeros(const Chunk &chunk, const KeyBlock &keys);
  llvm::SmallVector<mlir::Value> addProducts(const Chunk &chunk,
                                             const KeyBlock &keys,
                                             mlir::Value key,
                                             mlir::ValueRange sums);
  llvm::SmallVector<mlir::Value> addPairs(const Chunk &chunk,
                                          const KeyBlock &keys,
                                          mlir::Value pair,
                                          mlir::ValueRange sums);

  KernelBuilder &k;
  KernelFunctions &functions;
  OnlineAttentionOp op;
  RowSums rowSums;
  int64_t registers, maxKeys, headDim, valueDim, mostRows;
  int64_t unit;             // lanes of a query in a vector that queries share
  int64_t groupRows;        // queries that share a vector
  bool allInGroups = false; // of this unit
  bool hasZeroWeights, byPairs;
  PairProducts pairProducts; // if `byPairs`
  mlir::Value rows, numKeys, keys, values;
  /// For each row: the query in f32 (0 beyond its end), scores, the maximum of
  /// each lane, and the factor of the state so far.
  mlir::Value query, scores, maxima, corrections;
  mlir::Value weights; // in bf16, if `byPairs`
  /// The vectors of units of each group of rows; the number of rows in groups;
  /// and how many of these exist.
  mlir::Value groups, groupedRows, endOfGroups;
};

/// Whether `op`'s tile has rows: query (q, d), key (k, d), value (k, v), acc
/// (q, v), max and sum (q).
bool isOfRows(OnlineAttentionOp op);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H

//===- OnlineAttentionKernel.h - Kernel of online_attention -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONKERNEL_H

#include "AMXProducts.h"
#include "KernelFunctions.h"
#include "RowSums.h"
#include "ScoreVectorizer.h"
#include "StageRows.h"
#include "VectorUnit.h"

namespace lattn {

class OnlineAttentionKernel {
public:
  /// `bf16` says how products of weights and values are made, and scores if the
  /// query is bf16. With `byAMX`, both use tiles.
  OnlineAttentionKernel(KernelBuilder &k, KernelFunctions &functions,
                        OnlineAttentionOp op, AttentionBlock block,
                        int64_t registers, int64_t maxKeys, BF16Products bf16,
                        bool byAMX);
  void build();

private:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::ArrayRef<Value>;
  using Vectors = llvm::SmallVector<Value>;

  /// Vector `v` of the group's queries: its column in the tile, and in scratch.
  Value column(int64_t v);
  Value scratchColumn(int64_t v) { return k.index(v * k.lanes); }
  Vectors perVector(llvm::function_ref<Value(int64_t)> f) {
    return llvm::map_to_vector(llvm::seq(vectors), f);
  }
  void prepare();
  void buildGroup();

  /// Rows of a matrix from `first` on that are prefetched while the kernel
  /// works. They need not exist.
  struct Ahead {
    Value matrix, first;
    int64_t rows;
    bool isWrite;
    int64_t blocks = 1; // that prefetch them
  };
  /// What a block of keys or queries prefetches if `isOfBlock`: `lines` of
  /// `rows` at a time, from `firstLine` on.
  struct BlockAhead {
    Ahead rows;
    int64_t lines, times;
    Value isOfBlock, firstLine;
  };

  Vectors addProducts(Value keys, Values rows, Value step, bool isLast,
                      ValueRange sums);
  Vectors multiplyRows(Value keys, Value firstKey, int64_t unroll,
                       llvm::ArrayRef<Ahead> ahead);
  Vectors multiplyBlock(Value firstKey, llvm::ArrayRef<Ahead> ahead);
  Vectors computeScores(Values max);
  Vectors scoreBlock(Value firstKey, ValueRange max,
                     llvm::ArrayRef<Ahead> ahead);
  Vectors modifyScores(Values max);
  Vectors exponentiate(Values max, Values sum);

  // OnlineAttentionValues.cpp
  void accumulate(Values correction);
  void accumulateBlock(Value firstValue, int64_t rows, Values correction);
  void storeAcc(Values acc, Value firstValue, int64_t rows, Values correction);
  void accumulateSkippingZeros(Value firstValue, int64_t rows,
                               Values correction);

  // OnlineAttentionMixed.cpp
  int64_t countLines(const Ahead &ahead);
  llvm::SmallVector<Ahead> getAheadOfScores();
  llvm::SmallVector<BlockAhead> getAheadOfBlock(llvm::ArrayRef<Ahead> ahead,
                                                Value number, int64_t most);
  Value countTimes(llvm::ArrayRef<BlockAhead> ahead);
  void prefetchInBlock(llvm::ArrayRef<BlockAhead> ahead, Value time);
  void prefetchPart(llvm::ArrayRef<BlockAhead> ahead, Value time);
  Value isPrefetching();
  void prefetchLines(const Ahead &ahead, Value firstLine, int64_t count);
  std::pair<Value, Value> getSeenKeys(Value firstRow, int64_t rows);
  void accumulateInRows(Values correction);
  llvm::SmallVector<Ahead> getAheadOfValues();
  void accumulateRows(Value firstRow, llvm::ArrayRef<BlockAhead> ahead);
  Vectors loadAcc(Value acc, const RowSums::Block &block);

  // OnlineAttentionAMX.cpp
  void prepareForAMX();
  /// Computes the products of all keys. modifyScores, or `scale`, comes later.
  void multiplyKeys();
  /// The maxima of `max` and the scaled products.
  Vectors maximize(Values max);
  void accumulateByAMX(Values correction);
  void accumulateTiles(Value firstValue, int64_t rows, Value steps,
                       Values correction);
  void addProductRows(Value firstValue, Value row, int64_t rows,
                      Values correction);

  KernelBuilder &k;
  KernelFunctions &functions;
  OnlineAttentionOp op;
  RowSums rowSums;
  int64_t block; // rows of a register block, or tiles of rows
  int64_t maxKeys;
  int64_t vectors; // of a group
  int64_t headDim, columns, valueDim;
  bool isMixed;     // acc is rows, with features on the lanes
  bool isStreaming; // each step prefetches keys and values of the next
  ValueBlock valueBlock;
  Value corrections; // factors of the group's rows
  Value group;       // its first column
  Value numKeys, keys, values, scores;
  DenseRows dense; // the keys, if their type does not say that they are
  Value lastBlock; // of the keys, if it may not be whole
  bool hasZeroWeights = false; // some are 0, for keys that do not count
  double scale = 1;            // the factor that scores in scratch lack
  std::optional<ScoreVectorizer> modify;
  /// Multiplies pairs of bf16, with weights and values as rows of pairs. Scores
  /// of rotated rows are products of f32 nevertheless.
  std::optional<PairProducts> pairs;
  bool scoresByPairs;
  Value weightPairs, valuePairs;
  /// Multiplies tiles, with queries as rows of pairs and values as columns, and
  /// keeps the terms that the weights add to sums.
  std::optional<AMXProducts> amx;
  Value queryPairs, valueColumns, products;
};

/// Whether `op`'s maps name these dimensions, in their order.
bool hasMaps(OnlineAttentionOp op,
             llvm::ArrayRef<llvm::SmallVector<unsigned>> maps);

/// Whether `op`'s query is packed and its acc has rows: acc (q, v).
bool isOfMixedLanes(OnlineAttentionOp op);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONKERNEL_H

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
#include "PairProducts.h"
#include "ScoreVectorizer.h"
#include "VectorUnit.h"

namespace lattn {

class OnlineAttentionKernel {
public:
  /// `bf16`: how products of weights and values are made, and scores where the
  /// query is bf16; `byAMX`: both are of tiles.
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

  /// Vector `v` of the group's queries in the tile, and in scratch.
  Value column(int64_t v);
  Value scratchColumn(int64_t v) { return k.index(v * k.lanes); }
  Vectors perVector(llvm::function_ref<Value(int64_t)> f) {
    return llvm::map_to_vector(llvm::seq(vectors), f);
  }
  void prepare();
  void buildGroup();

  /// Rows of a matrix from `first` on, which need not exist, that the caches
  /// are asked for while the kernel works.
  struct Ahead {
    Value matrix, first;
    int64_t rows;
    bool isWrite;
    int64_t blocks = 1; // of keys that ask for them, a power of two up to 4
    Value key = {};     // the first of a block, counted from that of the first
  };

  void findDenseKeys();
  Vectors addProducts(Value keys, Values rows, Value d, bool isLast,
                      ValueRange sums);
  Vectors multiplyBlock(Values rows, bool clamped, const Ahead *ahead);
  Vectors computeScores(Values max);
  Vectors scoreBlock(Value firstKey, bool clamped, ValueRange max,
                     const Ahead *ahead = nullptr);
  Vectors modifyScores(Values max);
  Vectors exponentiate(Values max, Values sum);

  // OnlineAttentionValues.cpp
  void accumulate(Values correction);
  void accumulateBlock(Value firstValue, int64_t rows, Values correction);
  void storeAcc(Values acc, Value firstValue, int64_t rows, Values correction);
  void accumulateSkippingZeros(Value firstValue, int64_t rows,
                               Values correction);

  // OnlineAttentionMixed.cpp
  /// `rows` queries of the group from `firstRow` on, which see `count` keys
  /// from `firstKey` on; vectors [first, first + vectors) of their acc.
  struct RowBlock {
    Value firstRow;
    int64_t rows;
    Value firstKey, count;
    int64_t first, vectors;
  };
  int64_t countLines(const Ahead &ahead);
  llvm::SmallVector<Ahead> getAheadOfScores();
  void prefetchInBlock(const Ahead &ahead, Value step, int64_t lines);
  void prefetchLines(const Ahead &ahead, Value firstLine, int64_t count);
  std::pair<Value, Value> getSeenKeys(Value firstRow, int64_t rows);
  int64_t countLanes(int64_t v) {
    return std::min(k.lanes, valueDim - v * k.lanes);
  }
  void accumulateInRows(Values correction);
  void accumulateRows(Value firstRow, int64_t rows, const Ahead *ahead,
                      Value line, int64_t linesEach);
  Vectors loadAcc(const RowBlock &block);
  void storeAcc(Values acc, const RowBlock &block);
  Vectors addValues(const RowBlock &block, Value key, ValueRange sums);
  void accumulateSkippingZeros(const RowBlock &block);

  // OnlineAttentionAMX.cpp
  void prepareForAMX();
  /// Products of all keys, to which modifyScores, or `scale`, is still to come.
  void multiplyKeys();
  /// The maxima of scaled products with `max`.
  Vectors maximize(Values max);
  void accumulateByAMX(Values correction);
  void accumulateTiles(Value firstValue, int64_t rows, Value steps,
                       Values correction);
  void addProductRows(Value firstValue, Value row, int64_t rows,
                      Values correction);

  KernelBuilder &k;
  KernelFunctions &functions;
  OnlineAttentionOp op;
  int64_t block; // rows of a register block, or tiles of them
  int64_t maxKeys;
  int64_t vectors; // of a group
  int64_t headDim, columns, valueDim;
  bool isMixed;     // acc is rows, with features on the lanes
  bool isStreaming; // each step asks for the keys and values of the next one
  ValueBlock valueBlock;
  Value corrections; // of the group's rows
  Value group;       // its first column
  Value numKeys, keys, values, scores;
  Value denseKeys, isDense;    // the keys as rows without gaps, if they are
  bool hasZeroWeights = false; // some, for keys that count for nothing
  double scale = 1;            // what scores in scratch lack
  std::optional<ScoreVectorizer> modify;
  /// Products of pairs of bf16, and the weights and values as rows of pairs.
  /// Scores of turned rows are of wide ones all the same.
  std::optional<PairProducts> pairs;
  bool scoresByPairs;
  Value weightPairs, valuePairs;
  /// Products of tiles; queries as rows of pairs, values as columns, and what
  /// the weights add to sums.
  std::optional<AMXProducts> amx;
  Value queryPairs, valueColumns, products;
};

/// Whether `op`'s maps name these dimensions, in their order.
bool hasMaps(OnlineAttentionOp op,
             llvm::ArrayRef<llvm::SmallVector<unsigned>> maps);

/// Whether `op`'s query is packed and its acc is rows: acc (q, v).
bool isOfMixedLanes(OnlineAttentionOp op);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONKERNEL_H

//===- ScoreVectorizer.h - Scores modified on vectors -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What happens to a score after query.key, for a vector of queries and one key
// or for one query and a vector of keys: the vector form of buildScore.

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H

#include "KernelBuilder.h"

namespace lattn {

class ScoreVectorizer {
public:
  /// For `queryVectors` vectors of queries from the tile's `firstQuery` on.
  /// Computes, at the builder's place, what is the same for all keys.
  ScoreVectorizer(KernelBuilder &k, OnlineAttentionOp op, int64_t queryVectors,
                  mlir::Value firstQuery);
  /// For one query, an index in the tile, and keys on the lanes.
  ScoreVectorizer(KernelBuilder &k, OnlineAttentionOp op, mlir::Value query);

  /// Whether scores are modified at all.
  static bool isNeeded(OnlineAttentionOp op);

  /// Whether `op`'s bias has an element for each pair of query and key.
  static bool isBiasPerPair(OnlineAttentionOp op);
  /// Copies the bias of all keys to scratch, where apply finds it; it must be
  /// per pair.
  void stageBias(mlir::Value numKeys, int64_t maxKeys);

  /// The final score of `v` of the queries with the tile's key `key`; or of the
  /// one query (v = 0) with the tile's keys `key`, a vector.
  mlir::Value apply(mlir::Value score, int64_t v, mlir::Value key);
  /// The same of a block of scores, `queryVectors` for each of the keys `rows`,
  /// `first` and what follows it: blocks that all queries see pay no mask.
  void applyToBlock(llvm::MutableArrayRef<mlir::Value> scores,
                    mlir::Value first, llvm::ArrayRef<mlir::Value> rows);

private:
  mlir::Value isHiding(mlir::Value first, int64_t count);
  mlir::Value applyScore(mlir::Value score, int64_t v, mlir::Value key);
  void computeBounds(int64_t v);
  mlir::Value applyRegion(mlir::Value score, int64_t v, mlir::Value key);
  // ScoreBias.cpp
  mlir::Value applyBias(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value gatherBias(mlir::Value query, mlir::Value key);
  llvm::SmallVector<mlir::Value> locateBias(mlir::Value query, mlir::Value key);
  void transposeBias(mlir::Value rows, int64_t v, mlir::Value end);

  mlir::Value applyMask(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value loadLanes(mlir::Value memref,
                        llvm::ArrayRef<mlir::Value> indices);
  mlir::Value splatLike(mlir::Value scalar, mlir::Value other);
  mlir::Value onLanes(mlir::Value value);
  mlir::Value toGlobal(mlir::Value key);
  mlir::Value originAt(unsigned coordinate);
  mlir::Value toI32(mlir::Value index);

  KernelBuilder &k;
  OnlineAttentionOp op;
  /// Per v, as vectors, or of one query as scalars: indices, and i32 or null.
  llvm::SmallVector<mlir::Value> queries, lower, upper;
  mlir::Value biasTile; // [key, query], if it is staged
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H

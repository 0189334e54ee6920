//===- ScoreVectorizer.h - Scores modified on vectors -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Computes a score from query.key, for a vector of queries and one key, or for
// one query and a vector of keys. This is the vector form of buildScore.

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H

#include "KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include <functional>

namespace lattn {

/// The number of keys of a step.
mlir::Value countKeys(KernelBuilder &k, AttentionOpInterface op);

class ScoreVectorizer {
public:
  /// For `queryVectors` vectors of queries from the tile's `firstQuery` on, of
  /// which `queryRows` exist (null: all). Computes the values that are the same
  /// for all keys, at the builder's place.
  ScoreVectorizer(KernelBuilder &k, AttentionOpInterface op,
                  int64_t queryVectors, mlir::Value firstQuery,
                  mlir::Value queryRows);
  /// For one query, an index in the tile, and keys on the lanes.
  ScoreVectorizer(KernelBuilder &k, AttentionOpInterface op, mlir::Value query);

  /// Whether scores are modified at all.
  static bool isNeeded(AttentionOpInterface op);

  /// Copies arrays with an element for each query and key of the tile to
  /// scratch: a bias, and captured arrays that a score region reads. `apply`
  /// reads them there.
  void stagePairs(mlir::Value numKeys, int64_t maxKeys);

  /// The final score of vector `v` of the queries with the tile's key `key`; or
  /// of the one query (v = 0) with the tile's keys `key`, a vector.
  mlir::Value apply(mlir::Value score, int64_t v, mlir::Value key);
  /// The derivative of the region's score by the score that it got. The region
  /// yields it, too.
  mlir::Value getSlope(mlir::Value score, int64_t v, mlir::Value key);
  /// The final score, as from `apply`, and then the other values that the
  /// region yields.
  llvm::SmallVector<mlir::Value> applyAll(mlir::Value score, int64_t v,
                                          mlir::Value key);
  /// Applies `apply` to a block of scores: `queryVectors` for each of the keys
  /// `rows`, which are `first` and the following ones. Blocks that all queries
  /// see need no mask.
  void applyToBlock(llvm::MutableArrayRef<mlir::Value> scores,
                    mlir::Value first, llvm::ArrayRef<mlir::Value> rows);

  /// Turns products in scratch memory, [key, query], into final scores. `group`
  /// is the column of the first query. Without `scales` only the mask is
  /// applied, and only to blocks of keys that some query does not see; the
  /// scale stays to be applied. There must be no bias and no score region then.
  void applyInPlace(mlir::Value scores, mlir::Value group, mlir::Value numKeys,
                    bool scales);

  /// For the one query: the range [lower, upper) of the tile's keys that the
  /// window shows to it, as i32; null if unbounded.
  mlir::Value getLowerBound() const { return lower[0]; }
  mlir::Value getUpperBound() const { return upper[0]; }

private:
  /// An array with an element for each pair of query and key.
  struct PairArray {
    mlir::Value array;
    mlir::Type element; // of the tile
    bool areKeysLast;   // of its axes, and of no other
    /// The place of the element with global indices.
    std::function<llvm::SmallVector<mlir::Value>(mlir::Value query,
                                                 mlir::Value key)>
        locate;
    mlir::Value tile = {}; // [key, query], once it is staged
  };

  // PairTiles.cpp
  PairArray getBias();
  std::optional<PairArray> getPairRead(mlir::memref::LoadOp load);
  mlir::Value gather(const PairArray &pairs, mlir::Value query,
                     mlir::Value key);
  void transposeRows(const PairArray &pairs, mlir::Value rows, int64_t v,
                     mlir::Value end);
  void stage(PairArray &pairs, mlir::Value numKeys, int64_t maxKeys);
  mlir::Value loadPairs(const PairArray &pairs, int64_t v, mlir::Value key);

  mlir::Value isHiding(mlir::Value first, int64_t count);
  mlir::Value applyScore(mlir::Value score, int64_t v, mlir::Value key);
  void computeBounds(int64_t v);
  llvm::SmallVector<mlir::Value> applyRegion(mlir::Value score, int64_t v,
                                             mlir::Value key);
  mlir::Value applyScale(mlir::Value score);
  mlir::Value applyBias(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value applyMask(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value loadLanes(mlir::Value memref,
                        llvm::ArrayRef<mlir::Value> indices);
  mlir::Value splatLike(mlir::Value scalar, mlir::Value other);
  mlir::Value onLanes(mlir::Value value);
  mlir::Value toGlobal(mlir::Value key);
  mlir::Value originAt(unsigned coordinate);
  mlir::Value toI32(mlir::Value index);

  KernelBuilder &k;
  AttentionOpInterface op;
  /// For each v: vectors of indices and of i32 (or null). For one query:
  /// scalars.
  llvm::SmallVector<mlir::Value> queries, lower, upper;
  std::optional<PairArray> bias; // if it is staged
  llvm::MapVector<mlir::Operation *, PairArray> reads;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H

//===- ScoreVectorizer.h - Scores modified on vectors -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What happens to a score after query.key, for one vector of queries and one
// key: the vector form of buildScore.

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

  /// Whether scores are modified at all.
  static bool isNeeded(OnlineAttentionOp op);

  /// The final score of vector `v` of queries with the tile's key `key`.
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
  mlir::Value applyBias(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value applyMask(mlir::Value score, int64_t v, mlir::Value key);
  mlir::Value loadLanes(mlir::Value memref,
                        llvm::ArrayRef<mlir::Value> indices);
  mlir::Value originAt(unsigned coordinate);
  mlir::Value toI32(mlir::Value index);

  KernelBuilder &k;
  OnlineAttentionOp op;
  llvm::SmallVector<mlir::Value> queries;      // vector<index>, per v
  llvm::SmallVector<mlir::Value> lower, upper; // vector<i32>, per v, or null
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_SCOREVECTORIZER_H

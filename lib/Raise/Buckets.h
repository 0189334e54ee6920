//===- Buckets.h - Rows of keys for buckets of queries ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Local attention is often written with one more axis: queries in buckets, and
// for each bucket a row of the keys near it (padded, unfolded or concatenated).
// Taken together the buckets are one attention with a window.

#ifndef LATTN_LIB_RAISE_BUCKETS_H
#define LATTN_LIB_RAISE_BUCKETS_H

#include "BucketMask.h"
#include "Products.h"

namespace lattn::raise {

/// The attention without the axis of buckets.
struct JoinedBuckets {
  ValueProduct values; // its loops in the new coordinates
  Frame frame;
  ScoreProduct scores;
  llvm::SmallVector<Source> valueSources;
  ProvenWindow window;
  Expr score = nullptr; // without the pairs that the window hides
  Expr count;           // of buckets
  int64_t size;         // of a bucket

  /// The bucket of a position, and its place in it.
  Expr getBucket(Exprs &exprs) const {
    return exprs.floorDiv(frame.query, exprs.number(size));
  }
  Expr getPlace(Exprs &exprs) const {
    return exprs.mod(frame.query, exprs.number(size));
  }
};

/// Why buckets were not joined, if there are some.
struct BucketRefusal {
  std::string reason; // the first of them
  std::optional<mlir::Location> at;
};

/// Joins the buckets if the last of the frame's heads is a bucket. The mask,
/// and the views of keys and values, prove that it is.
std::optional<JoinedBuckets> joinBuckets(Evaluator &evaluator,
                                         const ValueProduct &values,
                                         const Softmax &softmax, Expr load,
                                         const Frame &frame,
                                         BucketRefusal &refusal);

/// A result in which buckets and places are one axis, `axis`. If `isMerged`,
/// the program merges the buckets with the axis before it.
struct JoinedResult {
  llvm::SmallVector<Expr> indices;
  mlir::RankedTensorType type;
  unsigned axis;
  bool isMerged;
};
std::optional<JoinedResult> joinResult(Exprs &exprs,
                                       const JoinedBuckets &joined,
                                       llvm::ArrayRef<Expr> indices,
                                       mlir::RankedTensorType type);
/// The result in the program's form.
mlir::Value splitResult(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value result, const JoinedBuckets &joined,
                        const JoinedResult &axes);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_BUCKETS_H

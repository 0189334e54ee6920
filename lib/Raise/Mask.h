//===- Mask.h - Which keys scores hide --------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_MASK_H
#define LATTN_LIB_RAISE_MASK_H

#include "Operands.h"

namespace lattn::raise {

/// Scores apart from what hides them: they are `scores` where all of `visible`
/// hold, and -inf elsewhere.
struct MaskedScores {
  Expr scores;
  llvm::SmallVector<Expr> visible;
};

/// With `takeFinite`, a large negative number counts as -inf: exact for rows
/// that see a key.
MaskedScores separateMask(Exprs &exprs, Expr scores, bool takeFinite);

/// Where a mask is a window: query i stands at position offset + i.
struct ProvenWindow {
  std::optional<int64_t> left, right, bucket;
  int64_t back = 0, forward = 0;
  Expr offset;
  /// Conditions that the window does not say.
  llvm::SmallVector<Expr> rest;
  /// Whether each query sees a key by the window, and `rest` is empty.
  bool showsAllRows = false;

  bool isFull() const { return !left && !right && !bucket; }
};

/// The largest window that `visible` implies, by proof.
ProvenWindow proveWindow(Exprs &exprs, const Frame &frame,
                         llvm::ArrayRef<Expr> visible);

/// Evaluates conditions on constants and static extents element by element, as
/// proveWindow asks it to. Nothing where they are too many, or not constant.
struct Band {
  int64_t left, right;  // the largest distances to visible keys
  bool isExact = false; // every pair within is visible
  bool showsAllRows = false;
};
std::optional<Band> enumerate(const Frame &frame, llvm::ArrayRef<Expr> visible);

/// Of a program that has one row of keys for each bucket of queries: query i of
/// a bucket stands at bucket * size + i, and key j of its row at
/// (bucket - back) * size + j.
struct BucketCoordinates {
  Expr bucket, query, key;
  int64_t count, size, back;
};
/// Nothing, too, where keys are visible that are not among the positions.
std::optional<Band> enumerateBuckets(const BucketCoordinates &at,
                                     llvm::ArrayRef<Expr> visible);

/// Whether `e` is an array of constants, and it is -inf or a large negative
/// number somewhere.
bool hidesSomething(Expr e, double atMost);

/// Whether visible scores could be -inf, so that a row may have no weights.
bool mayBeMinusInfinity(Expr scores, Expr product);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_MASK_H

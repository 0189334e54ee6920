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

/// Scores apart from their mask: they are `scores` where all of `visible` hold,
/// and -inf elsewhere.
struct MaskedScores {
  Expr scores;
  llvm::SmallVector<Expr> visible;
};

/// Limits to try in turn: a score of at most the limit counts as -inf. A large
/// negative number has exactly the effect of -inf in rows that see a key. If
/// some rows see only keys with such a number, a larger limit may still
/// separate the mask. The last limit is -inf, which is exact for all rows.
llvm::SmallVector<double> getMaskLimits(Exprs &exprs, Expr scores);
MaskedScores separateMask(Exprs &exprs, Expr scores, double limit);

/// A mask as a window: query i stands at position offset + i.
struct ProvenWindow {
  std::optional<int64_t> left, right, bucket;
  int64_t back = 0, forward = 0;
  Expr offset;
  /// Conditions that the window does not express.
  llvm::SmallVector<Expr> rest;
  /// Whether each query sees a key by the window, and `rest` is empty.
  bool showsAllRows = false;

  bool isFull() const { return !left && !right && !bucket; }
};

/// The tightest window that is proven to contain all pairs of `visible`.
ProvenWindow proveWindow(Exprs &exprs, const Frame &frame,
                         llvm::ArrayRef<Expr> visible);

/// Evaluates conditions on constants and static extents element by element, for
/// proveWindow. Nothing if there are too many, or if they are not constant.
struct Band {
  int64_t left, right;  // the largest distances to visible keys
  bool isExact = false; // every pair within is visible
  bool showsAllRows = false;
};
std::optional<Band> enumerate(const Frame &frame, llvm::ArrayRef<Expr> visible);
/// The conditions, or simpler ones that mean the same within the band: bounds
/// of the keys of all heads, one behind the other.
llvm::SmallVector<Expr> simplify(Exprs &exprs, const Frame &frame,
                                 const Band &band,
                                 llvm::ArrayRef<Expr> visible);

/// Whether a condition can be evaluated for all values of `vars`, whose extents
/// are constant.
bool canEnumerate(llvm::ArrayRef<Expr> vars, Expr condition);
/// Calls `visit` with the values for which all conditions hold.
void forEachVisible(llvm::ArrayRef<Expr> vars, llvm::ArrayRef<Expr> conditions,
                    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// Whether `e` is an array of constants with an element that is -inf or a large
/// negative number.
bool hidesSomething(Expr e, double atMost);

/// Whether visible scores could be -inf, so that a row may have no weights.
bool mayBeMinusInfinity(Expr scores, Expr product);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_MASK_H

//===- ScoreReads.h - Which elements scores read ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The verifier checks the indices of reads where extents are known, and
// SizeRules.cpp at each call.

#ifndef LATTN_DIALECT_LATTN_IR_SCOREREADS_H
#define LATTN_DIALECT_LATTN_IR_SCOREREADS_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include <string>

namespace lattn {

/// An index of an array that scores read: a function of the dimensions (batch,
/// head, query, key).
struct ScoreRead {
  mlir::Value array;
  unsigned axis;
  mlir::AffineExpr index;
  std::string what; // for messages, such as "axis 0 of bias"
};

/// The indices of the bias map, and those of captured arrays that are affine
/// functions of the coordinates.
llvm::SmallVector<ScoreRead> getScoreReads(AttentionOpInterface op);

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_SCOREREADS_H

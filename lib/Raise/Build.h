//===- Build.h - What was found becomes lattn.attention ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RAISE_BUILD_H
#define LATTN_LIB_RAISE_BUILD_H

#include "Buckets.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn::raise {

struct Match {
  const ValueProduct &values;
  const Softmax &softmax;
  const Frame &frame;
  ScoreProduct scores;
  const JoinedBuckets *joined = nullptr; // of buckets, with its window
};

/// Replaces the product of weights and values. A failure has a reason, and
/// comes before anything is changed.
mlir::LogicalResult buildAttention(mlir::RewriterBase &rewriter,
                                   Evaluator &evaluator, const Match &match,
                                   std::string &reason);

} // namespace lattn::raise

#endif // LATTN_LIB_RAISE_BUILD_H

//===- AttentionScoresOp.cpp - lattn.attention_scores: verifier -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

using namespace mlir;
using namespace lattn;

// Scores need no value.
Value AttentionScoresOp::getValue() { return {}; }

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// attention_scores_c1, attention_scores_c2
static LogicalResult verifyTypes(AttentionScoresOp op) {
  StringRef axes = op.isBnhd() ? "(batch, position, head, size)"
                               : "(batch, head, position, size)";
  // attention_scores_c1
  if (failed(verifyRank(op, op.getQuery(), "query", 4, axes)) ||
      failed(verifyRank(op, op.getKey(), "key", 4, axes)) ||
      failed(verifyRank(op, op.getScores(), "scores", 4,
                        "(batch, head, query, key)")))
    return failure();
  // attention_scores_c2
  Type element = getElementTypeOrSelf(op.getQuery().getType());
  if (failed(verifyElementType(op, op.getKey(), "key", element)))
    return failure();
  return verifyElementType(op, op.getScores(), "scores", element,
                           op.getAccumulatorType());
}

/// attention_scores_c3 to attention_scores_c5
static LogicalResult verifyExtents(AttentionScoresOp op,
                                   ArrayRef<int64_t> extents) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  // attention_scores_c3
  if (failed(
          verifyExtent(op, op.getKey(), "key", 0, extents[0], "query's batch")))
    return failure();
  // attention_scores_c4
  if (failed(verifyHeads(op, extents[1], key.getDimSize(op.getHeadAxis()))))
    return failure();
  constexpr StringLiteral meanings[] = {"query's batch", "query's heads",
                                        "query's length", "key's length"};
  for (auto [axis, meaning] : llvm::enumerate(meanings))
    if (failed(verifyExtent(op, op.getScores(), "scores", axis, extents[axis],
                            meaning)))
      return failure();
  // attention_scores_c5
  if (query.getDimSize(3) == 0 || key.getDimSize(3) == 0)
    return op.emitOpError("expected a head size of at least 1, got 0");
  return verifyExtent(op, op.getKey(), "key", 3, query.getDimSize(3),
                      "query's head size");
}

LogicalResult AttentionScoresOp::verify() {
  if (failed(verifyOperands( // attention_scores_c8
          *this, {{0, "query"}, {1, "key"}, {9, "scores"}})) ||
      failed(verifyTypes(*this)))
    return failure();
  auto extents = getScoreExtents(*this);
  if (failed(verifyExtents(*this, extents)) ||
      failed(verifyOriginOffset(*this)) || // attention_scores_c6
      failed(verifySink(*this, getSink(), extents[1])))
    return failure();
  return verifyScoring(*this, extents);
}

//===- AttentionGradKernel.h - Kernel of attention_grad_step ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H

#include "KernelFunctions.h"
#include "ScoreVectorizer.h"
#include "VectorUnit.h"
#include "lattn/Target/AttentionBlock.h"

namespace lattn {

class AttentionGradKernel {
public:
  AttentionGradKernel(KernelBuilder &k, KernelFunctions &functions,
                      AttentionGradStepOp op, VectorUnit unit, int64_t maxKeys);
  void build();

private:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::ArrayRef<Value>;
  using Vectors = llvm::SmallVector<Value>;

  /// Rows of keys or values; `dense` is the same without gaps, if `isDense`.
  struct KeyRows {
    Value any, dense, isDense;
    int64_t width;
  };
  KeyRows getKeyRows(Value tile);
  Value column(int64_t v) { return k.add(group, v * k.lanes); }

  /// Products of rows of keys and a group of packed queries, to `target`.
  void multiplyKeys(const KeyRows &keys, Value packed, Value target,
                    bool areScores);
  void multiplyBlock(const KeyRows &keys, Value packed, Value target,
                     Value firstKey, bool clamped, bool areScores);
  Vectors addProducts(Value keys, int64_t width, Value packed, Values rows);
  /// Whether scores stay products until `weigh`: a region is long, and pairs
  /// want the products.
  bool isModifiedLate() {
    return !op.getScore().empty() || !op.getPairs().empty();
  }
  /// Scores to weights, and gradients of weights to those of scores.
  void weigh();
  void weighStep(Value firstKey, int64_t count, Values shift, Values rowSums);

  // AttentionGradProducts.cpp
  /// target += weights . matrix, where the weight of target's row i and the
  /// matrix's row t is at (i, t), or at (t, i) if `areColumns`.
  struct Sum {
    Value target, weights, matrix;
    bool areColumns;
    Value rows, terms; // of target, and of matrix
    int64_t width;
  };
  /// `rows` rows of a sum, vectors [first, first + vectors) of them.
  struct Block {
    Value firstRow;
    int64_t rows, first, vectors;
  };
  void addProducts(const Sum &sum, int64_t tileRows);
  void addRows(const Sum &sum, Value firstRow, int64_t rows);
  void addSkippingZeros(const Sum &sum, const Block &block);
  Value loadWeight(const Sum &sum, const Block &block, int64_t row, Value term);
  Vectors addTerm(const Sum &sum, const Block &block, Value term,
                  ValueRange sums);
  Vectors loadSums(const Sum &sum, const Block &block);
  void storeSums(Values values, const Sum &sum, const Block &block);
  int64_t countLanes(const Sum &sum, int64_t v) {
    return std::min(k.lanes, sum.width - v * k.lanes);
  }

  KernelBuilder &k;
  KernelFunctions &functions;
  AttentionGradStepOp op;
  VectorUnit unit;
  AttentionBlock block;
  int64_t maxKeys;
  int64_t queries; // of the tile, with padding
  double scale;
  bool hasZeroWeights; // some, for keys that count for nothing
  Value numKeys, numQueries, group;
  Value scores, ofScores; // [key, query]: weights later, and gradients
  std::optional<ScoreVectorizer> modify;
};

mlir::LogicalResult lowerAttentionGradStep(mlir::RewriterBase &rewriter,
                                           AttentionGradStepOp op,
                                           VectorUnit unit,
                                           KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H

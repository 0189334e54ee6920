//===- AttentionGradProducts.h - Products of pairs of rows ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H

#include "KeyProducts.h"
#include "RowSums.h"
#include "ScoreVectorizer.h"
#include "VectorUnit.h"

namespace lattn {

/// The common parts of the kernels of attention's derivatives: products of keys
/// and packed queries, [key, query], and sums of rows weighted by these
/// products.
class AttentionGradProducts {
public:
  /// `queries` counts those of a whole tile, with padding.
  AttentionGradProducts(KernelBuilder &k, KernelFunctions &functions,
                        AttentionOpInterface op, VectorUnit unit,
                        int64_t queries, int64_t maxKeys);

protected:
  using Value = mlir::Value;
  using ValueRange = mlir::ValueRange;
  using Values = llvm::ArrayRef<Value>;
  using Vectors = llvm::SmallVector<Value>;

  /// Keys or values as the products take them.
  KeyRows getKeyRows(Value tile);
  Value column(int64_t v) { return k.add(group, v * k.lanes); }

  /// Writes the sum of the products of a group of queries to `target`.
  void multiplyKeys(llvm::ArrayRef<KeyProducts::Factors> products,
                    Value target);

  KernelBuilder &k;
  KernelFunctions &functions;
  VectorUnit unit;
  AttentionBlock block;
  int64_t queries, maxKeys;
  bool hasZeroWeights; // some are 0, for keys that do not count
  Value numKeys, numQueries, group;
  Value scores, ofScores; // [key, query]: later weights and derivatives
  std::optional<ScoreVectorizer> modify;
  std::optional<PairProducts> pairs; // where products are of pairs of bf16
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H

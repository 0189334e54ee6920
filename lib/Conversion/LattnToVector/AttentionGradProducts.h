//===- AttentionGradProducts.h - Products of pairs of rows ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H

#include "KernelFunctions.h"
#include "RowSums.h"
#include "ScoreVectorizer.h"
#include "VectorUnit.h"
#include "lattn/Target/AttentionBlock.h"

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

  /// Rows of keys or values; `dense` is the same without gaps, if `isDense`.
  struct KeyRows {
    Value any, dense, isDense;
    int64_t width;
  };
  /// A product of rows and packed queries, which are rows of pairs where
  /// products are of pairs.
  struct Factors {
    KeyRows keys;
    Value packed;
  };
  KeyRows getKeyRows(Value tile);
  Value column(int64_t v) { return k.add(group, v * k.lanes); }

  /// Visits all keys in blocks of `rows`. Rows beyond the last key are scratch,
  /// and not keys.
  void forEachBlock(int64_t rows,
                    llvm::function_ref<void(Value key, bool clamped)> build);

  /// Writes the sum of the products of a group of queries to `target`. With
  /// `areScores`, these become scores, final except for the scale that `modify`
  /// lacks.
  void multiplyKeys(llvm::ArrayRef<Factors> products, Value target,
                    bool areScores);

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

private:
  void multiplyBlock(llvm::ArrayRef<Factors> products, Value target,
                     Value firstKey, bool clamped, bool areScores);
  Vectors addBlock(Value keys, const Factors &operands, Values rows,
                   ValueRange sums);
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADPRODUCTS_H

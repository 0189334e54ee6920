//===- PairProducts.h - Sums of products of pairs of bf16 -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A lane holds a pair of bf16 in its 32 bits. A dot product adds both products
// of two such lanes to the lane's f32, so it does twice as much as an FMA.

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_PAIRPRODUCTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_PAIRPRODUCTS_H

#include "KernelBuilder.h"
#include "VectorUnit.h"

namespace lattn {

class PairProducts {
public:
  PairProducts(KernelBuilder &k, BF16Products kind)
      : k(k), emulated(kind == BF16Products::EmulatedDot),
        bf16(k.b.getBF16Type()),
        pairs(mlir::VectorType::get(2 * k.lanes, bf16)) {}

  /// sum + x[0] y[0] + x[1] y[1] in each lane.
  mlir::Value dot(mlir::Value sum, mlir::Value x, mlir::Value y);
  /// The lanes (x[i], y[i]) of two vectors of bf16; without `y`, (x[i], 0).
  mlir::Value pair(mlir::Value x, mlir::Value y = {});
  /// A vector of f32 as bf16.
  mlir::Value narrow(mlir::Value vector);
  mlir::Value loadPairs(mlir::Value memref, mlir::ValueRange at);
  /// The element at `at` and the next one, or 0 if `isLast`, in all lanes.
  mlir::Value splatPair(mlir::Value memref, mlir::ValueRange at,
                        bool isLast = false);

  /// Writes weights [key, query] of f32 as rows of pairs: row j holds keys 2j
  /// and 2j + 1. A key that does not exist counts as 0.
  void packWeights(mlir::Value weights, mlir::Value numKeys, int64_t vectors,
                   mlir::Value target);
  /// Writes values [key, v] of bf16 as rows of pairs: elements 2v and 2v + 1 of
  /// row j are value v of keys 2j and 2j + 1.
  void packValues(mlir::Value values, mlir::Value numKeys, mlir::Value target);
  /// The first `rows` rows, of at most `mostRows`, of a matrix of bf16 as rows
  /// of pairs in scratch: elements 2d and 2d + 1 of row j are column d of rows
  /// 2j and 2j + 1. Columns beyond the last and rows that do not exist are 0.
  mlir::Value packRows(mlir::Value matrix, mlir::Value rows, int64_t mostRows);

  /// Builds body(row, first, second) for each pair of keys. `second` is null
  /// for the last key of an odd number.
  void forEachPair(mlir::Value numKeys,
                   llvm::function_ref<void(mlir::Value row, mlir::Value first,
                                           mlir::Value second)>
                       body);

private:
  KernelBuilder &k;
  bool emulated;
  mlir::Type bf16;
  mlir::VectorType pairs;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_PAIRPRODUCTS_H

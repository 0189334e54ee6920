//===- BlockProduct.h - Products whose sums stay in registers ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_BLOCKPRODUCT_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_BLOCKPRODUCT_H

#include "PairProducts.h"

namespace lattn {

/// A step of a matrix product C += A B whose block of C stays in registers: by
/// FMA one term for each element of C, or by dot products of pairs of bf16 two.
/// Every kernel but AMX's multiplies by this class.
///
/// If columns of C are on the lanes, an element of A is broadcast and a row of
/// B is a row of vectors. If terms are on the lanes, rows of both are vectors
/// as they lie in memory, and the sums of lanes follow (sumEach, sumUnits).
class BlockProduct {
public:
  explicit BlockProduct(KernelBuilder &k, PairProducts *pairs = nullptr)
      : k(k), pairs(pairs) {}
  BlockProduct(KernelBuilder &k, std::optional<PairProducts> &pairs)
      : BlockProduct(k, pairs ? &*pairs : nullptr) {}

  /// Terms of a step.
  int64_t countTerms() const { return pairs ? 2 : 1; }
  /// The first of the elements that an operand has for number `i`.
  mlir::Value getPlace(mlir::Value i) const { return pairs ? k.add(i, i) : i; }
  /// The steps of `terms` terms.
  mlir::Value countSteps(mlir::Value terms) const;

  /// The elements that a step takes of a row, on all lanes; the first one is at
  /// `at`. A step of pairs takes two. If the row has only the first one left
  /// (`isLast`), the second one is 0.
  mlir::Value broadcast(mlir::Value matrix, mlir::ValueRange at,
                        bool isLast = false) const;
  /// The vector of columns `column` on of row `step`. Of pairs, the rows are
  /// rows of pairs (PairProducts.h).
  mlir::Value load(mlir::Value matrix, mlir::Value step,
                   mlir::Value column) const;

  /// The vectors of C, one row after the other, and a step's products: the
  /// operand of each row, which `getA` makes, times each of `b`. Where `b` is
  /// null, the column stays as it is.
  llvm::SmallVector<mlir::Value>
  add(mlir::ValueRange c, llvm::function_ref<mlir::Value(int64_t row)> getA,
      llvm::ArrayRef<mlir::Value> b) const;
  /// The same of one operand for all rows.
  llvm::SmallVector<mlir::Value> add(mlir::ValueRange c, mlir::Value a,
                                     llvm::ArrayRef<mlir::Value> b) const {
    return add(c, [&](int64_t) { return a; }, b);
  }

private:
  KernelBuilder &k;
  PairProducts *pairs;
};

/// The dot products of row `row` of `left`, whose rows are whole vectors, and
/// each of `rows` of `right`, as many rows of `width` features as there are
/// lanes. Each is on its lane. At most `mostUnrolled` vectors are unrolled, all
/// of them only if the row is the only one (`isAlone`).
mlir::Value dotEach(KernelBuilder &k, mlir::Value left, mlir::Value row,
                    mlir::Value right, llvm::ArrayRef<mlir::Value> rows,
                    int64_t width, int64_t mostUnrolled, bool isAlone);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_BLOCKPRODUCT_H

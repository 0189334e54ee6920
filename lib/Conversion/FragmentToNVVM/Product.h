//===- Product.h - Products of registers with shared memory -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_FRAGMENTTONVVM_PRODUCT_H
#define LATTN_LIB_CONVERSION_FRAGMENTTONVVM_PRODUCT_H

#include "FragmentToNVVM.h"

namespace lattn::fragment {

/// A warp's share of a `fragment.multiply`, in products of 16x8x16.
class Product {
public:
  Product(mlir::OpBuilder &b, MultiplyOp op, mlir::ValueRange left,
          mlir::ValueRange acc);

  void multiply();
  void multiplySkippingZeros();
  mlir::ValueRange getResult() { return acc; }

private:
  /// Block (k, pair) of right, of 16x16. It has two blocks of 8 columns of the
  /// product side by side.
  llvm::SmallVector<mlir::Value> load(int64_t k, mlir::Value pair);
  llvm::ArrayRef<mlir::Value> getLeft(int64_t group, int64_t k) {
    return llvm::ArrayRef(left).slice((group * inner + k) * 4, 4);
  }
  /// Block i of the two blocks of pair `pair`.
  llvm::MutableArrayRef<mlir::Value> getAcc(int64_t group, int64_t pair,
                                            int64_t i) {
    return llvm::MutableArrayRef(acc).slice(
        ((group * pairs + pair) * 2 + i) * 4, 4);
  }
  /// sums + left * right, of 16x8x16.
  void multiplyAdd(llvm::ArrayRef<mlir::Value> left,
                   llvm::ArrayRef<mlir::Value> right,
                   llvm::MutableArrayRef<mlir::Value> sums);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value right;
  mlir::Type element;
  bool transposed;
  int64_t groups, inner, pairs; // 16 rows, 16 of the sum, 16 columns
  llvm::SmallVector<mlir::Value> left, acc;
  ThreadPlace place;
  mlir::Value firstRow, firstChunk; // of what this thread points at
};

} // namespace lattn::fragment

#endif // LATTN_LIB_CONVERSION_FRAGMENTTONVVM_PRODUCT_H

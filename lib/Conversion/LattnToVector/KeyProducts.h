//===- KeyProducts.h - Products of keys and packed queries ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_KEYPRODUCTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_KEYPRODUCTS_H

#include "BlockProduct.h"
#include "KernelFunctions.h"
#include "lattn/Target/AttentionBlock.h"

namespace lattn {

/// Rows of keys or values. At run time `isDense` says whether the rows follow
/// each other without gaps; `dense` is then the same memory with a type that
/// says so. Rows at a known distance share a pointer. Otherwise computing their
/// addresses takes so many instructions that FMAs wait.
struct KeyRows {
  KeyRows() = default;
  KeyRows(KernelBuilder &k, mlir::Value rows);
  mlir::Value any, dense, isDense;
  int64_t width;
};

/// Builds `build(key, clamped)` for all blocks of `rows` keys. If `clamped`,
/// the last of them may not exist.
void forEachBlock(
    KernelBuilder &k, mlir::Value numKeys, int64_t rows,
    llvm::function_ref<void(mlir::Value key, bool clamped)> build);

/// The numbers of `count` keys from `first` on. With `clamped`, keys beyond the
/// last repeat it, so that nothing is read out of bounds.
llvm::SmallVector<mlir::Value> getKeyNumbers(KernelBuilder &k,
                                             mlir::Value first, int64_t count,
                                             mlir::Value numKeys, bool clamped);

/// Builds products of keys [key, feature] and packed queries [feature, query]
/// for a group of vectors of queries: target [key, query]. Rows of the target
/// beyond the last key are scratch. Products are of pairs if `bf16` says so;
/// the queries are then rows of pairs (PairProducts::packRows).
class KeyProducts {
public:
  KeyProducts(KernelBuilder &k, AttentionBlock block,
              BF16Products bf16 = BF16Products::Widened)
      : k(k), block(block), bf16(bf16) {
    if (bf16 != BF16Products::Widened)
      pairs.emplace(k, bf16);
  }

  struct Factors {
    mlir::Value keys, packed;
  };
  /// Calls the function of the sum of such products, which the kernels of a
  /// module share. `group` is the group's first query.
  void multiply(KernelFunctions &functions, llvm::ArrayRef<Factors> products,
                mlir::Value target, mlir::Value group, mlir::Value numKeys);

private:
  void build(llvm::ArrayRef<Factors> products, mlir::Value target,
             mlir::Value group, mlir::Value numKeys);
  llvm::SmallVector<mlir::Value> addBlock(mlir::Value keys, mlir::Value packed,
                                          mlir::Value group,
                                          llvm::ArrayRef<mlir::Value> rows,
                                          mlir::ValueRange sums);

  KernelBuilder &k;
  AttentionBlock block;
  BF16Products bf16;
  std::optional<PairProducts> pairs;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_KEYPRODUCTS_H

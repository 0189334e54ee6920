//===- AMXProducts.h - Products of tiles of bf16 by AMX ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile register holds 16 rows of 64 bytes. The left operand is keys, in
// place. The right operand is queries or weights, as rows of pairs
// (PairProducts.h). So sums come out with queries on the lanes, as the softmax
// needs them.

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_AMXPRODUCTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_AMXPRODUCTS_H

#include "KernelBuilder.h"
#include "lattn/Target/AMXTile.h"

namespace lattn {

class AMXProducts {
public:
  explicit AMXProducts(KernelBuilder &k) : k(k) {}

  /// target[row + i, j] = sum over c of lhs[row + i, c] rhs[c, j], for `rows`
  /// and `columns` tiles of i and j, and `steps` of 32 elements of c. `rhs`
  /// holds rows of pairs.
  void multiply(mlir::Value lhs, mlir::Value row, int64_t rows, mlir::Value rhs,
                int64_t columns, mlir::Value steps, mlir::Value target,
                mlir::Value targetRow);

  /// Writes packed queries [d, query], from column `first` on, as rows of pairs
  /// of d. Rows without a d are 0.
  void packQuery(mlir::Value query, mlir::Value first, int64_t vectors,
                 mlir::Value target);
  /// Writes values [key, v] to target[v, key], in whole squares of 32 keys x 16
  /// values.
  void transposeValues(mlir::Value values, mlir::Value numKeys,
                       mlir::Value target);

private:
  mlir::Value load(mlir::Value memref, mlir::Value row, mlir::Value column);

  KernelBuilder &k;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_AMXPRODUCTS_H

//===- MatmulBlock.h - What tiles of matrix products agree on ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TARGET_MATMULBLOCK_H
#define LATTN_TARGET_MATMULBLOCK_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>

namespace lattn {

/// Marks a matrix product on a tile: convert-lattn-to-vector makes a kernel of
/// it.
inline constexpr llvm::StringLiteral kMatmulTile = "lattn.matmul_tile";

/// `rows` x `vectors` sums that stay in registers.
struct MatmulBlock {
  int64_t rows, vectors;

  /// Whole blocks of rows that a tile has: what is packed for it stays in L2,
  /// and is enough work for the packing of the other operand.
  int64_t getRowTile() const {
    constexpr int64_t about = 96;
    return about / rows * rows;
  }
};

/// Beside the sums, a row of vectors and one broadcast. More vectors than two
/// spare loads, and addresses of rows: those of 14 rows x 2 vectors do not fit
/// the general registers, and what computes them takes the ports of FMAs.
inline MatmulBlock chooseMatmulBlock(int64_t registers) {
  int64_t vectors = registers < 8 ? 1 : registers < 32 ? 2 : 4;
  int64_t rows = (registers - vectors - 1) / vectors;
  return {std::clamp<int64_t>(rows, 1, 16), vectors};
}

} // namespace lattn

#endif // LATTN_TARGET_MATMULBLOCK_H

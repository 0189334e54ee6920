//===- MatmulBlock.h - What tiles of matrix products agree on ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TARGET_MATMULBLOCK_H
#define LATTN_TARGET_MATMULBLOCK_H

#include <algorithm>
#include <cstdint>

namespace lattn {

/// `rows` x `vectors` sums that stay in registers.
struct MatmulBlock {
  int64_t rows, vectors;
  /// Whether an FMA takes an element of a vector, but no scalar from memory.
  bool byElement;

  /// Of blocks of rows that several products stay in. Each block packs the
  /// weights that it reads: a large L2 is for blocks of more rows.
  int64_t getRowTile(int64_t l2Bytes) const {
    return (l2Bytes < 2 << 20 ? 384 : 768) / rows * rows;
  }
};

/// Beside the sums, a row of vectors and one broadcast; or, where an FMA takes
/// an element, a vector of each row.
inline MatmulBlock chooseMatmulBlock(int64_t vectorBits, int64_t registers) {
  bool byElement = registers >= 32 && vectorBits < 512;
  int64_t vectors = registers < 8 ? 1 : registers < 32 ? 2 : 4;
  int64_t left = registers - vectors;
  int64_t rows = byElement ? left / (vectors + 1) : (left - 1) / vectors;
  return {std::clamp<int64_t>(rows, 1, 16), vectors, byElement};
}

/// What of B is packed at a time: cache lines of products x columns.
struct MatmulTileOfB {
  int64_t lines, columns;
};

/// It fills half of L2 at most, and a MiB of the stack. More products a tile
/// load and store the sums less often.
inline MatmulTileOfB chooseMatmulTileOfB(int64_t l2Bytes) {
  int64_t lines = l2Bytes < 2 << 20 ? 16 : 32;
  int64_t columns = l2Bytes / 2 / (64 * lines) / 64 * 64;
  return {lines, std::clamp<int64_t>(columns, 128, 512)};
}

} // namespace lattn

#endif // LATTN_TARGET_MATMULBLOCK_H

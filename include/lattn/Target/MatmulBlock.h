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
  /// Whether an FMA can take one element of a vector, but not a scalar from
  /// memory.
  bool byElement;

  /// The rows of a block whose rows go through several products. Each block
  /// packs the weights that it reads, so a large L2 cache gets blocks of more
  /// rows.
  int64_t getRowTile(int64_t l2Bytes) const {
    return (l2Bytes < 2 << 20 ? 384 : 768) / rows * rows;
  }
};

/// Besides the sums, registers hold a row of vectors and one broadcast. If an
/// FMA takes an element, they hold a vector of each row instead of the
/// broadcast.
inline MatmulBlock chooseMatmulBlock(int64_t vectorBits, int64_t registers) {
  bool byElement = registers >= 32 && vectorBits < 512;
  int64_t vectors = registers < 8 ? 1 : registers < 32 ? 2 : 4;
  int64_t left = registers - vectors;
  int64_t rows = byElement ? left / (vectors + 1) : (left - 1) / vectors;
  return {std::clamp<int64_t>(rows, 1, 16), vectors, byElement};
}

/// The part of B that is packed at a time: cache lines of products x columns.
struct MatmulTileOfB {
  int64_t lines, columns;
};

/// It fills at most half of L2, and at most a MiB of the stack. With more
/// products in a tile, sums are loaded and stored less often.
inline MatmulTileOfB chooseMatmulTileOfB(int64_t l2Bytes) {
  int64_t lines = l2Bytes < 2 << 20 ? 16 : 32;
  int64_t columns = l2Bytes / 2 / (64 * lines) / 64 * 64;
  return {lines, std::clamp<int64_t>(columns, 128, 512)};
}

} // namespace lattn

#endif // LATTN_TARGET_MATMULBLOCK_H

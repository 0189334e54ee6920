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

  /// About 96 rows, of blocks of rows that several products stay in.
  int64_t getRowTile() const { return std::max<int64_t>(96 / rows, 1) * rows; }
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

/// Columns whose panels, 1 KiB each, fill half of L2 at most, and half a MiB of
/// the stack.
inline int64_t getMatmulColumns(int64_t l2Bytes) {
  return std::clamp<int64_t>(l2Bytes / 2048 / 64 * 64, 128, 512);
}

} // namespace lattn

#endif // LATTN_TARGET_MATMULBLOCK_H

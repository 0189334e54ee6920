//===- AttentionBlock.h - Register blocks of attention ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The register blocks of all kernels of attention. The cost model and the
// kernels must agree on them.

#ifndef LATTN_TARGET_ATTENTIONBLOCK_H
#define LATTN_TARGET_ATTENTIONBLOCK_H

#include <algorithm>
#include <cstdint>

namespace lattn {

/// `rows` keys or values x `vectors` vectors of queries, whose sums stay in
/// registers. A kernel works on a query tile in groups of `vectors`.
struct AttentionBlock {
  int64_t rows, vectors;
};

/// For a query tile of `tileVectors` vectors. Besides the sums, registers hold
/// a row of vectors and one broadcast. If a broadcast is an operand of the FMA,
/// a group of one vector wastes the fewest queries at the window's edges.
inline AttentionBlock chooseAttentionBlock(int64_t vectorBits,
                                           int64_t registers,
                                           int64_t tileVectors) {
  int64_t vectors = registers >= 32 && vectorBits >= 512 ? 1 : 2;
  if (tileVectors % vectors)
    vectors = 1;
  // If a broadcast is an instruction of its own, LLVM loads a dozen ahead. With
  // more sums than half of 32 registers, it would spill them in the inner loop.
  if (registers >= 32 && vectorBits < 512)
    return {16 / vectors, vectors};
  int64_t rows = (registers - vectors - 1) / vectors;
  return {std::clamp<int64_t>(rows, 1, 16), vectors};
}

/// The same where gradients are dot products of bf16: each broadcast is an
/// operand of two, so that loads do not bound them.
inline AttentionBlock chooseDotGradBlock(int64_t vectorBits, int64_t registers,
                                         int64_t tileVectors) {
  AttentionBlock block =
      chooseAttentionBlock(vectorBits, registers, tileVectors);
  if (block.vectors == 1 && tileVectors % 2 == 0)
    return {std::min<int64_t>(block.rows, 12), 2};
  return block;
}

/// With mixed lanes: the sums of `rows` queries x `vectors` vectors of
/// features.
struct ValueBlock {
  int64_t rows, vectors;
};

/// For vectors of `lanes` lanes and values of `valueDim` features. Fewer
/// queries see fewer keys at the window's edges. But there must be enough sums
/// that they do not wait for each other.
inline ValueBlock chooseValueBlock(int64_t registers, int64_t lanes,
                                   int64_t valueDim) {
  return {valueDim > lanes ? 4 : 8, registers >= 32 ? 4 : 2};
}

/// The same of few queries. A value that is in registers serves `rows` queries.
/// One query takes as many vectors of features as have their sums in flight.
inline ValueBlock chooseFewQueriesBlock(int64_t registers, int64_t queries) {
  if (queries == 1)
    return {1, 8};
  int64_t rows = queries < 4 || (queries % 4 && queries % 2 == 0) ? 2 : 4;
  return {rows, std::max<int64_t>(1, registers / 2 / rows)};
}

/// Sums of weighted rows: `rows` rows x vectors of features. A whole tile has
/// `tileRows` rows of `width` features.
inline ValueBlock chooseRowSumBlock(int64_t registers, int64_t lanes,
                                    int64_t width, int64_t tileRows) {
  // Beside the sums: a row of vectors, and a broadcast.
  int64_t most = registers >= 32 ? 4 : 2;
  int64_t vectors = std::min<int64_t>(most, (width + lanes - 1) / lanes);
  int64_t rows =
      std::clamp<int64_t>((registers - vectors - 2) / vectors, 1, 12);
  // Rows that are left over go one at a time: whole tiles leave none, if half
  // as many rows or more do that.
  for (int64_t fewer = rows; fewer >= std::max<int64_t>(1, rows / 2); --fewer)
    if (tileRows % fewer == 0) {
      rows = fewer;
      break;
    }
  return {std::min(rows, tileRows), most};
}

/// Tangents: a block of `keys` keys of scores and of their tangents, each
/// element of which is broadcast once for both; and a block of both sums of
/// values, of at most `values.rows` queries.
struct TangentBlocks {
  int64_t keys;
  ValueBlock values;
};

inline TangentBlocks chooseTangentBlocks(int64_t lanes, int64_t valueDim) {
  return {8, {valueDim > lanes ? 4 : 8, 2}};
}

} // namespace lattn

#endif // LATTN_TARGET_ATTENTIONBLOCK_H

//===- AMXTile.h - Tile registers of AMX as data ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The cost model and the micro-kernel must agree on these.

#ifndef LATTN_TARGET_AMXTILE_H
#define LATTN_TARGET_AMXTILE_H

#include "lattn/Target/AttentionBlock.h"

namespace lattn {

/// A tile of bf16 is 16 rows x 32 elements, a tile of f32 16 x 16.
struct AMXTile {
  static constexpr int64_t rows = 16, depth = 32;

  /// Tiles of keys or values x vectors of queries. Their sums stay in four of
  /// the eight registers. Groups are as in AttentionBlock. With fewer sums,
  /// each product would wait for the one before.
  static AttentionBlock chooseBlock(int64_t tileVectors) {
    int64_t vectors = tileVectors % 2 ? 1 : 2;
    return {4 / vectors, vectors};
  }
};

/// Cycles of one core for the products of a step over `keys` keys, for a group
/// of `vectors` vectors of 16 queries. Source: the throughputs in Intel's
/// optimization manual.
struct AMXCycles {
  double products, loads, stores;

  AMXCycles(int64_t keys, int64_t vectors, int64_t headDim, int64_t valueDim) {
    constexpr int64_t rows = AMXTile::rows, depth = AMXTile::depth;
    auto tiles = [](int64_t size, int64_t unit) {
      return double((size + unit - 1) / unit);
    };
    auto block = AMXTile::chooseBlock(vectors);
    double scores = tiles(keys, rows) * vectors;
    double sums = tiles(valueDim, rows) * vectors;
    double count = scores * tiles(headDim, depth) + sums * tiles(keys, depth);
    products = 16 * count;
    loads = 8 * count * (1.0 / block.rows + 1.0 / block.vectors);
    stores = 16 * (scores + sums);
  }
  double get() const { return std::max(products, loads) + stores; }
};

} // namespace lattn

#endif // LATTN_TARGET_AMXTILE_H

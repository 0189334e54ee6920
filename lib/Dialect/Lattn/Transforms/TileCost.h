//===- TileCost.h - Cycles of tiles of attention ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Cycles of a query tile, from what bounds the micro-kernel: FMAs and exp in
// registers, what a step over a key tile costs however small it is, keys and
// values that come from a cache further away. The constants are measured; see
// docs/Performance.md. The number of threads does not enter: the sizes decide
// in which order scores are summed.

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"

namespace lattn {

/// Whether query, key and value are bf16.
bool isOfBF16(AttentionOp op);

class TileCost {
public:
  TileCost(AttentionOp op, const TileModel &model);
  /// Cycles of one query.
  double get(TileSizes sizes) const;
  /// The same with mixed lanes; infinite where they cannot be.
  double getMixed(TileSizes sizes) const;
  /// Keys of a tile of `query` queries, so that one step takes all, if the
  /// window bounds them.
  std::optional<int64_t> getBand(int64_t query) const;
  /// The same with products of tiles of bf16; infinite where they cannot be.
  double getByAMX(TileSizes sizes) const;
  int64_t getLanes() const { return lanes; }
  /// No tile need be larger, up to whole groups.
  int64_t getMostQueries() const { return queries; }

private:
  /// Keys that a tile of queries sees, steps over them, and keys in steps with
  /// a mask.
  struct Extent {
    double seen, steps, hidden;
  };
  Extent getExtent(TileSizes sizes) const;
  /// Of `cycles` for a tile that sees `seen` keys: with what keys and values
  /// from L2 or beyond cost, for one query. `isSpread`: the kernel asks for the
  /// next tile's rows all the time.
  double getOfOne(double cycles, double seen, TileSizes sizes,
                  bool isSpread = false) const;

  static constexpr double exp = 6.5, mask = 6, packing = 5, rescale = 1.5;
  /// FMAs of a cycle, each with an operand in memory and some with one more.
  static constexpr double fmasOfLoads = 1.88;
  static constexpr double call = 250, copy = 1.5, late = 20;

  TileModel model;
  int64_t lanes;
  int64_t queries, keys; // a typical length where it is not known
  WindowAttrInterface window;
  int64_t headDim, valueDim, elementBytes;
  std::optional<Products> products; // that the op asks for
  bool masked, staged, byPairs, valuesByPairs, mayBeMixed, mayBeAMX;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H

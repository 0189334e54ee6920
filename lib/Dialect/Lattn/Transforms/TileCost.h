//===- TileCost.h - Cycles of tiles of attention ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The cycles of a query tile, from the limits of the micro-kernel: FMAs and exp
// in registers, the fixed cost of a step over a key tile, and keys and values
// that come from a cache further away. The constants are measured; see
// docs/Performance.md. The number of threads must not matter, because the sizes
// decide in which order scores are summed.

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"

namespace lattn {

/// Whether query, key and value are bf16.
bool isOfBF16(AttentionOpInterface op);

class TileCost {
public:
  TileCost(AttentionOp op, const TileModel &model);
  /// Cycles of one query.
  double get(TileSizes sizes) const;
  /// The same with mixed lanes; infinite if they are not possible.
  double getMixed(TileSizes sizes) const;
  /// The keys that a tile of `query` queries sees, so that one step takes all
  /// of them. None if the window does not bound them.
  std::optional<int64_t> getBand(int64_t query) const;
  /// The same with products of tiles of bf16; infinite if they are not
  /// possible.
  double getByAMX(TileSizes sizes) const;
  int64_t getLanes() const { return lanes; }
  /// A tile of more queries than this, rounded up to whole groups, has no use.
  int64_t getMostQueries() const { return queries; }

private:
  /// Keys that a tile of queries sees, steps over them, and keys in steps with
  /// a mask.
  struct Extent {
    double seen, steps, hidden;
  };
  Extent getExtent(TileSizes sizes) const;
  /// Cycles for one query, if a tile that sees `seen` keys takes `cycles` in
  /// registers. Adds the cost of keys and values that come from L2 or beyond.
  /// With `isSpread`, the kernel prefetches the next tile's rows all the time.
  double getOfOne(double cycles, double seen, TileSizes sizes,
                  bool isSpread = false) const;

  static constexpr double exp = 6.5, mask = 6, packing = 5, rescale = 1.5;
  /// FMAs in a cycle, if each has an operand in memory and some have one more.
  static constexpr double fmasOfLoads = 1.88;
  static constexpr double call = 250, copy = 1.5, late = 20;

  TileModel model;
  int64_t lanes;
  int64_t queries, keys; // a typical length if it is not known
  WindowAttrInterface window;
  int64_t headDim, valueDim, elementBytes;
  std::optional<Products> products; // those that the op asks for
  bool masked, staged, byPairs, valuesByPairs, mayBeMixed, mayBeAMX;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_TILECOST_H

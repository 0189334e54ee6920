//===- TileSizes.h - How attention is cut into tiles ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TARGET_TILESIZES_H
#define LATTN_TARGET_TILESIZES_H

#include <cstdint>
#include <map>
#include <string>

namespace lattn {

/// How attention is cut into tiles.
struct TileSizes {
  /// A tile's scores lie on the stack, and code for its queries is unrolled.
  static constexpr int64_t mostQueries = 512, mostKeys = 4096;

  int64_t query = 16;
  int64_t key = 64;

  bool isInBounds() const {
    return query >= 1 && query <= mostQueries && key >= 1 && key <= mostKeys;
  }
  bool operator==(const TileSizes &other) const {
    return query == other.query && key == other.key;
  }
};

/// Measured sizes, by the kernel's name (getKernelName).
using TunedTiles = std::map<std::string, TileSizes>;

} // namespace lattn

#endif // LATTN_TARGET_TILESIZES_H

//===- TilePlan.h - Which tiles attention is cut into -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How lattn-tile and lattn-split-kv cut an attention whose sizes are known: the
// tiles of queries, the runs over keys of each, and how many pairs they
// compute.

#ifndef LATTN_ANALYSIS_TILEPLAN_H
#define LATTN_ANALYSIS_TILEPLAN_H

#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Target/TileSizes.h"

namespace lattn {

/// The largest number of keys that any `queries` consecutive queries see
/// together. Nothing if the window is unbounded at one side.
std::optional<int64_t> getMostSeenKeys(const WindowBounds &window,
                                       int64_t queries);

/// Whether there may be a tile of keys that each query sees as a whole. If not,
/// one run over edges does for all keys of a tile of queries.
bool mayHaveInterior(const WindowBounds &window, bool hasKeyMask,
                     int64_t keyTile);

/// The rows of one batch and one head, which tiles cut.
struct TileDomain {
  WindowAttrInterface window; // null: full
  int64_t rows;               // queries; `grouped`: heads that share keys
  int64_t keys;               // of the array
  int64_t numKeys;            // keys [0, numKeys) can be seen
  int64_t offset;             // row 0's position
  bool grouped = false;       // all rows have that position
  bool hasKeyMask = false;    // any key may be hidden
  int64_t keyOrigin = 0;      // the first key's position

  /// The keys of rows first..last (inclusive).
  TileKeys getKeys(int64_t first, int64_t last) const;
};

/// The runs over key tiles, in this order; only Interior needs no mask.
enum class RunKind { LeftEdge, Interior, RightEdge };

struct KeyRun {
  RunKind kind;
  KeyRange keys; // not empty
};

/// A tile of rows first..last (inclusive) and the keys that it visits.
struct TileRow {
  int64_t first, last;
  llvm::SmallVector<KeyRun> runs;
  llvm::SmallVector<int64_t> cuts; // where one part of split-KV follows another
};

/// The number of steps of all tiles. `skipped` is how many more there would be
/// for all keys.
struct TileSteps {
  int64_t masked = 0, full = 0, skipped = 0;
};

/// The tiles of a domain. Sizes of 0 stand for naive loops, which compute every
/// pair and mask it.
class TilePlan {
public:
  TilePlan(TileDomain domain, TileSizes sizes, int64_t parts = 1);

  const TileDomain &getDomain() const { return domain; }
  int64_t getQueryTile() const { return sizes.query; }
  int64_t getKeyTile() const { return sizes.key; }
  int64_t getNumTiles() const;
  /// The keys of a tile, before they are cut into runs.
  TileKeys getKeys(int64_t tile) const;
  TileRow getTile(int64_t tile) const;
  /// Tiles [begin, end) as one: each run from its first to its last key.
  TileRow getMergedTiles(int64_t begin, int64_t end) const;

  /// The number of visible (row, key) pairs. `keyMask` hides the keys whose
  /// element is 0; if it is empty, there is no mask.
  int64_t countVisible(llvm::ArrayRef<char> keyMask = {}) const;
  /// The number of pairs that kernels compute. They compute `group` rows of a
  /// tile at once, and leave out groups without a row.
  double countExecuted(int64_t group) const;
  TileSteps countSteps() const;

private:
  int64_t getNumRows(int64_t tile) const;
  void addRuns(TileKeys keys, TileRow &row) const;

  TileDomain domain;
  TileSizes sizes;
  int64_t parts;
  bool isLoops;
};

} // namespace lattn

#endif // LATTN_ANALYSIS_TILEPLAN_H

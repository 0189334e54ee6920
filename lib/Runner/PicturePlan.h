//===- PicturePlan.h - The tiles that a picture shows -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_PICTUREPLAN_H
#define LATTN_LIB_RUNNER_PICTUREPLAN_H

#include "Work.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"

namespace lattn {

/// The runs over key tiles, in this order; only Interior needs no mask.
enum class RunKind { LeftEdge, Interior, RightEdge };

struct KeyRun {
  RunKind kind;
  KeyRange keys; // not empty
};

/// A tile of queries first..last (inclusive) and the keys that it visits.
struct TileRow {
  int64_t first, last;
  llvm::SmallVector<KeyRun> runs;
  llvm::SmallVector<int64_t> cuts; // where a part of split-KV follows another
};

/// The tiles of one batch of an attention, as lattn-tile and lattn-split-kv
/// make them. Naive loops count as edges: they compute every pair and mask it.
class TilePlan {
public:
  TilePlan(const AttentionWork &work, const BatchPlace &place);

  int64_t getQueryTile() const { return queryTile; }
  int64_t getKeyTile() const { return keyTile; }
  int64_t getNumRows() const;
  TileRow getRow(int64_t row) const;
  /// Rows [begin, end) as one: each run from its first to its last key.
  TileRow getMergedRows(int64_t begin, int64_t end) const;
  /// What some query of first..last sees.
  KeyRange getVisible(int64_t first, int64_t last) const;

  const AttentionWork &work;
  const BatchPlace &place;

private:
  void addRuns(TileKeys keys, TileRow &row) const;

  int64_t queryTile, keyTile;
};

/// Tiles over batches and heads. `skipped`: how many fewer than for all keys.
struct TileCounts {
  int64_t masked = 0, full = 0, skipped = 0;
};
TileCounts countTiles(const AttentionWork &work);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_PICTUREPLAN_H

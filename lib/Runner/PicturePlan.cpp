//===- PicturePlan.cpp - The tiles that a picture shows -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PicturePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;

/// Loops have no tiles: this many queries a row of the picture.
constexpr int64_t kLoopRows = 16;

TilePlan::TilePlan(const AttentionWork &work, const BatchPlace &place)
    : work(work), place(place),
      queryTile(work.queryTile ? work.queryTile : kLoopRows),
      keyTile(work.keyTile ? work.keyTile : std::max<int64_t>(1, work.keys)) {}

int64_t TilePlan::getNumRows() const {
  return llvm::divideCeil(work.queries, queryTile);
}

static void add(TileRow &row, RunKind kind, int64_t begin, int64_t end) {
  if (begin < end)
    row.runs.push_back({kind, {begin, end}});
}

/// The same cuts as QueryTile::run makes in IR.
void TilePlan::addRuns(TileKeys keys, TileRow &row) const {
  auto [begin, end] = keys.touched;
  bool masked = (work.geometry && !work.isGrouped) || work.hasKeyMask;
  if (!masked)
    return add(row, RunKind::Interior, begin, end);
  int64_t left =
      begin + llvm::alignTo(keys.interior.begin - begin, uint64_t(keyTile));
  left = std::min(left, end);
  int64_t right =
      begin + llvm::alignDown(keys.interior.end - begin, uint64_t(keyTile));
  right = std::max(right, left);
  add(row, RunKind::LeftEdge, begin, left);
  add(row, RunKind::Interior, left, right);
  add(row, RunKind::RightEdge, right, end);
}

TileRow TilePlan::getRow(int64_t i) const {
  TileRow row;
  row.first = i * queryTile;
  row.last = std::min(row.first + queryTile, work.queries) - 1;
  if (!work.queryTile) {
    add(row, RunKind::LeftEdge, 0, work.keys);
    return row;
  }
  TileKeys keys = getTileKeys(work.geometry, place.offset + row.first,
                              place.offset + row.last, place.numKeys);
  if (work.hasKeyMask) // any key may be hidden
    keys.interior = {keys.touched.end, keys.touched.end};
  // Parts are whole key tiles, as QueryTile::getPart has it.
  auto [begin, end] = keys.touched;
  int64_t length =
      llvm::alignTo(keys.touched.size(), keyTile * work.parts) / work.parts;
  for (int64_t at = begin; at < end; at += length) {
    if (at > begin)
      row.cuts.push_back(at);
    int64_t stop = std::min(at + length, end);
    auto clamp = [&](int64_t key) { return std::clamp(key, at, stop); };
    addRuns(
        {{at, stop}, {clamp(keys.interior.begin), clamp(keys.interior.end)}},
        row);
  }
  return row;
}

TileRow TilePlan::getMergedRows(int64_t begin, int64_t end) const {
  if (end - begin == 1)
    return getRow(begin);
  TileRow merged;
  std::optional<KeyRange> ranges[3];
  for (int64_t i = begin; i < end; ++i) {
    TileRow row = getRow(i);
    if (i == begin)
      merged.first = row.first;
    merged.last = row.last;
    for (const KeyRun &run : row.runs) {
      std::optional<KeyRange> &range = ranges[unsigned(run.kind)];
      if (!range)
        range = run.keys;
      range->begin = std::min(range->begin, run.keys.begin);
      range->end = std::max(range->end, run.keys.end);
    }
  }
  for (auto [i, range] : llvm::enumerate(ranges))
    if (range)
      merged.runs.push_back({RunKind(i), *range});
  return merged;
}

KeyRange TilePlan::getVisible(int64_t first, int64_t last) const {
  return getTileKeys(work.geometry, place.offset + first, place.offset + last,
                     place.numKeys)
      .touched;
}

TileCounts lattn::countTiles(const AttentionWork &work) {
  TileCounts counts;
  if (!work.queryTile)
    return counts;
  int64_t heads = work.heads; // that have tiles of their own
  if (work.isGrouped)
    heads = work.kvHeads *
            llvm::divideCeil(work.heads / std::max<int64_t>(1, work.kvHeads),
                             work.queryTile);
  for (const BatchPlace &place : work.places) {
    TilePlan plan(work, place);
    int64_t all = llvm::divideCeil(work.keys, work.keyTile);
    for (int64_t i = 0; i < plan.getNumRows(); ++i) {
      int64_t masked = 0, full = 0;
      for (const KeyRun &run : plan.getRow(i).runs) {
        int64_t tiles = llvm::divideCeil(run.keys.size(), work.keyTile);
        (run.kind == RunKind::Interior ? full : masked) += tiles;
      }
      counts.masked += masked * heads;
      counts.full += full * heads;
      counts.skipped += std::max<int64_t>(0, all - masked - full) * heads;
    }
  }
  return counts;
}

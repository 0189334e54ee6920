//===- TilePlan.cpp - Which tiles attention is cut into -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Analysis/TilePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;

std::optional<int64_t> lattn::getMostSeenKeys(const WindowBounds &window,
                                              int64_t queries) {
  Halo halo = getHalo(window);
  if (!halo.before || !halo.after)
    return std::nullopt;
  return *halo.before + *halo.after + queries;
}

bool lattn::mayHaveInterior(const WindowBounds &window, bool hasKeyMask,
                            int64_t keyTile) {
  return !hasKeyMask &&
         getMostSeenKeys(window, /*queries=*/1).value_or(keyTile) >= keyTile;
}

TileKeys TileDomain::getKeys(int64_t first, int64_t last) const {
  if (grouped)
    first = last = 0;
  TileKeys keys =
      getTileKeys(window, offset + first, offset + last, keyOrigin + numKeys);
  for (KeyRange *range : {&keys.touched, &keys.interior})
    *range = {std::max<int64_t>(0, range->begin - keyOrigin),
              std::max<int64_t>(0, range->end - keyOrigin)};
  if (hasKeyMask)
    keys.interior = {keys.touched.end, keys.touched.end};
  return keys;
}

/// Loops have no tiles: this many rows stand for one.
constexpr int64_t kLoopRows = 16;

TilePlan::TilePlan(TileDomain domain, TileSizes sizes, int64_t parts)
    : domain(domain), sizes(sizes), parts(parts), isLoops(!sizes.query) {
  if (isLoops)
    this->sizes = {kLoopRows, std::max<int64_t>(1, domain.keys)};
}

int64_t TilePlan::getNumTiles() const {
  return llvm::divideCeil(domain.rows, sizes.query);
}

static void add(TileRow &row, RunKind kind, int64_t begin, int64_t end) {
  if (begin < end)
    row.runs.push_back({kind, {begin, end}});
}

/// The same cuts as QueryTile::run makes in IR.
void TilePlan::addRuns(TileKeys keys, TileRow &row) const {
  auto [begin, end] = keys.touched;
  bool masked = (domain.window && !domain.grouped) || domain.hasKeyMask;
  if (!masked)
    return add(row, RunKind::Interior, begin, end);
  if (!mayHaveInterior(domain.window, domain.hasKeyMask, sizes.key))
    return add(row, RunKind::LeftEdge, begin, end);
  int64_t left =
      begin + llvm::alignTo(keys.interior.begin - begin, uint64_t(sizes.key));
  left = std::min(left, end);
  int64_t right =
      begin + llvm::alignDown(keys.interior.end - begin, uint64_t(sizes.key));
  right = std::max(right, left);
  add(row, RunKind::LeftEdge, begin, left);
  add(row, RunKind::Interior, left, right);
  add(row, RunKind::RightEdge, right, end);
}

int64_t TilePlan::getNumRows(int64_t tile) const {
  return std::min(sizes.query, domain.rows - tile * sizes.query);
}

TileKeys TilePlan::getKeys(int64_t tile) const {
  int64_t first = tile * sizes.query;
  return domain.getKeys(first, first + getNumRows(tile) - 1);
}

TileRow TilePlan::getTile(int64_t tile) const {
  TileRow row;
  row.first = tile * sizes.query;
  row.last = row.first + getNumRows(tile) - 1;
  if (isLoops) {
    add(row, RunKind::LeftEdge, 0, domain.keys);
    return row;
  }
  TileKeys keys = getKeys(tile);
  auto [begin, end] = keys.touched;
  // Parts are whole key tiles, as QueryTile::getPart has it.
  int64_t length =
      llvm::alignTo(keys.touched.size(), sizes.key * parts) / parts;
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

TileRow TilePlan::getMergedTiles(int64_t begin, int64_t end) const {
  TileRow merged = getTile(begin);
  if (end - begin == 1)
    return merged;
  merged.runs.clear();
  merged.cuts.clear();
  std::optional<KeyRange> ranges[3];
  for (int64_t i = begin; i < end; ++i) {
    TileRow row = getTile(i);
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

int64_t TilePlan::countVisible(llvm::ArrayRef<char> keyMask) const {
  std::vector<int64_t> before(keyMask.size() + 1); // of visible keys
  for (auto [t, isVisible] : llvm::enumerate(keyMask))
    before[t + 1] = before[t] + (isVisible != 0);
  int64_t pairs = 0;
  for (int64_t row = 0; row < domain.rows; ++row) {
    KeyRange keys = domain.getKeys(row, row).touched;
    pairs += keyMask.empty() || !keys.size()
                 ? keys.size()
                 : before[keys.end] - before[keys.begin];
  }
  return pairs;
}

double TilePlan::countExecuted(int64_t group) const {
  if (isLoops)
    return double(domain.rows) * domain.keys;
  double pairs = 0;
  for (int64_t tile = 0; tile < getNumTiles(); ++tile) {
    int64_t computed = std::min<int64_t>(
        sizes.query, llvm::alignTo(getNumRows(tile), uint64_t(group)));
    pairs += double(computed) * getKeys(tile).touched.size();
  }
  return pairs;
}

TileSteps TilePlan::countSteps() const {
  TileSteps steps;
  int64_t all = llvm::divideCeil(domain.keys, sizes.key);
  for (int64_t i = 0; i < getNumTiles(); ++i) {
    int64_t masked = 0, full = 0;
    for (const KeyRun &run : getTile(i).runs)
      (run.kind == RunKind::Interior ? full : masked) +=
          llvm::divideCeil(run.keys.size(), sizes.key);
    steps.masked += masked;
    steps.full += full;
    steps.skipped += std::max<int64_t>(0, all - masked - full);
  }
  return steps;
}

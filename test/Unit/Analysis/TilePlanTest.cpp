//===- TilePlanTest.cpp - The plan of tiles against brute force -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Analysis/TilePlan.h"
#include "../Dialect/WindowSweep.h"

using namespace lattn;

namespace {

constexpr int64_t kRows = 13, kKeys = 19;
constexpr TileSizes kSizes = {4, 3};

class TilePlanTest : public ::testing::Test {
protected:
  TilePlanTest() {
    context.loadDialect<LattnDialect>();
    windows = sweepWindows(&context);
  }
  /// Calls `check` for windows, positions of query 0 and of key 0, and numbers
  /// of keys.
  void
  forDomains(llvm::function_ref<void(const TestWindow &, TileDomain)> check) {
    for (const TestWindow &window : windows)
      for (auto [numKeys, offset] :
           {std::pair<int64_t, int64_t>{19, 6}, {19, -9}, {11, 5}, {0, -13}})
        for (bool hasKeyMask : {false, true})
          for (bool grouped : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << window.text << " at " << offset << ", " << numKeys
                         << " keys" << (hasKeyMask ? ", mask" : "")
                         << (grouped ? ", grouped" : ""));
            TileDomain domain = {window.attr, kRows,   kKeys,     numKeys,
                                 offset,      grouped, hasKeyMask};
            check(window, domain);
            domain.keyOrigin = 7; // of a larger op's keys
            check(window, domain);
          }
  }

  mlir::MLIRContext context;
  std::vector<TestWindow> windows;
};

/// By the inequality alone.
bool isSeen(const TestWindow &window, const TileDomain &domain, int64_t row,
            int64_t key) {
  int64_t p = domain.offset + (domain.grouped ? 0 : row);
  return key < domain.numKeys &&
         reference::isVisible(window.reference, p, domain.keyOrigin + key);
}

/// How many rows of first..last see `key`.
int64_t countRows(const TestWindow &window, const TileDomain &domain,
                  int64_t first, int64_t last, int64_t key) {
  int64_t count = 0;
  for (int64_t row = first; row <= last; ++row)
    count += isSeen(window, domain, row, key);
  return count;
}

// Runs hold, in order and without a gap, the keys from the first to the last
// that some row sees. Those without a mask are all visible; with a mask there
// is no key tile that could do without.
TEST_F(TilePlanTest, Runs) {
  forDomains([&](const TestWindow &window, TileDomain domain) {
    for (int64_t parts : {1, 3}) {
      TilePlan plan(domain, kSizes, parts);
      ASSERT_EQ(plan.getNumTiles(), 4);
      for (int64_t i = 0; i < 4; ++i) {
        TileRow row = plan.getTile(i);
        ASSERT_EQ(row.first, 4 * i);
        ASSERT_EQ(row.last, std::min(4 * i + 3, kRows - 1));
        auto count = [&](int64_t key) {
          return countRows(window, domain, row.first, row.last, key);
        };
        std::vector<int64_t> seen, visited;
        for (int64_t key = 0; key < kKeys; ++key)
          if (count(key))
            seen.push_back(key);
        for (const KeyRun &run : row.runs)
          for (int64_t at = run.keys.begin; at < run.keys.end; at += 3) {
            int64_t end = std::min(at + 3, run.keys.end);
            bool isFull = !domain.hasKeyMask;
            for (int64_t key = at; key < end; ++key) {
              visited.push_back(key);
              isFull &= count(key) == row.last - row.first + 1;
            }
            bool mayBeFull = end - at == 3 || !window.attr || domain.grouped;
            ASSERT_EQ(run.kind == RunKind::Interior, isFull && mayBeFull)
                << "keys from " << at << " of tile " << i;
          }
        ASSERT_EQ(visited, seen);
      }
    }
  });
}

TEST_F(TilePlanTest, Parts) {
  TilePlan plan({nullptr, kRows, kKeys, 17, 0}, kSizes, /*parts=*/2);
  TileRow row = plan.getTile(1);
  ASSERT_EQ(row.cuts.size(), 1u); // of 6 key tiles, after 3
  EXPECT_EQ(row.cuts[0], 9);
  EXPECT_EQ(row.runs.size(), 2u);
}

TEST_F(TilePlanTest, Pairs) {
  std::mt19937 random(20261123);
  forDomains([&](const TestWindow &window, TileDomain domain) {
    std::vector<char> mask;
    for (int64_t t = 0; domain.hasKeyMask && t < kKeys; ++t)
      mask.push_back(random() % 2);
    TilePlan plan(domain, kSizes);
    int64_t visible = 0, executed = 0;
    for (int64_t row = 0; row < kRows; ++row)
      for (int64_t key = 0; key < kKeys; ++key) {
        visible +=
            isSeen(window, domain, row, key) && (mask.empty() || mask[key]);
        int64_t first = row / 4 * 4, last = std::min(first + 3, kRows - 1);
        executed += countRows(window, domain, first, last, key) > 0;
      }
    ASSERT_EQ(plan.countVisible(mask), visible);
    ASSERT_EQ(plan.countExecuted(1), executed);
  });
}

TEST_F(TilePlanTest, VisiblePairs) {
  for (const TestWindow &window : windows)
    for (int64_t numKeys : {0, 13})
      for (auto [first, last] : sweepTiles()) {
        TileDomain domain = {window.attr, last - first + 1, numKeys, numKeys,
                             first};
        int64_t pairs = 0;
        for (int64_t t = 0; t < numKeys; ++t)
          pairs += countRows(window, domain, 0, last - first, t);
        ASSERT_EQ(TilePlan(domain, kSizes).countVisible(), pairs)
            << window.text << " " << first << ".." << last << " of " << numKeys;
      }
  EXPECT_EQ(TilePlan({nullptr, 0, 10, 10, -3}, kSizes).countVisible(), 0);
}

// Rows that a kernel takes together are computed together.
TEST_F(TilePlanTest, RowsWithoutQueries) {
  auto count = [](int64_t rows, int64_t group) {
    return TilePlan({nullptr, rows, 64, 64, 0}, {64, 64}).countExecuted(group);
  };
  EXPECT_EQ(count(20, 16), 32 * 64);
  EXPECT_EQ(count(64 + 1, 16), (64 + 16) * 64);
  EXPECT_EQ(count(20, 64), 64 * 64);
  EXPECT_EQ(count(0, 16), 0);
}

// Naive loops compute every pair, those beyond the last key too.
TEST_F(TilePlanTest, Loops) {
  WindowAttr window = WindowAttr::get(&context, 1, 0, std::nullopt, 0, 0);
  TilePlan plan({window, 20, kKeys, 7, 0}, {0, 0});
  EXPECT_EQ(plan.countExecuted(1), 20 * kKeys);
  EXPECT_EQ(plan.countVisible(), 1 + 6 * 2 + 1);
  TileRow row = plan.getTile(1);
  ASSERT_EQ(row.runs.size(), 1u);
  EXPECT_EQ(row.runs[0].kind, RunKind::LeftEdge);
  EXPECT_EQ(row.runs[0].keys.size(), kKeys);
}

// A window of 1 before each query: 4 queries see 5 keys, 2 steps of 3; the
// first tile sees no key before 0, the tile of query 12 needs one step.
TEST_F(TilePlanTest, Steps) {
  WindowAttr window = WindowAttr::get(&context, 1, 0, std::nullopt, 0, 0);
  TilePlan plan({window, kRows, kKeys, kKeys, 0}, kSizes);
  TileSteps steps = plan.countSteps();
  EXPECT_EQ(steps.full, 0);
  EXPECT_EQ(steps.masked, 7);
  EXPECT_EQ(steps.skipped, 4 * 7 - 7);
}

TEST_F(TilePlanTest, MergedTilesHoldTheirTiles) {
  for (const TestWindow &window : windows) {
    TilePlan plan({window.attr, kRows, kKeys, kKeys, 3}, kSizes);
    TileRow merged = plan.getMergedTiles(1, 3);
    EXPECT_EQ(merged.first, 4);
    EXPECT_EQ(merged.last, 11);
    for (int64_t i = 1; i < 3; ++i)
      for (const KeyRun &run : plan.getTile(i).runs)
        EXPECT_TRUE(llvm::any_of(merged.runs, [&](const KeyRun &other) {
          return other.kind == run.kind && other.keys.begin <= run.keys.begin &&
                 run.keys.end <= other.keys.end;
        })) << window.text;
  }
}

// No tile sees more, and where there are no buckets one sees as many.
TEST_F(TilePlanTest, MostSeenKeys) {
  for (const TestWindow &window : windows)
    for (int64_t queries : {1, 4, 9}) {
      auto most = getMostSeenKeys(window.attr, queries);
      const reference::Window &w = window.reference;
      bool isOpen = !w.bucket && (!w.left || !w.right);
      ASSERT_EQ(most.has_value(), !isOpen) << window.text;
      constexpr int64_t keys = 200;
      if (isOpen || *most > keys / 2)
        continue;
      int64_t largest = 0;
      for (int64_t first = keys / 2; first < keys / 2 + 24; ++first) {
        SeenKeys seen(window, first, first + queries - 1, keys);
        largest = std::max<int64_t>(largest, seen.some.size());
      }
      ASSERT_LE(largest, *most) << window.text;
      if (!w.bucket)
        ASSERT_EQ(largest, *most) << window.text;
    }
}

} // namespace

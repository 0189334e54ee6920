//===- WorkTileOrderTest.cpp - How even the work of blocks is -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkTileOrder.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include <gtest/gtest.h>
#include <numeric>
#include <queue>

using namespace lattn;

namespace {

struct Tiles {
  int64_t queries, keys, blocks; // blocks of a multiprocessor
};
constexpr Tiles kTiles[] = {{128, 128, 1}, {128, 176, 1}, {64, 64, 2}};
constexpr int64_t kLengths[] = {512, 1000, 3000, 4096, 16384, 131072};
constexpr int64_t kHeads[] = {1, 2, 3, 5, 12, 16, 40, 100, 256};
constexpr int64_t kMultiprocessors[] = {132, 108, 114};

/// Steps over keys of each tile of `length` queries over as many keys.
std::vector<int64_t> countSteps(WindowAttrInterface window, int64_t length,
                                Tiles tiles) {
  std::vector<int64_t> steps;
  for (int64_t q = 0; q < length; q += tiles.queries) {
    int64_t last = std::min(q + tiles.queries, length) - 1;
    TileKeys keys = getTileKeys(window, q, last, length);
    steps.push_back(
        countKeySteps(keys, keys.touched.begin, tiles.keys).getAll());
  }
  return steps;
}

/// Steps of each block. Every work tile is some block's, once.
std::vector<int64_t> orderWork(const std::vector<int64_t> &steps, int64_t heads,
                               int64_t blocks, Tiles sizes) {
  int64_t tiles = steps.size();
  TileWork<int64_t> all = {tiles, heads, sizes.queries, sizes.keys};
  auto countSteps = [&](int64_t tile) { return steps.at(tile); };
  std::vector<int64_t> work(blocks);
  std::vector<bool> done(tiles * heads);
  for (int64_t block = 0; block < blocks; ++block) {
    WorkTileOrder<int64_t> order =
        orderWorkTiles(all, countSteps, block, blocks);
    EXPECT_GT(order.count, 0) << "block " << block << " has nothing to do";
    for (int64_t number = 0; number < order.count; ++number) {
      int64_t item = getWorkTile(order, number, block, blocks);
      EXPECT_TRUE(item >= 0 && item < tiles * heads && !done[item])
          << "item " << item << " of block " << block;
      if (item < 0 || item >= tiles * heads)
        return work;
      done[item] = true;
      work[block] += steps[item % tiles];
    }
  }
  EXPECT_EQ(llvm::count(done, false), 0);
  return work;
}

/// When all are done, of blocks that take the longest work tile left whenever
/// they are free: no order is much better.
int64_t takeLongestFirst(std::vector<int64_t> steps, int64_t heads,
                         int64_t blocks) {
  llvm::sort(steps, std::greater<>());
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> free;
  for (int64_t block = 0; block < blocks; ++block)
    free.push(0);
  int64_t end = 0;
  for (int64_t item : steps)
    for (int64_t head = 0; head < heads; ++head) {
      int64_t next = free.top() + item;
      free.pop();
      free.push(next);
      end = std::max(end, next);
    }
  return end;
}

/// No order ends before: the mean, the longest work tile, and k + 1 work tiles,
/// where each block had to do k and they are the shortest of k * blocks + 1.
int64_t getLeast(const std::vector<int64_t> &steps, int64_t heads,
                 int64_t blocks) {
  std::vector<int64_t> workTiles;
  int64_t all = 0;
  for (int64_t item : steps) {
    workTiles.insert(workTiles.end(), heads, item);
    all += heads * item;
  }
  llvm::sort(workTiles, std::greater<>());
  int64_t least = std::max((all + blocks - 1) / blocks, workTiles.front());
  for (size_t last = blocks; last < workTiles.size(); last += blocks) {
    auto end = workTiles.begin() + last + 1;
    least = std::max(
        least, std::accumulate(end - (last / blocks + 1), end, int64_t(0)));
  }
  return least;
}

class WorkTileOrderTest : public ::testing::Test {
protected:
  WorkTileOrderTest() { context.loadDialect<LattnDialect>(); }

  WindowAttrInterface window(std::optional<int64_t> left,
                             std::optional<int64_t> right) {
    return WindowAttr::get(&context, left, right, std::nullopt, 0, 0);
  }

  /// Efficiency is the best possible schedule's end for that of the order. The
  /// best possible is not known: where the order does not reach `wanted` of
  /// what no schedule can beat, it reaches `wanted` of what blocks reach that
  /// always take the longest work tile left, or is one step behind. Sequences
  /// of less than 4096 queries have few tiles, of one to eight steps:
  /// `wantedOfShort`.
  void check(WindowAttrInterface window, double wanted = 0.95,
             double wantedOfShort = 0.9) {
    for (Tiles tiles : kTiles)
      for (int64_t length : kLengths)
        for (int64_t heads : kHeads)
          for (int64_t multiprocessors : kMultiprocessors)
            check(countSteps(window, length, tiles), heads,
                  multiprocessors * tiles.blocks, tiles,
                  length < 4096 ? wantedOfShort : wanted);
  }

  void check(const std::vector<int64_t> &steps, int64_t heads, int64_t slots,
             Tiles tiles, double wanted) {
    int64_t workTiles = heads * steps.size(),
            blocks = std::min(workTiles, slots);
    int64_t most = *llvm::max_element(orderWork(steps, heads, blocks, tiles));
    int64_t least = getLeast(steps, heads, blocks);
    EXPECT_GE(most, least);
    if (double(least) >= wanted * double(most))
      return;
    int64_t best = takeLongestFirst(steps, heads, blocks);
    if (most > best + 1)
      EXPECT_GE(double(best) / double(most), wanted)
          << steps.size() << " tiles, " << heads << " heads, " << blocks
          << " blocks, tiles of " << tiles.queries << " x " << tiles.keys;
  }

  mlir::MLIRContext context;
};

TEST_F(WorkTileOrderTest, Full) { check({}, 1, 1); }
TEST_F(WorkTileOrderTest, Causal) { check(window(std::nullopt, 0)); }
TEST_F(WorkTileOrderTest, CausalBackwards) { check(window(0, std::nullopt)); }
TEST_F(WorkTileOrderTest, Windows) {
  for (int64_t left : {1024, 5000, 16384})
    check(window(left, 0));
  check(window(0, 1000));
  check(window(std::nullopt, 2000));
}
/// Tiles see 1 to 3 steps.
TEST_F(WorkTileOrderTest, NarrowWindows) {
  check(window(256, 0));
  check(window(100, 50));
}
/// Heads have a ramp at both ends.
TEST_F(WorkTileOrderTest, WindowsOnBothSides) {
  check(window(1000, 1000));
  check(window(20000, 20000));
}
/// Pairs of one ramp are longer than those of the other.
TEST_F(WorkTileOrderTest, UnequalSides) {
  check(window(5000, 2000), 0.93);
  check(window(3000, 500), 0.9);
  check(window(500, 3000), 0.9);
}

} // namespace

//===- ItemOrderTest.cpp - How even the work of blocks is -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ItemOrder.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include <gtest/gtest.h>
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

/// The work of the average block for the work of the one that has most.
double getEfficiency(const std::vector<int64_t> &work) {
  int64_t all = 0, most = 0;
  for (int64_t steps : work) {
    all += steps;
    most = std::max(most, steps);
  }
  return most ? double(all) / double(most) / double(work.size()) : 1;
}

/// Steps of each block. Every item is some block's, once.
std::vector<int64_t> orderWork(const std::vector<int64_t> &steps, int64_t heads,
                               int64_t blocks, Tiles sizes) {
  int64_t tiles = steps.size();
  ItemWork<int64_t> all = {tiles,        heads,         steps.front(),
                           steps.back(), sizes.queries, sizes.keys};
  std::vector<int64_t> work(blocks);
  std::vector<bool> done(tiles * heads);
  for (int64_t block = 0; block < blocks; ++block) {
    ItemOrder<int64_t> order = orderItems(all, block, blocks);
    EXPECT_GT(order.count, 0) << "block " << block << " has nothing to do";
    for (int64_t number = 0; number < order.count; ++number) {
      int64_t item = getItem(order, number, block, blocks);
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

/// What blocks do that take the longest item left whenever they are free: no
/// order is much better, and items that are few make it uneven too.
std::vector<int64_t> takeLongestFirst(std::vector<int64_t> steps, int64_t heads,
                                      int64_t blocks) {
  llvm::sort(steps, std::greater<>());
  std::priority_queue<int64_t, std::vector<int64_t>, std::greater<>> free;
  for (int64_t block = 0; block < blocks; ++block)
    free.push(0);
  for (int64_t item : steps)
    for (int64_t head = 0; head < heads; ++head) {
      int64_t next = free.top() + item;
      free.pop();
      free.push(next);
    }
  std::vector<int64_t> work;
  for (; !free.empty(); free.pop())
    work.push_back(free.top());
  return work;
}

class ItemOrderTest : public ::testing::Test {
protected:
  ItemOrderTest() { context.loadDialect<LattnDialect>(); }

  WindowAttrInterface window(std::optional<int64_t> left,
                             std::optional<int64_t> right) {
    return WindowAttr::get(&context, left, right, std::nullopt, 0, 0);
  }

  /// How even blocks are, for how even they are by the longest item first: at
  /// least `wanted` where they have four items or more, of at least 4096
  /// queries, `wantedOfShort` of fewer. With two to four items it is 70 %, with
  /// less than two no block has more than two.
  void check(WindowAttrInterface window, double wanted, double wantedOfShort) {
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
    int64_t items = heads * steps.size(), blocks = std::min(items, slots);
    std::vector<int64_t> work = orderWork(steps, heads, blocks, tiles);
    int64_t most = *llvm::max_element(work);
    if (items <= 2 * blocks) {
      EXPECT_LE(most, 2 * *llvm::max_element(steps));
      return;
    }
    double even = getEfficiency(work);
    if (items < 4 * blocks)
      wanted = std::min(wanted, 0.7);
    if (even < wanted)
      EXPECT_GE(even,
                wanted * getEfficiency(takeLongestFirst(steps, heads, blocks)))
          << steps.size() << " tiles, " << heads << " heads, " << blocks
          << " blocks, tiles of " << tiles.queries << " x " << tiles.keys;
  }

  mlir::MLIRContext context;
};

TEST_F(ItemOrderTest, Full) { check({}, 1, 1); }
TEST_F(ItemOrderTest, Causal) { check(window(std::nullopt, 0), 0.95, 0.87); }
TEST_F(ItemOrderTest, CausalBackwards) {
  check(window(0, std::nullopt), 0.95, 0.87);
}
TEST_F(ItemOrderTest, Windows) {
  for (int64_t left : {1024, 5000, 16384})
    check(window(left, 0), 0.9, 0.87);
}
/// Tiles see 1 to 3 steps.
TEST_F(ItemOrderTest, NarrowWindows) {
  check(window(256, 0), 0.9, 0.87);
  check(window(100, 50), 0.87, 0.79);
}

} // namespace

//===- ParallelTest.cpp - Every item runs once ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Parallel.h"
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <vector>

namespace {

struct Loop {
  std::vector<std::atomic<int>> runs;
  int64_t spin = 0; // ns an item
  bool nest = false;

  explicit Loop(int64_t n) : runs(n) {}
};

void spinFor(int64_t nanoseconds) {
  auto end =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
  while (std::chrono::steady_clock::now() < end)
    ;
}

void body(void *ctx, int64_t begin, int64_t end) {
  auto &loop = *static_cast<Loop *>(ctx);
  for (int64_t i = begin; i < end; ++i) {
    spinFor(loop.spin);
    ++loop.runs[i];
    if (loop.nest) {
      Loop inner(3);
      lattn_parallel_for(body, &inner, 3);
      for (std::atomic<int> &count : inner.runs)
        EXPECT_EQ(count, 1);
    }
  }
}

void check(int64_t n, int64_t spin, bool nest = false) {
  Loop loop(n);
  loop.spin = spin;
  loop.nest = nest;
  lattn_parallel_for(body, &loop, n);
  for (int64_t i = 0; i < n; ++i)
    EXPECT_EQ(loop.runs[i], 1) << i << " of " << n;
}

} // namespace

TEST(Parallel, EveryItemRunsOnce) {
  for (int64_t threads : {1, 2, 5}) {
    lattn_set_num_threads(threads);
    // What the same body took before is no promise: small after large and back.
    for (int64_t n : {0, 1, 2, 7, 64, 1000})
      for (int64_t spin : {0, 20000, 0, 200})
        check(n, spin);
  }
  lattn_set_num_threads(0);
}

TEST(Parallel, LoopsInsideBodies) {
  lattn_set_num_threads(3);
  check(50, 5000, /*nest=*/true);
  lattn_set_num_threads(0);
}

TEST(Parallel, RefusesTooManyThreads) {
  lattn_set_num_threads(3);
  lattn_set_num_threads(lattn::kMostThreads + 1);
  EXPECT_EQ(lattn_get_num_threads(), 3);
  lattn_set_num_threads(lattn::kMostThreads);
  EXPECT_EQ(lattn_get_num_threads(), lattn::kMostThreads);
  lattn_set_num_threads(0);
}

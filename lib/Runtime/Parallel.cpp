//===- Parallel.cpp - Parallel loops over OpenMP --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// OpenMP's pool, because it survives fork and is shared with whatever else in
// the process uses it.

#include "lattn/Runtime/Parallel.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

/// More threads than this are a typing error, and each costs a stack.
static constexpr int64_t kMaxThreads = 4096;
/// Ranges per thread: small enough to even out threads that start late.
static constexpr int64_t kRangesPerThread = 32;

using Body = void (*)(void *ctx, int64_t begin, int64_t end);

static std::atomic<int64_t> requestedThreads{0};
static thread_local bool insideBody = false;

static int64_t getDefaultThreads() {
  static const int64_t threads = [] {
    if (const char *text = std::getenv("LATTN_NUM_THREADS")) {
      char *end = nullptr;
      long value = std::strtol(text, &end, 10);
      if (end != text && *end == '\0' && value > 0)
        return std::min<int64_t>(value, kMaxThreads);
      std::fprintf(stderr,
                   "lattn: LATTN_NUM_THREADS: expected a positive integer, got "
                   "'%s'; using all processors\n",
                   text);
    }
    return std::max<int64_t>(omp_get_num_procs(), 1); // heeds the affinity mask
  }();
  return threads;
}

void lattn_set_num_threads(int64_t n) {
  requestedThreads = std::clamp<int64_t>(n, 0, kMaxThreads);
}

int64_t lattn_get_num_threads() {
  int64_t requested = requestedThreads;
  return requested ? requested : getDefaultThreads();
}

//===----------------------------------------------------------------------===//
// Small loops
//===----------------------------------------------------------------------===//

/// A region costs some 20 microseconds. Loops below this run on the caller.
static constexpr int64_t kSmallLoop = 50000; // ns

static int64_t getNow() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Nanoseconds an item of `body` took when it last ran, 0 if it never did.
/// Bodies that share a place only make the guess worse.
static std::atomic<int64_t> &getItemTime(Body body) {
  static std::atomic<int64_t> times[1024];
  auto address = reinterpret_cast<uintptr_t>(body);
  return times[(address >> 4) * 0x9E3779B97F4A7C15u >> 54];
}

/// Runs items on the caller for as long as little is left, and returns how many
/// it ran. Items are timed as they grow in number, for the first may be small:
/// a causal window's is.
static int64_t runAlone(Body body, void *ctx, int64_t n) {
  std::atomic<int64_t> &itemTime = getItemTime(body);
  int64_t done = 0, perItem = itemTime.load(std::memory_order_relaxed);
  int64_t before = getNow();
  while (done < n && perItem * (n - done) < kSmallLoop) {
    int64_t end = std::min(n, std::max<int64_t>(2 * done, 1));
    body(ctx, done, end);
    int64_t now = getNow();
    perItem = std::max<int64_t>((now - before) / (end - done), 1);
    before = now;
    done = end;
  }
  itemTime.store(perItem, std::memory_order_relaxed);
  return done;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Runs ranges until none is left.
static void runRanges(Body body, void *ctx, std::atomic<int64_t> &next,
                      int64_t n, int64_t size) {
  insideBody = true;
  int64_t items = 0, before = getNow();
  for (;;) {
    int64_t begin = next.fetch_add(size, std::memory_order_relaxed);
    if (begin >= n)
      break;
    int64_t end = std::min(n, begin + size);
    body(ctx, begin, end);
    items += end - begin;
  }
  insideBody = false;
  if (items > 0)
    getItemTime(body).store((getNow() - before) / items + 1,
                            std::memory_order_relaxed);
}

void lattn_parallel_for(Body body, void *ctx, int64_t n) {
  if (n <= 0)
    return;
  int64_t threads = std::min(lattn_get_num_threads(), n);
  if (threads == 1 || insideBody)
    return body(ctx, 0, n);
  int64_t begin = runAlone(body, ctx, n);
  if (begin == n)
    return;
  // A thread that spins after the region takes the core from its neighbours.
  kmp_set_blocktime(0);
  int64_t size =
      std::max<int64_t>((n - begin) / (threads * kRangesPerThread), 1);
  std::atomic<int64_t> next{begin};
#pragma omp parallel num_threads(static_cast<int>(threads))
  runRanges(body, ctx, next, n, size);
}

//===- Parallel.cpp - Parallel loops --------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In compiled programs too, which do not link the C++ library: nothing here may
// need it when it runs.

#include "lattn/Runtime/Parallel.h"
#include "Region.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

/// Ranges per thread: small enough to even out threads that start late.
static constexpr int64_t kRangesPerThread = 32;

using Body = void (*)(void *ctx, int64_t begin, int64_t end);

static std::atomic<int64_t> requestedThreads{0};
static thread_local bool insideBody = false;

static int64_t readDefaultThreads() {
  if (const char *text = std::getenv("LATTN_NUM_THREADS")) {
    char *end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (end != text && *end == '\0' && value > 0 &&
        value <= lattn::kMostThreads)
      return value;
    std::fprintf(
        stderr,
        "lattn: LATTN_NUM_THREADS: expected an integer from 1 to %lld, "
        "got '%s'; using all processors\n",
        static_cast<long long>(lattn::kMostThreads), text);
  }
  return std::max<int64_t>(lattn::countProcessors(), 1);
}

static int64_t getDefaultThreads() {
  static std::atomic<int64_t> known{0};
  int64_t threads = known;
  if (!threads)
    known = threads = readDefaultThreads();
  return threads;
}

void lattn_set_num_threads(int64_t n) {
  if (n > lattn::kMostThreads) {
    std::fprintf(stderr,
                 "lattn: lattn_set_num_threads: expected at most %lld, got "
                 "%lld; the number of threads stays as it is\n",
                 static_cast<long long>(lattn::kMostThreads),
                 static_cast<long long>(n));
    return;
  }
  requestedThreads = std::max<int64_t>(n, 0);
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
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
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

namespace {

/// What is left of a loop for the threads of a region.
struct Ranges {
  Body body;
  void *ctx;
  std::atomic<int64_t> next;
  int64_t n, size;
};

} // namespace

/// Runs ranges until none is left.
static void runRanges(void *pointer) {
  Ranges &ranges = *static_cast<Ranges *>(pointer);
  insideBody = true;
  int64_t items = 0, before = getNow();
  for (;;) {
    int64_t begin =
        ranges.next.fetch_add(ranges.size, std::memory_order_relaxed);
    if (begin >= ranges.n)
      break;
    int64_t end = std::min(ranges.n, begin + ranges.size);
    ranges.body(ranges.ctx, begin, end);
    items += end - begin;
  }
  insideBody = false;
  if (items > 0)
    getItemTime(ranges.body)
        .store((getNow() - before) / items + 1, std::memory_order_relaxed);
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
  int64_t size =
      std::max<int64_t>((n - begin) / (threads * kRangesPerThread), 1);
  Ranges ranges{body, ctx, {begin}, n, size};
  lattn::runRegion(threads, runRanges, &ranges);
}

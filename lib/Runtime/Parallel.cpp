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
#include <cstdio>
#include <cstdlib>
#include <omp.h>

/// More threads than this are a typing error, and each costs a stack.
static constexpr int64_t kMaxThreads = 4096;
/// Ranges per thread: small enough to even out threads that start late.
static constexpr int64_t kRangesPerThread = 32;

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

void lattn_parallel_for(void (*body)(void *, int64_t, int64_t), void *ctx,
                        int64_t n) {
  if (n <= 0)
    return;
  int64_t threads = std::min(lattn_get_num_threads(), n);
  if (threads == 1 || insideBody)
    return body(ctx, 0, n);
  // A thread that spins after the region takes the core from its neighbours.
  kmp_set_blocktime(0);
  int64_t size = std::max<int64_t>(n / (threads * kRangesPerThread), 1);
  std::atomic<int64_t> next{0};
#pragma omp parallel num_threads(static_cast<int>(threads))
  {
    insideBody = true;
    for (;;) {
      int64_t begin = next.fetch_add(size, std::memory_order_relaxed);
      if (begin >= n)
        break;
      body(ctx, begin, std::min(n, begin + size));
    }
    insideBody = false;
  }
}

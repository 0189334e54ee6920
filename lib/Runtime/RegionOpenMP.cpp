//===- RegionOpenMP.cpp - Regions by the OpenMP library linked ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// OpenMP's pool, because it survives fork and is shared with whatever else in
// the process uses it. Where that is GNU's library, as in torch, its threads
// spin after each region, and ours would wait for a processor: then they run
// our regions, too.

#include "Region.h"
#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

using Parallel = void (*)(void (*)(void *), void *, unsigned threads,
                          unsigned flags);

/// GNU's entry for regions, null before it is found.
static std::atomic<Parallel> gnuParallel{nullptr};
/// In forked processes GNU's threads are no more, and would be waited for.
static std::atomic<bool> avoidsGnu{false};

/// Whether this process was forked and runs its parent's program.
static bool isForked() {
  constexpr unsigned forkedWithoutExec = 0x40; // PF_FORKNOEXEC of Linux
  std::FILE *file = std::fopen("/proc/self/stat", "r");
  if (!file)
    return true; // for all that is known
  unsigned flags = 0;
  // The name, in parentheses, may hold anything but the last of them.
  char text[512] = {};
  size_t size = std::fread(text, 1, sizeof(text) - 1, file);
  std::fclose(file);
  while (size && text[size] != ')')
    --size;
  bool isRead =
      std::sscanf(text + size, ") %*c %*d %*d %*d %*d %*d %u", &flags) == 1;
  return !isRead || (flags & forkedWithoutExec);
}

/// Null where the process has not loaded GNU's library, or must not use it.
static Parallel findGnuParallel() {
  if (avoidsGnu)
    return nullptr;
  if (Parallel parallel = gnuParallel.load(std::memory_order_acquire))
    return parallel;
  void *library = ::dlopen("libgomp.so.1", RTLD_NOW | RTLD_NOLOAD);
  void *symbol = library ? ::dlsym(library, "GOMP_parallel") : nullptr;
  if (!symbol)
    return nullptr;
  if (isForked() ||
      ::pthread_atfork(nullptr, nullptr, [] { avoidsGnu = true; })) {
    avoidsGnu = true;
    return nullptr;
  }
  auto parallel = reinterpret_cast<Parallel>(symbol);
  gnuParallel.store(parallel, std::memory_order_release);
  return parallel;
}

void lattn::runRegion(int64_t threads, void (*body)(void *), void *ctx) {
  if (Parallel parallel = findGnuParallel())
    return parallel(body, ctx, static_cast<unsigned>(threads), 0);
  // A thread that spins after the region takes the core from its neighbours.
  kmp_set_blocktime(0);
#pragma omp parallel num_threads(static_cast<int>(threads))
  body(ctx);
}

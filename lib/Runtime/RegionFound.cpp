//===- RegionFound.cpp - Regions by the OpenMP library found --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For compiled programs, which run on machines that have one or another OpenMP
// library, or none: the one that the process has is taken, else one that can be
// loaded. LLVM's first: it survives fork, and its threads need not spin.

#include "Region.h"
#include "lattn/Runtime/Warnings.h"
#include <atomic>
#include <dlfcn.h>

namespace {

/// The entry for regions that GNU's library has, and LLVM's, too.
using Parallel = void (*)(void (*)(void *), void *, unsigned threads,
                          unsigned flags);

void *findLibrary() {
  const char *const names[] = {"libomp.so.5", "libomp.so", "libiomp5.so",
                               "libgomp.so.1"};
  const int flags[] = {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW};
  for (int flag : flags)
    for (const char *name : names)
      if (void *library = ::dlopen(name, flag))
        return library;
  return nullptr;
}

Parallel findParallel() {
  void *library = findLibrary();
  void *parallel = library ? ::dlsym(library, "GOMP_parallel") : nullptr;
  if (!parallel) {
    lattn::warn("no OpenMP library (libomp, libgomp) found: running on one "
                "thread");
    return
        [](void (*body)(void *), void *ctx, unsigned, unsigned) { body(ctx); };
  }
  if (void *blocktime = ::dlsym(library, "kmp_set_blocktime"))
    reinterpret_cast<void (*)(int)>(blocktime)(0);
  return reinterpret_cast<Parallel>(parallel);
}

} // namespace

void lattn::runRegion(int64_t threads, void (*body)(void *), void *ctx) {
  static std::atomic<Parallel> found{nullptr};
  Parallel parallel = found.load(std::memory_order_acquire);
  if (!parallel) {
    parallel = findParallel();
    found.store(parallel, std::memory_order_release);
  }
  parallel(body, ctx, static_cast<unsigned>(threads), 0);
}

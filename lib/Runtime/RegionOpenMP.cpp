//===- RegionOpenMP.cpp - Regions by the OpenMP library linked ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// OpenMP's pool, because it survives fork and is shared with whatever else in
// the process uses it.

#include "Region.h"
#include <omp.h>

void lattn::runRegion(int64_t threads, void (*body)(void *), void *ctx) {
  // A thread that spins after the region takes the core from its neighbours.
  kmp_set_blocktime(0);
#pragma omp parallel num_threads(static_cast<int>(threads))
  body(ctx);
}

int64_t lattn::countProcessors() { return omp_get_num_procs(); }

//===- Parallel.h - What compiled parallel loops call -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_PARALLEL_H
#define LATTN_RUNTIME_PARALLEL_H

#include <cstdint>

#define LATTN_RUNTIME_EXPORT extern "C" __attribute__((visibility("default")))

/// Runs body(ctx, begin, end) over ranges that together are [0, n), on several
/// threads, and returns when all are done. Who runs which range is not fixed:
/// ranges must not depend on each other. Calls from inside a body run alone.
LATTN_RUNTIME_EXPORT void
lattn_parallel_for(void (*body)(void *ctx, int64_t begin, int64_t end),
                   void *ctx, int64_t n);

namespace lattn {
/// More threads than this are a typing error, and each costs a stack.
constexpr int64_t kMostThreads = 4096;
} // namespace lattn

/// Threads from now on; n <= 0 returns to the default: LATTN_NUM_THREADS, else
/// the CPUs that this process may use. More than kMostThreads change nothing
/// and are reported on standard error.
LATTN_RUNTIME_EXPORT void lattn_set_num_threads(int64_t n);

LATTN_RUNTIME_EXPORT int64_t lattn_get_num_threads();

/// While this thread runs lattn_parallel_for, it calls check(ctx) some ten
/// times a second, between their ranges. Once that is true the ranges that are
/// left are not run, nor those of later loops of this thread, until this is
/// called again: what they would have written is then undefined. A null `check`
/// is none, the default.
LATTN_RUNTIME_EXPORT void lattn_set_interrupt_check(bool (*check)(void *ctx),
                                                    void *ctx);

#endif // LATTN_RUNTIME_PARALLEL_H

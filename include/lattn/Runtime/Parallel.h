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
/// threads, and returns when all are done. Any thread may run any range, so
/// ranges must not depend on each other. Calls from inside a body run on one
/// thread.
LATTN_RUNTIME_EXPORT void
lattn_parallel_for(void (*body)(void *ctx, int64_t begin, int64_t end),
                   void *ctx, int64_t n);

namespace lattn {
/// The largest number of threads. A larger number is probably a typing error,
/// and each thread costs a stack.
constexpr int64_t kMostThreads = 4096;
} // namespace lattn

/// Sets the number of threads from now on. n <= 0 returns to the default:
/// LATTN_NUM_THREADS; else torch's number for the calling thread, where torch
/// is loaded; else OMP_NUM_THREADS; else the CPUs that this process may use. If
/// n is above kMostThreads, nothing changes but for a warning.
LATTN_RUNTIME_EXPORT void lattn_set_num_threads(int64_t n);

LATTN_RUNTIME_EXPORT int64_t lattn_get_num_threads();

/// While this thread runs lattn_parallel_for, it calls check(ctx) about ten
/// times a second, between ranges. Once check returns true, the remaining
/// ranges and those of later loops of this thread do not run, until this
/// function is called again. What they would have written is undefined. The
/// default is a null `check`, which is never called.
LATTN_RUNTIME_EXPORT void lattn_set_interrupt_check(bool (*check)(void *ctx),
                                                    void *ctx);

#endif // LATTN_RUNTIME_PARALLEL_H

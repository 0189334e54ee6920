//===- Region.h - Code on several threads at once ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNTIME_REGION_H
#define LATTN_LIB_RUNTIME_REGION_H

#include <atomic>
#include <cstdint>

namespace lattn {

/// Calls body(ctx) on `threads` threads, or fewer. This thread is one of them.
/// Returns when all are done.
void runRegion(int64_t threads, void (*body)(void *ctx), void *ctx);

/// The number of threads if no program sets it.
int64_t getDefaultThreads();

/// Runs ranges of loops in such a way that a range that fails can be left.
/// Programs compiled ahead of time have no guard: they end.
struct RangeGuard {
  /// The call that this thread runs. Its ranges belong to it on every thread.
  int64_t (*getCall)();
  /// Returns null, or the failure.
  const char *(*run)(int64_t call, void (*body)(void *, int64_t, int64_t),
                     void *ctx, int64_t begin, int64_t end);
  /// Leaves the range that this thread runs. Does not return.
  void (*leave)(const char *failure);
};
extern std::atomic<const RangeGuard *> rangeGuard;

} // namespace lattn

#endif // LATTN_LIB_RUNTIME_REGION_H

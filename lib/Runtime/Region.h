//===- Region.h - Code on several threads at once ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNTIME_REGION_H
#define LATTN_LIB_RUNTIME_REGION_H

#include <cstdint>

namespace lattn {

/// Calls body(ctx) on `threads` threads, or fewer, this one among them, and
/// returns when all are done.
void runRegion(int64_t threads, void (*body)(void *ctx), void *ctx);

/// The CPUs that this process may use.
int64_t countProcessors();

} // namespace lattn

#endif // LATTN_LIB_RUNTIME_REGION_H

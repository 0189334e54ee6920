//===- Failure.h - Errors that compiled code finds when it runs -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_FAILURE_H
#define LATTN_RUNTIME_FAILURE_H

#include <cstdint>

/// Called by compiled code where an assertion does not hold: keeps the first
/// message of this thread until it is taken. The code goes on; its results mean
/// nothing. `message` lives as long as the code.
extern "C" __attribute__((visibility("default"))) void
lattn_fail(const char *message);

/// Called by compiled code whose sizes contradict each other: `text` with two
/// numbers, as printf has it, until this thread's next call.
extern "C" __attribute__((visibility("default"))) const char *
lattn_describe_sizes(const char *text, int64_t first, int64_t second);

/// The message kept for this thread, or null; forgets it.
extern "C" __attribute__((visibility("default"))) const char *
lattn_take_failure();

#endif // LATTN_RUNTIME_FAILURE_H

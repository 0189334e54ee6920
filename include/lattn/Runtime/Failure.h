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

/// Compiled code calls this if an assertion does not hold. The first message of
/// this thread is kept until it is taken. The code goes on, and its results
/// mean nothing. `message` lives as long as the code.
extern "C" __attribute__((visibility("default"))) void
lattn_fail(const char *message);

/// Compiled code calls this if its sizes contradict each other. Returns `text`
/// with two numbers, in printf's format, which is valid until this thread's
/// next call.
extern "C" __attribute__((visibility("default"))) const char *
lattn_describe_sizes(const char *text, int64_t first, int64_t second);

/// Returns the message kept for this thread, or null, and forgets it.
extern "C" __attribute__((visibility("default"))) const char *
lattn_take_failure();

#endif // LATTN_RUNTIME_FAILURE_H

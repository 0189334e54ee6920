//===- Failure.cpp - Errors that compiled code finds when it runs ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Failure.h"

#include <cstdio>

static thread_local const char *failure = nullptr;

void lattn_fail(const char *message) {
  if (!failure)
    failure = message;
}

const char *lattn_describe_sizes(const char *text, int64_t first,
                                 int64_t second) {
  static thread_local char message[512];
  std::snprintf(message, sizeof(message), text, static_cast<long long>(first),
                static_cast<long long>(second));
  return message;
}

const char *lattn_take_failure() {
  const char *taken = failure;
  failure = nullptr;
  return taken;
}

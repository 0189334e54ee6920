//===- Failure.cpp - Errors that compiled code finds when it runs ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Failure.h"

static thread_local const char *failure = nullptr;

void lattn_fail(const char *message) {
  if (!failure)
    failure = message;
}

const char *lattn_take_failure() {
  const char *taken = failure;
  failure = nullptr;
  return taken;
}

//===- Warnings.cpp - Where warnings go -----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In compiled programs too, which need the C library alone.

#include "lattn/Runtime/Warnings.h"
#include <atomic>
#include <cstdarg>
#include <cstdio>

static std::atomic<lattn::WarningHandler> handler{nullptr};

void lattn::setWarningHandler(WarningHandler function) { handler = function; }

void lattn::warn(const char *format, ...) {
  char message[4096];
  va_list values;
  va_start(values, format);
  std::vsnprintf(message, sizeof(message), format, values);
  va_end(values);
  if (WarningHandler function = handler)
    function(message);
  else
    std::fprintf(stderr, "lattn: warning: %s\n", message);
}

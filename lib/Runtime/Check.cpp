//===- Check.cpp - Printing and counting failed checks --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Check.h"
#include <atomic>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static std::atomic<int64_t> failures{0};

namespace {

/// A short text that reads back as the same double. Compiled programs do not
/// link the C++ library, which could do it.
struct Text {
  char chars[32];

  explicit Text(double value) {
    bool isSmallInteger = std::fabs(value) < 1e15 && value == std::rint(value);
    for (int digits = isSmallInteger ? 15 : 1; digits <= 17; ++digits) {
      std::snprintf(chars, sizeof(chars), "%.*g", digits, value);
      if (std::strtod(chars, nullptr) == value)
        break;
    }
  }
};

} // namespace

// One fprintf per report: lines of several threads stay whole.
void lattn_check_report(int64_t mismatches, int64_t elements, int64_t first,
                        double actual, double expected) {
  ++failures;
  Text got(actual), wanted(expected);
  if (first < 0)
    std::fprintf(stderr,
                 "check failed: shapes differ in %" PRId64 " of %" PRId64
                 " axes; got extent %s, expected %s\n",
                 mismatches, elements, got.chars, wanted.chars);
  else
    std::fprintf(stderr,
                 "check failed: %" PRId64 " of %" PRId64
                 " elements differ; first at element %" PRId64
                 ": got %s, expected %s\n",
                 mismatches, elements, first, got.chars, wanted.chars);
}

int64_t lattn_check_failures() { return failures; }

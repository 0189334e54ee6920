//===- Check.cpp - Printing and counting failed checks --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/Check.h"
#include <atomic>
#include <charconv>
#include <cinttypes>
#include <cstdio>

static std::atomic<int64_t> failures{0};

namespace {

/// The shortest text that reads back as the same double.
struct Text {
  char chars[32];

  explicit Text(double value) {
    *std::to_chars(chars, chars + sizeof(chars) - 1, value).ptr = '\0';
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

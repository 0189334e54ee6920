//===- Workers.h - Child processes that may crash or hang -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_FUZZ_WORKERS_H
#define LATTN_TEST_FUZZ_WORKERS_H

#include "Judge.h"
#include <array>

namespace lattn::fuzz {

struct Plan {
  uint64_t seed = 1;
  int64_t begin = 0, end = 0;
  int64_t executeOneIn = 8;
  int64_t jobs = 1;
  int64_t secondsEach = 10; // longer hangs
  int64_t megabytes = 3000; // more is too much
  int64_t maxFailures = 20;
  int64_t seconds = 0;  // start no program after; 0: no limit
  std::string folder;   // of reproducers
  bool verbose = false; // say what was refused and why
};

struct Tally {
  std::array<int64_t, size_t(Verdict::Count)> verdicts = {};
  int64_t done = 0, crashed = 0;
  /// Crashes in upstream's code, without a frame of lattn's. No failures.
  int64_t upstream = 0;
};

/// Judges programs [begin, end) in child processes, several a process, and
/// watches over them. Writes a reproducer of each failure.
Tally runWorkers(const Plan &plan, const mlir::DialectRegistry &registry);

/// One program's text with what is needed to see the failure again.
std::string describeFailure(const Plan &plan, int64_t index,
                            llvm::StringRef phase, llvm::StringRef message,
                            llvm::StringRef text);

} // namespace lattn::fuzz

#endif // LATTN_TEST_FUZZ_WORKERS_H

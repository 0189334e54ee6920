//===- Progress.h - A line while something lasts ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_PROGRESS_H
#define LATTN_EXECUTION_PROGRESS_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace lattn {

/// Shows after one second what is being done, and erases it at the end.
/// Shows nothing unless `enabled` and standard error is a terminal.
class Progress {
public:
  /// `steps` is how often advance will be called, or 0 if that is not known.
  Progress(bool enabled, std::string what, int64_t steps = 0);
  ~Progress();
  void advance() { ++done; }

private:
  void show();

  std::string what;
  int64_t steps;
  std::atomic<int64_t> done{0};
  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false;
  std::thread thread; // not started if nothing is shown
};

} // namespace lattn

#endif // LATTN_EXECUTION_PROGRESS_H

//===- Progress.cpp - A line while something lasts ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Progress.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace lattn;

static bool canErase() {
  auto terminal = llvm::sys::Process::GetEnv("TERM");
  return llvm::sys::Process::StandardErrIsDisplayed() && terminal &&
         *terminal != "dumb";
}

Progress::Progress(bool enabled, std::string what, int64_t steps)
    : what(std::move(what)), steps(steps) {
  if (enabled && canErase())
    thread = std::thread([this] { show(); });
}

Progress::~Progress() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    hasEnded = true;
  }
  ended.notify_one();
  thread.join();
}

void Progress::show() {
  using namespace std::chrono;
  auto begin = steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex);
  auto waitFor = [&](milliseconds time) {
    return ended.wait_for(lock, time, [this] { return hasEnded; });
  };
  if (waitFor(seconds(1)))
    return;
  do {
    constexpr int64_t kWidth = 20;
    std::string bar;
    if (steps > 0) {
      int64_t now = std::min<int64_t>(done, steps);
      bar = std::string(now * kWidth / steps, '#');
      bar.resize(kWidth, '.');
      bar = llvm::formatv(" [{0}] {1} of {2},", bar, now, steps);
    }
    auto passed = duration_cast<seconds>(steady_clock::now() - begin).count();
    // The cursor stays in front, so that whatever else is printed covers it.
    std::string line =
        llvm::formatv("\r\x1b[K{0}{1} {2} s\r", what, bar, passed);
    std::fputs(line.c_str(), stderr);
  } while (!waitFor(milliseconds(250)));
  std::fputs("\r\x1b[K", stderr);
}

//===- Parallel.cpp - Parallel loops --------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In compiled programs too, which do not link the C++ library: nothing here may
// need it when it runs.

#include "lattn/Runtime/Parallel.h"
#include "Region.h"
#include "lattn/Runtime/Warnings.h"
#include <algorithm>
#include <atomic>
#include <ctime>

/// Ranges per thread: small enough to even out threads that start late.
static constexpr int64_t kRangesPerThread = 32;

std::atomic<const lattn::RangeGuard *> lattn::rangeGuard{nullptr};

using Body = void (*)(void *ctx, int64_t begin, int64_t end);

// One in the process, however many shared libraries have this file and however
// they are loaded, also by dlopen with RTLD_LOCAL: the dynamic linker knows
// symbols of this type by name. A compiler has no word for it.
asm(R"(
  .pushsection .bss.lattn_requested_threads, "aw", @nobits
  .balign 8
  .type lattn_requested_threads, @gnu_unique_object
  .size lattn_requested_threads, 8
lattn_requested_threads:
  .zero 8
  .popsection
)");
extern "C" __attribute__((visibility("default"))) std::atomic<int64_t>
    lattn_requested_threads;
static_assert(sizeof(lattn_requested_threads) == 8, "as it stands above");

static thread_local bool insideBody = false;

void lattn_set_num_threads(int64_t n) {
  if (n > lattn::kMostThreads) {
    lattn::warn("lattn_set_num_threads: expected at most %lld, got %lld; the "
                "number of threads stays as it is",
                static_cast<long long>(lattn::kMostThreads),
                static_cast<long long>(n));
    return;
  }
  lattn_requested_threads = std::max<int64_t>(n, 0);
}

int64_t lattn_get_num_threads() {
  int64_t requested = lattn_requested_threads;
  return requested ? requested : lattn::getDefaultThreads();
}

//===----------------------------------------------------------------------===//
// Small loops
//===----------------------------------------------------------------------===//

/// A region costs some 20 microseconds. Loops below this run on the caller.
static constexpr int64_t kSmallLoop = 50000; // ns

static int64_t getNow() {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

/// Nanoseconds an item of `body` took when it last ran, 0 if it never did.
/// Bodies that share a place only make the guess worse.
static std::atomic<int64_t> &getItemTime(Body body) {
  static std::atomic<int64_t> times[1024];
  auto address = reinterpret_cast<uintptr_t>(body);
  return times[(address >> 4) * 0x9E3779B97F4A7C15u >> 54];
}

/// Runs items on the caller for as long as little is left, and returns how many
/// it ran. Items are timed as they grow in number, for the first may be small:
/// a causal window's is.
static int64_t runAlone(Body body, void *ctx, int64_t n) {
  std::atomic<int64_t> &itemTime = getItemTime(body);
  int64_t done = 0, perItem = itemTime.load(std::memory_order_relaxed);
  int64_t before = getNow();
  while (done < n && perItem * (n - done) < kSmallLoop) {
    int64_t end = std::min(n, std::max<int64_t>(2 * done, 1));
    body(ctx, done, end);
    int64_t now = getNow();
    perItem = std::max<int64_t>((now - before) / (end - done), 1);
    before = now;
    done = end;
  }
  itemTime.store(perItem, std::memory_order_relaxed);
  return done;
}

//===----------------------------------------------------------------------===//
// Interrupts
//===----------------------------------------------------------------------===//

static constexpr int64_t kCheckEvery = 100000000; // ns

namespace {

struct Interrupt {
  bool (*check)(void *ctx) = nullptr;
  void *ctx = nullptr;
  int64_t last = 0; // when it was checked
  bool isSet = false;
};

} // namespace

static thread_local Interrupt interrupt;

void lattn_set_interrupt_check(bool (*check)(void *ctx), void *ctx) {
  interrupt = {check, ctx, 0, false};
}

/// Whether the caller of this thread's loops no longer wants them.
static bool isInterrupted() {
  if (!interrupt.check || interrupt.isSet)
    return interrupt.isSet;
  int64_t now = getNow();
  if (interrupt.last == 0)
    interrupt.last = now;
  if (now - interrupt.last < kCheckEvery)
    return false;
  interrupt.last = now;
  // It may call lattn, which sets a check of its own.
  bool isSet = interrupt.check(interrupt.ctx);
  return interrupt.isSet = isSet;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// What is left of a loop for the threads of a region.
struct Ranges {
  Body body;
  void *ctx;
  std::atomic<int64_t> next;
  int64_t n, size;
  const lattn::RangeGuard *guard;
  int64_t call;
  bool isChecked; // for interrupts
  std::atomic<bool> isInterrupted{false};
  std::atomic<const char *> failure{nullptr};

  /// Whether to go on.
  bool run(int64_t begin, int64_t end) {
    if (!guard) {
      body(ctx, begin, end);
      return true;
    }
    const char *failed = guard->run(call, body, ctx, begin, end);
    if (!failed)
      return true;
    failure = failed;
    next = n; // for the others
    return false;
  }
};

} // namespace

/// Runs a range in pieces, which last some hundredth of a second: `piece`
/// items.
static void runPieces(Ranges &ranges, int64_t begin, int64_t end,
                      int64_t &piece) {
  while (begin < end && !ranges.isInterrupted.load(std::memory_order_relaxed)) {
    int64_t to = std::min(end, begin + piece), before = getNow();
    if (!ranges.run(begin, to))
      return;
    int64_t time = getNow() - before;
    if (time < kCheckEvery / 16)
      piece *= 2;
    else if (time > kCheckEvery / 4)
      piece = std::max<int64_t>(piece / 2, 1);
    piece = std::min(piece, ranges.size);
    begin = to;
    if (isInterrupted()) {
      ranges.isInterrupted = true;
      ranges.next.store(ranges.n, std::memory_order_relaxed);
    }
  }
}

/// Runs ranges until none is left.
static void runRanges(void *pointer) {
  Ranges &ranges = *static_cast<Ranges *>(pointer);
  insideBody = true;
  int64_t items = 0, piece = 1, before = getNow();
  for (;;) {
    int64_t begin =
        ranges.next.fetch_add(ranges.size, std::memory_order_relaxed);
    if (begin >= ranges.n)
      break;
    int64_t end = std::min(ranges.n, begin + ranges.size);
    if (ranges.isChecked)
      runPieces(ranges, begin, end, piece);
    else if (!ranges.run(begin, end))
      break;
    items += end - begin;
  }
  insideBody = false;
  if (items > 0)
    getItemTime(ranges.body)
        .store((getNow() - before) / items + 1, std::memory_order_relaxed);
}

void lattn_parallel_for(Body body, void *ctx, int64_t n) {
  if (n <= 0 || isInterrupted())
    return;
  int64_t threads = std::min(lattn_get_num_threads(), n);
  if (insideBody || (threads == 1 && !interrupt.check))
    return body(ctx, 0, n);
  int64_t begin = runAlone(body, ctx, n);
  if (begin == n)
    return;
  int64_t size =
      std::max<int64_t>((n - begin) / (threads * kRangesPerThread), 1);
  const lattn::RangeGuard *guard =
      lattn::rangeGuard.load(std::memory_order_acquire);
  Ranges ranges{body,
                ctx,
                {begin},
                n,
                size,
                guard,
                guard ? guard->getCall() : 0,
                interrupt.check != nullptr};
  if (threads == 1)
    runRanges(&ranges);
  else
    lattn::runRegion(threads, runRanges, &ranges);
  if (const char *failure = ranges.failure)
    guard->leave(failure);
}

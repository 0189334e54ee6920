//===- Memory.cpp - Memory that compiled code allocates -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Memory.h"
#include "../../Runtime/Region.h"
#include "lattn/Execution/Pages.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <vector>

using namespace lattn;

static constexpr size_t kAlignment = 64;
/// Blocks as large as this are kept when freed: mapping their pages anew costs
/// a repeated call more than what it computes.
static constexpr size_t kKeptBytes = size_t(1) << 16;
static constexpr size_t kMaxKept = size_t(1) << 31;

namespace {

struct Block {
  size_t bytes = 0, alignment = 0;
  int64_t call = 0; // that allocated it
};

/// The call that a thread runs, 0 for none, and where it goes on if that fails.
struct Running {
  int64_t call = 0;
  std::jmp_buf *place = nullptr;
};

/// Live blocks by address; cut by address, so that threads seldom wait.
struct Shard {
  std::mutex mutex;
  llvm::DenseMap<void *, Block> live;
};

struct Memory {
  static constexpr unsigned kShards = 16;
  Shard shards[kShards];
  std::atomic<int64_t> current{0}, peak{0};
  std::mutex keptMutex;
  std::unordered_map<size_t, std::vector<void *>> kept;
  size_t keptBytes = 0;

  Shard &getShard(void *pointer) {
    return shards[(reinterpret_cast<uintptr_t>(pointer) >> 12) % kShards];
  }
  void *takeKept(size_t bytes, size_t alignment);
  bool keep(void *pointer, Block block);
};

} // namespace

static thread_local Running running;
static thread_local char message[160]; // of the last failure

static Memory &getMemory() {
  static Memory *memory = new Memory; // outlives all code, and threads at exit
  return *memory;
}

void *Memory::takeKept(size_t bytes, size_t alignment) {
  if (bytes < kKeptBytes || alignment > kAlignment)
    return nullptr;
  std::lock_guard<std::mutex> lock(keptMutex);
  auto it = kept.find(bytes);
  if (it == kept.end() || it->second.empty())
    return nullptr;
  void *pointer = it->second.back();
  it->second.pop_back();
  keptBytes -= bytes;
  return pointer;
}

bool Memory::keep(void *pointer, Block block) {
  if (block.bytes < kKeptBytes || block.alignment > kAlignment)
    return false;
  std::lock_guard<std::mutex> lock(keptMutex);
  if (keptBytes + block.bytes > kMaxKept)
    return false;
  kept[block.bytes].push_back(pointer);
  keptBytes += block.bytes;
  return true;
}

void *lattn::tryAllocateForCode(size_t bytes, size_t alignment) {
  Memory &memory = getMemory();
  alignment = std::max(alignment, kAlignment);
  // A negative or overflown size arrives as a huge one.
  if (bytes > size_t(INT64_MAX) - 2 * alignment)
    return nullptr;
  size_t padded = llvm::alignTo(std::max<size_t>(bytes, 1), alignment);
  void *pointer = memory.takeKept(padded, alignment);
  if (!pointer)
    pointer = lattn::allocateAligned(alignment, padded);
  if (!pointer) {
    trimCodeMemory();
    pointer = lattn::allocateAligned(alignment, padded);
  }
  if (!pointer)
    return nullptr;
  Shard &shard = memory.getShard(pointer);
  {
    std::lock_guard<std::mutex> lock(shard.mutex);
    shard.live[pointer] = {padded, alignment, running.call};
  }
  int64_t now = memory.current += padded;
  int64_t peak = memory.peak;
  while (now > peak && !memory.peak.compare_exchange_weak(peak, now))
    ;
  return pointer;
}

//===----------------------------------------------------------------------===//
// Leaving code that gets no memory
//===----------------------------------------------------------------------===//

/// Runs `code` with a place to jump back to. Jumps cross compiled code and
/// lattn_parallel_for only, and never a thread.
static const char *runGuarded(llvm::function_ref<void()> code, int64_t call) {
  Running outer = running;
  std::jmp_buf place;
  running = {call, &place};
  const char *failure = nullptr;
  if (_setjmp(place) == 0)
    code();
  else
    failure = message;
  running = outer;
  return failure;
}

static void leave(const char *why) {
  if (why != message)
    std::snprintf(message, sizeof(message), "%s", why);
  if (running.place)
    _longjmp(*running.place, 1);
  std::fprintf(stderr, "lattn: error: %s\n", message);
  std::fflush(stderr);
  std::_Exit(1);
}

void *lattn::allocateForCode(size_t bytes, size_t alignment) {
  if (void *pointer = tryAllocateForCode(bytes, alignment))
    return pointer;
  char text[sizeof(message)];
  std::snprintf(text, sizeof(text),
                "out of memory: compiled code asked for %zu bytes beside the "
                "%" PRId64 " it holds",
                bytes, getCodeBytes());
  leave(text);
  return nullptr;
}

/// What a call that was left has allocated.
static void releaseAll(int64_t call) {
  for (Shard &shard : getMemory().shards) {
    std::vector<void *> blocks;
    {
      std::lock_guard<std::mutex> lock(shard.mutex);
      for (auto &[pointer, block] : shard.live)
        if (block.call == call)
          blocks.push_back(pointer);
    }
    for (void *block : blocks)
      releaseFromCode(block);
  }
}

const char *lattn::runCode(llvm::function_ref<void()> code) {
  static const RangeGuard guard = {
      [] { return running.call; },
      [](int64_t call, void (*body)(void *, int64_t, int64_t), void *ctx,
         int64_t begin, int64_t end) {
        return runGuarded([&] { body(ctx, begin, end); }, call);
      },
      leave};
  static std::atomic<int64_t> calls{0};
  rangeGuard.store(&guard, std::memory_order_release);
  int64_t call = ++calls;
  const char *failure = runGuarded(code, call);
  if (failure)
    releaseAll(call);
  return failure;
}

void lattn::releaseFromCode(void *pointer) {
  if (!pointer)
    return;
  Memory &memory = getMemory();
  Shard &shard = memory.getShard(pointer);
  Block block;
  {
    std::lock_guard<std::mutex> lock(shard.mutex);
    auto it = shard.live.find(pointer);
    if (it == shard.live.end()) {
      std::fprintf(stderr,
                   "lattn: error: compiled code freed %p, which it did "
                   "not allocate\n",
                   pointer);
      std::abort();
    }
    block = it->second;
    shard.live.erase(it);
  }
  memory.current -= block.bytes;
  if (!memory.keep(pointer, block))
    std::free(pointer);
}

int64_t lattn::getAllocatedBytes(void *pointer) {
  Shard &shard = getMemory().getShard(pointer);
  std::lock_guard<std::mutex> lock(shard.mutex);
  return shard.live.lookup(pointer).bytes;
}

bool lattn::isAllocatedByCode(void *pointer) {
  return getAllocatedBytes(pointer) != 0; // empty blocks are padded
}

int64_t lattn::getCodeBytes() { return getMemory().current; }
int64_t lattn::getPeakCodeBytes() { return getMemory().peak; }

void lattn::resetPeakCodeBytes() {
  getMemory().peak = getMemory().current.load();
}

void lattn::trimCodeMemory() {
  Memory &memory = getMemory();
  std::lock_guard<std::mutex> lock(memory.keptMutex);
  for (auto &entry : memory.kept)
    for (void *pointer : entry.second)
      std::free(pointer);
  memory.kept.clear();
  memory.keptBytes = 0;
}

//===- Threads.cpp - The default number of threads ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// In compiled programs too, which need the C library alone.

#include "Region.h"
#include "lattn/Runtime/Parallel.h"
#include "lattn/Runtime/Processors.h"
#include "lattn/Runtime/Warnings.h"
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

//===----------------------------------------------------------------------===//
// torch
//===----------------------------------------------------------------------===//

using GetThreads = int (*)();

namespace {

/// A search among the libraries of this process.
struct Search {
  /// How many were ever loaded: at the last search, and now.
  unsigned long long before, now;
  char found[PATH_MAX];
};

} // namespace

/// Returns 1 to end the search.
static int visitLibrary(dl_phdr_info *library, size_t, void *pointer) {
  Search &search = *static_cast<Search *>(pointer);
  search.now = library->dlpi_adds;
  if (search.now == search.before)
    return 1;
  const char *name = std::strrchr(library->dlpi_name, '/');
  if (!name || std::strcmp(name, "/libtorch_cpu.so") != 0)
    return 0;
  std::snprintf(search.found, sizeof(search.found), "%s", library->dlpi_name);
  return 1;
}

/// torch's function for the number of threads of the calling thread, null where
/// torch is not loaded. It may be loaded later: an import of torch is such.
static GetThreads findTorch() {
  static std::atomic<GetThreads> known{nullptr};
  static std::atomic<unsigned long long> searched{0};
  if (GetThreads function = known.load(std::memory_order_acquire))
    return function;
  Search search; // each call makes one: its text is not filled with zeros
  search.before = searched.load(std::memory_order_relaxed);
  search.now = 0;
  *search.found = '\0';
  ::dl_iterate_phdr(visitLibrary, &search);
  searched.store(search.now, std::memory_order_relaxed);
  if (!*search.found)
    return nullptr;
  void *library = ::dlopen(search.found, RTLD_NOW | RTLD_NOLOAD);
  // int at::get_num_threads()
  void *symbol =
      library ? ::dlsym(library, "_ZN2at15get_num_threadsEv") : nullptr;
  auto function = reinterpret_cast<GetThreads>(symbol);
  known.store(function, std::memory_order_release);
  return function;
}

//===----------------------------------------------------------------------===//
// The environment
//===----------------------------------------------------------------------===//

/// LATTN_NUM_THREADS, or 0.
static int64_t readNumThreads() {
  const char *text = std::getenv("LATTN_NUM_THREADS");
  if (!text)
    return 0;
  char *end = nullptr;
  long value = std::strtol(text, &end, 10);
  if (end != text && *end == '\0' && value > 0 && value <= lattn::kMostThreads)
    return value;
  lattn::warn("LATTN_NUM_THREADS: expected an integer from 1 to %lld, got "
              "'%s'; using the default",
              static_cast<long long>(lattn::kMostThreads), text);
  return 0;
}

/// The first number of OMP_NUM_THREADS, or 0. The others are those of nested
/// regions. OpenMP's library warns of what is no number.
static int64_t readOpenMPThreads() {
  const char *text = std::getenv("OMP_NUM_THREADS");
  if (!text)
    return 0;
  char *end = nullptr;
  long value = std::strtol(text, &end, 10);
  bool isNumber = end != text && value > 0 &&
                  std::strchr(" \t\n,", *end); // or the end of the text
  return isNumber ? std::min<int64_t>(value, lattn::kMostThreads) : 0;
}

/// Calls `read` when it is first needed.
template <int64_t read()> static int64_t remember() {
  static std::atomic<int64_t> known{-1};
  int64_t value = known.load(std::memory_order_relaxed);
  if (value < 0)
    known = value = read();
  return value;
}

static int64_t readDefault() {
  int64_t threads = readOpenMPThreads();
  return threads ? threads : lattn::countProcessors();
}

int64_t lattn::getDefaultThreads() {
  if (int64_t named = remember<readNumThreads>())
    return named;
  if (GetThreads ofTorch = findTorch())
    return std::clamp<int64_t>(ofTorch(), 1, kMostThreads);
  return remember<readDefault>();
}

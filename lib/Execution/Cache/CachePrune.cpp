//===- CachePrune.cpp - A cache within its limit --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <vector>

using namespace lattn;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {
struct Entry {
  std::string path;
  uint64_t bytes;
  llvm::sys::TimePoint<> lastUse;
};
} // namespace

/// Whether a file is an entry or, with another suffix behind, was to be one.
static bool isOurs(StringRef name) {
  if (name.starts_with(kTunedPrefix))
    return name.ends_with(".tmp");
  return name.size() >= kCacheKeyDigits &&
         llvm::all_of(name.take_front(kCacheKeyDigits), llvm::isHexDigit) &&
         name.drop_front(kCacheKeyDigits).starts_with(kCacheSuffix);
}

void lattn::pruneCache(StringRef folder, uint64_t limit) {
  // No write takes that long: who began it is gone.
  auto stale = std::chrono::system_clock::now() - std::chrono::hours(1);
  std::vector<Entry> entries;
  uint64_t total = 0;
  std::error_code code;
  for (fs::directory_iterator it(folder, code, /*follow_symlinks=*/false), end;
       it != end && !code; it.increment(code)) {
    if (!isOurs(llvm::sys::path::filename(it->path())))
      continue;
    // Other processes prune, too: what is gone is gone.
    llvm::ErrorOr<fs::basic_file_status> status = it->status();
    if (!status)
      continue;
    bool temporary = StringRef(it->path()).ends_with(".tmp");
    if (!temporary) {
      entries.push_back(
          {it->path(), status->getSize(), status->getLastModificationTime()});
      total += status->getSize();
    } else if (status->getLastModificationTime() < stale) {
      fs::remove(it->path());
    }
  }
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return a.lastUse < b.lastUse;
  });
  for (const Entry &entry : entries) {
    if (total <= limit)
      break;
    fs::remove(entry.path);
    total -= entry.bytes;
  }
}

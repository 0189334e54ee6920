//===- Cache.cpp - Compiled code on disk ----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Cache.h"
#include "../Arrays/FileAccess.h"
#include "CacheEntry.h"
#include "CacheFolder.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lattn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

std::optional<Cache> Cache::open(StringRef folder) {
  std::string resolved = resolveCacheFolder(folder);
  if (resolved.empty())
    return std::nullopt;
  if (Error error = prepareCacheFolder(resolved)) {
    warnOfCache(quoteCache(resolved), std::move(error));
    return std::nullopt;
  }
  return Cache(std::move(resolved), getCacheLimit());
}

std::string Cache::getPath(StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key + kCacheSuffix);
  return path.str().str();
}

std::optional<CompiledCode> Cache::find(StringRef key) const {
  std::string path = getPath(key);
  std::unique_ptr<llvm::MemoryBuffer> bytes = readTrusted(path);
  if (!bytes)
    return std::nullopt;
  Expected<CompiledCode> code = readCacheEntry(key, bytes->getBuffer());
  if (!code) {
    warnOfCache(quoteCache(path), code.takeError());
    ::unlink(path.c_str());
    return std::nullopt;
  }
  // May fail: the folder may be read-only.
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return std::move(*code);
}

void Cache::store(StringRef key, const CompiledCode &code) const {
  std::string bytes = writeCacheEntry(key, code);
  if (bytes.size() > std::min<uint64_t>(limit, kMaxCacheFileBytes))
    return;
  if (Error error = writeParts(getPath(key), StringRef(bytes), 0600))
    return warnOfCache(quoteCache(folder), std::move(error));
  pruneCache(folder, limit);
}

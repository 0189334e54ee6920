//===- Cache.cpp - Compiled code on disk ----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Cache.h"
#include "CacheEntry.h"
#include "CacheFolder.h"
#include "FileAccess.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Larger files are no entries.
static constexpr int64_t kMaxEntryBytes = int64_t(1) << 28;

static std::string quote(StringRef path) {
  return ("cache '" + path + "'").str();
}

static Error makeSystemError() {
  return llvm::errorCodeToError(llvm::errnoAsErrorCode());
}

std::optional<Cache> Cache::open(StringRef folder) {
  std::string resolved = resolveCacheFolder(folder);
  if (resolved.empty())
    return std::nullopt;
  if (Error error = prepareCacheFolder(resolved)) {
    warnOfCache(quote(resolved), std::move(error));
    return std::nullopt;
  }
  return Cache(std::move(resolved), getCacheLimit());
}

std::string Cache::getPath(StringRef key) const {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, key + kCacheSuffix);
  return path.str().str();
}

/// The bytes of a file that no other user could have written.
static Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTrusted(int file, const std::string &path) {
  struct stat status;
  if (::fstat(file, &status))
    return makeSystemError();
  if (!S_ISREG(status.st_mode) || status.st_size > kMaxEntryBytes)
    return createStringError("not an entry of the cache");
  if (Error error = checkTrusted(status))
    return error;
  // Read, not mapped: whatever happens to the file then is of no concern.
  auto bytes = llvm::MemoryBuffer::getOpenFile(file, path, status.st_size,
                                               /*RequiresNullTerminator=*/false,
                                               /*IsVolatile=*/true);
  if (!bytes)
    return llvm::errorCodeToError(bytes.getError());
  return std::move(*bytes);
}

std::optional<CompiledCode> Cache::find(StringRef key) const {
  std::string path = getPath(key);
  // Neither a link nor a pipe is waited for.
  int file = llvm::sys::RetryAfterSignal(
      -1, ::open, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno != ENOENT)
      warnOfCache(quote(path), makeSystemError());
    return std::nullopt;
  }
  llvm::scope_exit close([&] { ::close(file); });
  auto bytes = readTrusted(file, path);
  if (!bytes) {
    warnOfCache(quote(path), bytes.takeError());
    return std::nullopt;
  }
  Expected<CompiledCode> code = readCacheEntry(key, (*bytes)->getBuffer());
  if (!code) {
    warnOfCache(quote(path), code.takeError());
    ::unlink(path.c_str());
    return std::nullopt;
  }
  ::futimens(file, nullptr); // may fail: the folder may be read-only
  return std::move(*code);
}

void Cache::store(StringRef key, const CompiledCode &code) const {
  std::string bytes = writeCacheEntry(key, code);
  if (bytes.size() > std::min<uint64_t>(limit, kMaxEntryBytes))
    return;
  if (Error error = writeParts(getPath(key), StringRef(bytes), 0600))
    return warnOfCache(quote(folder), std::move(error));
  pruneCache(folder, limit);
}

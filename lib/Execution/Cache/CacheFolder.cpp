//===- CacheFolder.cpp - Which folders to trust ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheFolder.h"
#include "lattn/Runtime/Warnings.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

using namespace llvm;
using namespace lattn;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr uint64_t kDefaultLimit = uint64_t(1) << 30;

void lattn::warnOfCache(StringRef place, Error error) {
  static std::mutex mutex;
  static llvm::StringSet<> seen;
  std::string message = (place + ": " + llvm::toString(std::move(error))).str();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!seen.insert(message).second)
      return;
  }
  warn("%s", message.c_str()); // it may wait for other threads
}

std::string lattn::quoteCache(StringRef path) {
  return ("cache '" + path + "'").str();
}

static StringRef getVariable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// HOME, else the password database's folder.
static bool findHome(llvm::SmallVectorImpl<char> &found) {
  return path::home_directory(found) &&
         path::is_absolute(Twine(StringRef(found.data(), found.size())));
}

std::string lattn::resolveCacheFolder(StringRef folder) {
  if (folder.empty())
    folder = getVariable("LATTN_CACHE_DIR");
  if (folder == "off")
    return "";
  if (!folder.empty())
    return folder.str();
  llvm::SmallString<128> found(getVariable("XDG_CACHE_HOME"));
  if (!path::is_absolute(found)) { // to be ignored, by its specification
    if (!findHome(found)) {
      warnOfCache("cache", createStringError(
                               "HOME and the password database name no home "
                               "for it; compiled code is not kept. "
                               "LATTN_CACHE_DIR names a folder, or is 'off'"));
      return "";
    }
    path::append(found, ".cache");
  }
  path::append(found, "lattn");
  return found.str().str();
}

uint64_t lattn::getCacheLimit() {
  StringRef text = getVariable("LATTN_CACHE_SIZE"), number = text;
  if (text.empty())
    return kDefaultLimit;
  unsigned shift = 0;
  for (auto [unit, bits] :
       {std::pair('K', 10), {'M', 20}, {'G', 30}, {'T', 40}})
    if (number.back() == unit)
      shift = bits;
  if (shift)
    number = number.drop_back();
  uint64_t value;
  if (!llvm::all_of(number, llvm::isDigit) || number.getAsInteger(10, value) ||
      value > UINT64_MAX >> shift) {
    warnOfCache("LATTN_CACHE_SIZE",
                createStringError("expected bytes such as 500M or 1G, got '" +
                                  text + "'; using 1G"));
    return kDefaultLimit;
  }
  return value << shift;
}

Error lattn::checkTrusted(const struct stat &status) {
  if (status.st_uid != geteuid())
    return createStringError("belongs to user " +
                             std::to_string(status.st_uid) +
                             ", expected user " + std::to_string(geteuid()));
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return createStringError("other users may write to it");
  return Error::success();
}

static Error makeSystemError() {
  return llvm::errorCodeToError(llvm::errnoAsErrorCode());
}

static Expected<std::unique_ptr<llvm::MemoryBuffer>>
readTrusted(int file, const std::string &path) {
  struct stat status;
  if (::fstat(file, &status))
    return makeSystemError();
  if (!S_ISREG(status.st_mode) || status.st_size > kMaxCacheFileBytes)
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

std::unique_ptr<llvm::MemoryBuffer>
lattn::readTrusted(const std::string &path) {
  // Neither a link nor a pipe is waited for.
  int file = llvm::sys::RetryAfterSignal(
      -1, ::open, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno != ENOENT)
      warnOfCache(quoteCache(path), makeSystemError());
    return nullptr;
  }
  llvm::scope_exit close([&] { ::close(file); });
  auto bytes = ::readTrusted(file, path);
  if (bytes)
    return std::move(*bytes);
  warnOfCache(quoteCache(path), bytes.takeError());
  return nullptr;
}

Error lattn::prepareCacheFolder(const std::string &folder) {
  struct stat status;
  if (::stat(folder.c_str(), &status)) {
    if (std::error_code code = fs::create_directories(
            folder, /*IgnoreExisting=*/true, fs::owner_all))
      return llvm::errorCodeToError(code);
    if (::stat(folder.c_str(), &status))
      return makeSystemError();
  }
  if (!S_ISDIR(status.st_mode))
    return createStringError("not a directory");
  return checkTrusted(status);
}

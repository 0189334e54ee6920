//===- CacheFolder.h - Which folders to trust -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CACHE_CACHEFOLDER_H
#define LATTN_LIB_EXECUTION_CACHE_CACHEFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <string>
#include <sys/stat.h>

namespace lattn {

/// Warns once for each message in a process.
void warnOfCache(llvm::StringRef place, llvm::Error error);

/// The name of a cache's file or folder in warnings.
std::string quoteCache(llvm::StringRef path);

/// The folder that `folder` stands for: "" is LATTN_CACHE_DIR or a folder of
/// the user. Empty if there is to be no cache.
std::string resolveCacheFolder(llvm::StringRef folder);

/// LATTN_CACHE_SIZE.
uint64_t getCacheLimit();

/// An error if another user owns the file or may write to it.
llvm::Error checkTrusted(const struct stat &status);

/// A larger file cannot be a cache's.
constexpr int64_t kMaxCacheFileBytes = int64_t(1) << 28;

/// The bytes of a file that no other user could have written. Null if there is
/// no file, and, after a warning, if another user could have written it.
std::unique_ptr<llvm::MemoryBuffer> readTrusted(const std::string &path);

/// Creates `folder` if it does not exist.
llvm::Error prepareCacheFolder(const std::string &folder);

/// Removes entries, the least recently used first, until `limit` bytes are
/// left, and files that interrupted processes left behind. Touches no other
/// file of the folder.
void pruneCache(llvm::StringRef folder, uint64_t limit);

/// The end of entries' names, after the key.
constexpr llvm::StringRef kCacheSuffix = ".lattn";
/// The begin of the names of files with measured tile sizes.
constexpr llvm::StringRef kTunedPrefix = "tuned-";
/// Hexadecimal digits of a key.
constexpr size_t kCacheKeyDigits = 64;

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CACHE_CACHEFOLDER_H

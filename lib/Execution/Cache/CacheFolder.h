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

/// Once per process and message, to stderr.
void warnOfCache(llvm::StringRef place, llvm::Error error);

/// A file or folder of a cache, in warnings.
std::string quoteCache(llvm::StringRef path);

/// What `folder` stands for: "" for LATTN_CACHE_DIR or a folder of the user's.
/// Empty where there is to be no cache.
std::string resolveCacheFolder(llvm::StringRef folder);

/// LATTN_CACHE_SIZE.
uint64_t getCacheLimit();

/// An error where another user owns the file or may write to it.
llvm::Error checkTrusted(const struct stat &status);

/// Larger files are not a cache's.
constexpr int64_t kMaxCacheFileBytes = int64_t(1) << 28;

/// The bytes of a file that no other user could have written. Null where there
/// is none and, after a warning, where it is no such file.
std::unique_ptr<llvm::MemoryBuffer> readTrusted(const std::string &path);

/// Makes `folder` where there is none.
llvm::Error prepareCacheFolder(const std::string &folder);

/// Removes entries, the least recently used first, until `limit` bytes are
/// left, and what interrupted processes left behind. Nothing else in the folder
/// is touched.
void pruneCache(llvm::StringRef folder, uint64_t limit);

/// Of entries' names, behind the key.
constexpr llvm::StringRef kCacheSuffix = ".lattn";
/// Of files of measured tile sizes.
constexpr llvm::StringRef kTunedPrefix = "tuned-";
/// Hexadecimal digits of a key.
constexpr size_t kCacheKeyDigits = 64;

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CACHE_CACHEFOLDER_H

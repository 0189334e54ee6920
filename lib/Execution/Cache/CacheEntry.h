//===- CacheEntry.h - Compiled code as bytes --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CACHE_CACHEENTRY_H
#define LATTN_LIB_EXECUTION_CACHE_CACHEENTRY_H

#include "lattn/Execution/Cache.h"

namespace lattn {

std::string writeCacheEntry(llvm::StringRef key, const CompiledCode &code);

/// An error unless `bytes` are exactly what was written under `key`.
llvm::Expected<CompiledCode> readCacheEntry(llvm::StringRef key,
                                            llvm::StringRef bytes);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CACHE_CACHEENTRY_H

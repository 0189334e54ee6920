//===- Pages.cpp - Memory on few pages ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Pages.h"
#include <cstdlib>
#include <sys/mman.h>

void *lattn::allocateAligned(size_t alignment, size_t bytes) {
#ifdef MADV_HUGEPAGE
  constexpr size_t hugePage = size_t(1) << 21;
  if (bytes >= 2 * hugePage && alignment <= hugePage) {
    void *pointer = nullptr;
    if (posix_memalign(&pointer, hugePage, bytes))
      return nullptr;
    // Advice only: the last, partial page is not ours.
    madvise(pointer, bytes / hugePage * hugePage, MADV_HUGEPAGE);
    return pointer;
  }
#endif
  return std::aligned_alloc(alignment, bytes);
}

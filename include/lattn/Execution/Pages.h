//===- Pages.h - Memory on few pages ----------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_PAGES_H
#define LATTN_EXECUTION_PAGES_H

#include <cstddef>

namespace lattn {

/// Like std::aligned_alloc, but asks for huge pages for large blocks: attention
/// goes through its operands row by row, and a page of 4 KiB holds only 16
/// rows.
void *allocateAligned(size_t alignment, size_t bytes);

} // namespace lattn

#endif // LATTN_EXECUTION_PAGES_H

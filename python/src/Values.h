//===- Values.h - Checks of what arrays hold --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Checks of integers that kernels take addresses from. They need no Python, so
// that XLA's threads can make them.

#ifndef LATTN_PYTHON_VALUES_H
#define LATTN_PYTHON_VALUES_H

#include "lattn-c/Callable.h"
#include <optional>
#include <string>

namespace lattn::python {

/// The text of an error, if there is one.
using ValueError = std::optional<std::string>;

/// What borders (0, n0, n0 + n1, ..., T) say about packed sequences.
struct Borders {
  int64_t count = 0, longest = 0;
  int64_t singles = 0; // the first of them, of one row each
};

/// Reads a row of at least one int32 or int64, from 0 to `rows`.
ValueError readBorders(const LattnArray &array, const std::string &name,
                       int64_t rows, Borders &borders);

/// Checks that the table (B, P) has pages of the pool, which has `count`, for
/// all keys of each batch. Without `lengths` those are the keys of P pages.
ValueError checkPages(const LattnArray &pages, const LattnArray *lengths,
                      int64_t pageSize, int64_t count);

} // namespace lattn::python

#endif // LATTN_PYTHON_VALUES_H

//===- Check.h - What a compiled check calls --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CHECK_H
#define LATTN_RUNTIME_CHECK_H

#include <cstdint>

/// Prints one line to stderr and counts one failure. `mismatches` of `elements`
/// elements differ; `first` is the row-major index of the first of them, and
/// `actual` and `expected` are its values. With `first` = -1 the shapes differ:
/// in `mismatches` of `elements` axes, and the values are the extents of the
/// first of these axes.
extern "C" __attribute__((visibility("default"))) void
lattn_check_report(int64_t mismatches, int64_t elements, int64_t first,
                   double actual, double expected);

/// How many checks have failed in this process.
extern "C" __attribute__((visibility("default"))) int64_t
lattn_check_failures();

#endif // LATTN_RUNTIME_CHECK_H

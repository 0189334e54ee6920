//===- Numbers.h - Elements of arrays as numbers ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_NUMBERS_H
#define LATTN_LIB_RUNNER_NUMBERS_H

#include "lattn/Execution/NumpyFiles.h"
#include <optional>

namespace lattn {

/// Fills `array` with standard normal numbers (bools: fair coins). They depend
/// on seed, stream and the element's index alone.
void randomize(NumpyArray &array, uint64_t seed, uint64_t stream);
/// Fills it with integers from `least`, which is 0 or more, to `most`, as far
/// as the type allows.
void randomizeIntegers(NumpyArray &array, uint64_t seed, uint64_t stream,
                       int64_t least, int64_t most);

struct Tolerance {
  double absolute = 0, relative = 0; // |got - expected| <= a + r * |expected|
};
/// The difference that rounding may leave between two orders of the same
/// computation.
Tolerance getDefaultTolerance(ElementKind kind);

/// Differences of two arrays of the same type. NaN matches only NaN, and an
/// infinity only the same infinity. Integers must be equal.
struct Comparison {
  int64_t elements = 0, mismatches = 0;
  double largestError = 0;
  int64_t largestIndex = -1;
  llvm::SmallVector<int64_t> first; // row-major indices, at most 5
};
Comparison compare(const NumpyArray &got, const NumpyArray &expected,
                   Tolerance tolerance);

/// "[0, 3, 17]" for a row-major index.
std::string formatIndex(llvm::ArrayRef<int64_t> shape, int64_t index);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_NUMBERS_H

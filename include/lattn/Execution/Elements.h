//===- Elements.h - Elements of arrays as numbers ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_ELEMENTS_H
#define LATTN_EXECUTION_ELEMENTS_H

#include "lattn/Execution/NumpyFiles.h"

namespace lattn {

bool isFloat(ElementKind kind);
bool isInteger(ElementKind kind); // bools do not count

/// Element `i` in row-major order; integers beyond 2^53 lose digits.
double getNumber(const NumpyArray &array, int64_t i);
int64_t getInteger(const NumpyArray &array, int64_t i);

/// Rounds `value` to the type of the array, or cuts it to the type's width.
void setNumber(NumpyArray &array, int64_t i, double value);
void setInteger(NumpyArray &array, int64_t i, int64_t value);

} // namespace lattn

#endif // LATTN_EXECUTION_ELEMENTS_H

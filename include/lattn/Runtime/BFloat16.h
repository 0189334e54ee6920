//===- BFloat16.h - Conversions that compiled code calls --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_BFLOAT16_H
#define LATTN_RUNTIME_BFLOAT16_H

/// Compiler-rt's __truncsfbf2 and __truncdfbf2, which older compiler runtimes
/// lack. They round to the nearest bfloat16, ties to even; NaN stays NaN. LLVM
/// calls them for arithmetic on bfloat16 that it makes itself. The result is
/// the low half of the register in which a float is returned.
extern "C" __attribute__((visibility("default"))) float
lattn_truncsfbf2(float value);
extern "C" __attribute__((visibility("default"))) float
lattn_truncdfbf2(double value);

#endif // LATTN_RUNTIME_BFLOAT16_H

//===- BFloat16Names.cpp - Conversions by the names LLVM calls ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For compiled programs: libgcc has them since version 13 only.

#include "lattn/Runtime/BFloat16.h"

#define LATTN_HIDDEN extern "C" __attribute__((visibility("hidden")))

LATTN_HIDDEN float __truncsfbf2(float value) { return lattn_truncsfbf2(value); }
LATTN_HIDDEN float __truncdfbf2(double value) {
  return lattn_truncdfbf2(value);
}

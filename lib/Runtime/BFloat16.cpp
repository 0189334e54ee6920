//===- BFloat16.cpp - Conversions that compiled code calls ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/BFloat16.h"
#include <cmath>
#include <cstdint>
#include <cstring>

float lattn_truncsfbf2(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value))
    bits = bits >> 16 | 0x40;
  else
    bits = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

float lattn_truncdfbf2(double value) {
  // To odd first, so that the second rounding is the only one.
  float rounded = static_cast<float>(value);
  if (std::isfinite(rounded) && rounded != value) {
    if (std::fabs(static_cast<double>(rounded)) > std::fabs(value))
      rounded = std::nextafter(rounded, 0.0f);
    uint32_t bits;
    std::memcpy(&bits, &rounded, sizeof(bits));
    bits |= 1;
    std::memcpy(&rounded, &bits, sizeof(bits));
  }
  return lattn_truncsfbf2(rounded);
}

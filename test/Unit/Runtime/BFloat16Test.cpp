//===- BFloat16Test.cpp - Rounding as LLVM does it ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/BFloat16.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using llvm::APFloat;

namespace {

uint16_t getExpected(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.bitcastToAPInt().getZExtValue();
}

uint16_t getHalf(float returned) {
  return static_cast<uint16_t>(llvm::bit_cast<uint32_t>(returned));
}

TEST(BFloat16, Float) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    float value = llvm::bit_cast<float>(static_cast<uint32_t>(random()));
    if (!std::isnan(value))
      ASSERT_EQ(getHalf(lattn_truncsfbf2(value)), getExpected(APFloat(value)))
          << value;
  }
}

TEST(BFloat16, Double) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 400000; ++i) {
    // Any bits, or close to a tie of two bfloat16.
    double value = llvm::bit_cast<double>(static_cast<uint64_t>(random()));
    if (i % 2) {
      uint32_t tie = static_cast<uint32_t>(random()) << 16 | 0x8000;
      value = llvm::bit_cast<float>(tie) * (1 + ((i / 2) % 3 - 1) * 0x1p-40);
    }
    if (!std::isnan(value))
      ASSERT_EQ(getHalf(lattn_truncdfbf2(value)), getExpected(APFloat(value)))
          << value;
  }
}

TEST(BFloat16, NotANumber) {
  for (uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0x7fc00000u}) {
    uint16_t half = getHalf(lattn_truncsfbf2(llvm::bit_cast<float>(bits)));
    EXPECT_GT(half & 0x7fff, 0x7f80);
    EXPECT_EQ(half >> 15, static_cast<int>(bits >> 31));
  }
  EXPECT_GT(getHalf(lattn_truncdfbf2(std::nan(""))) & 0x7fff, 0x7f80);
}

} // namespace

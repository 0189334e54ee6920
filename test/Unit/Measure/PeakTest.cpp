//===- PeakTest.cpp - Shares of the peak and of bounds ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Peak.h"
#include "lattn/Measure/Table.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

TEST(Reached, DisturbedMeasurements) {
  EXPECT_EQ(Reached(80, 100, 0.8).describe(),
            "80 % of peak, 100 % of the bound (80 % of peak)");
  EXPECT_FALSE(Reached(102, 100, 0.99).isDisturbed());
  EXPECT_FALSE(Reached(104, 100, 1).ofPeak <= 1.02);
  EXPECT_EQ(Reached(104, 100, 1).describe(),
            "104 % of peak, 104 % of the bound (100 % of peak); no program can "
            "reach more than the peak: the measurement was disturbed");
  EXPECT_FALSE(Reached(84, 100, 0.801).isDisturbed());
  EXPECT_EQ(Reached(30, 100, 0.1).describe(),
            "30 % of peak, 300 % of the bound (10 % of peak); no program can "
            "reach more than the bound: the measurement was disturbed");
  // Tiles of another peak than the measured one, and what is not known.
  EXPECT_FALSE(Reached(150, 100, 1.6).isDisturbed());
  EXPECT_FALSE(Reached(0, 100, 0.1).isDisturbed());
  EXPECT_FALSE(Reached(10, 0, 0).isDisturbed());
}

TEST(Table, Numbers) {
  EXPECT_EQ(formatNumber(1234.56), "1235");
  EXPECT_EQ(formatNumber(0.000012345, 3), "1.23e-05");
  EXPECT_EQ(formatPercent(0.8), "80 %");
  EXPECT_EQ(formatSeconds(2), "2 s");
  EXPECT_EQ(formatSeconds(0.0123), "12.3 ms");
  EXPECT_EQ(formatSeconds(4.5e-6), "4.5 us");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1536), "1.5 KiB");
  EXPECT_EQ(formatBytes(3 << 20), "3 MiB");
}

} // namespace

//===- PeakTest.cpp - Shares of the peak and of bounds ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Peak.h"
#include "lattn/InitAll.h"
#include "lattn/Measure/Table.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

std::string create(PeakKind kind, const char *cpu, bool sample) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto target = getTargetInfo(cpu, "");
  if (!target)
    return llvm::toString(target.takeError());
  auto peak = Peak::create(context, *target, kind);
  if (!peak)
    return llvm::toString(peak.takeError());
  if (sample)
    peak->sample();
  EXPECT_EQ(peak->get() > 1e6, sample);
  return "";
}

TEST(Peak, OfThisMachine) {
  EXPECT_EQ(create(PeakKind::F32, "", /*sample=*/true), "");
  EXPECT_EQ(create(PeakKind::F64, "", /*sample=*/true), "");
}

#if defined(__x86_64__)
// Code for a CPU that this one need not be.
TEST(Peak, Compiles) {
  for (PeakKind kind : {PeakKind::F32, PeakKind::BF16Dot, PeakKind::AMX})
    EXPECT_EQ(create(kind, "sapphirerapids", /*sample=*/false), "");
}
#endif

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

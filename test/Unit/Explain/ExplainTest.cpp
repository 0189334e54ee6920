//===- ExplainTest.cpp - Bounds that no machine here has ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Explain/Explain.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

std::string getRow(const AttentionWork &work, llvm::StringRef label) {
  TargetInfo target;
  target.cpu = "sapphirerapids";
  target.vectorBits = 512;
  for (const auto &[name, value] : explainWork(work, target))
    if (name == label)
      return value;
  return "none";
}

AttentionWork getWork() {
  AttentionWork work = {};
  work.batches = work.heads = work.kvHeads = 1;
  work.queries = work.keys = 64;
  work.headDim = work.valueDim = 64;
  work.kind = ElementKind::BF16;
  work.sizes = {64, 64};
  work.visiblePairs = 3;
  work.executedPairs = 4;
  return work;
}

TEST(Explain, AMX) {
  AttentionWork work = getWork();
  work.products = BF16Products::AMX;
  EXPECT_EQ(getRow(work, "products"), "AMX tiles of bf16");
  EXPECT_EQ(getRow(work, "least cycles"),
            "9 a key and 16 queries: exp 5, AMX 4, tile loads 2 beside it");
  // 3 / 4 of the pairs, 4 of 9 cycles.
  EXPECT_EQ(getRow(work, "bound"), "33.3 % of the AMX peak");
  // Half of each tile of d and of values is padding.
  work.headDim = 16;
  work.valueDim = 8;
  EXPECT_EQ(getRow(work, "least cycles"),
            "6.5 a key and 16 queries: exp 5, AMX 1.5, tile loads 0.75 beside "
            "it");
}

TEST(Explain, PairsHaveNoTiles) {
  AttentionWork work = getWork();
  work.products = BF16Products::Dot;
  EXPECT_EQ(getRow(work, "products"),
            "dot products of bf16 pairs (AVX512-BF16)");
  EXPECT_EQ(getRow(work, "least cycles"), "none");
  EXPECT_EQ(getRow(work, "bound"), "64.9 % of the peak of bf16 dot products");
}

TEST(Explain, WidenedProducts) {
  AttentionWork work = getWork();
  EXPECT_EQ(getRow(work, "products"), "bf16 widened to f32");
  EXPECT_EQ(getRow(work, "bound"), "69.6 % of the FMA peak");
  work.products = BF16Products::EmulatedDot; // an FMA for each product at least
  EXPECT_EQ(getRow(work, "bound"), "69.6 % of the FMA peak");
  work.kind = ElementKind::F32;
  EXPECT_EQ(getRow(work, "products"), "none");
}

// The bound of all work is a share of the highest peak that a part can reach.
TEST(Explain, PeaksOfSeveralKinds) {
  AttentionWork pairs = getWork(), wide = getWork();
  pairs.products = BF16Products::Dot;
  EXPECT_EQ(getPeakKind({wide, pairs}, {}), PeakKind::BF16Dot);
  EXPECT_EQ(getPeakKind({wide}, {{1, PeakKind::F64}}), PeakKind::F32);
  EXPECT_EQ(getPeakKind({}, {{1, PeakKind::F64}}), PeakKind::F64);
  EXPECT_EQ(getPeakKind({wide}, {{1, PeakKind::BF16Dot}}), PeakKind::BF16Dot);
  EXPECT_EQ(getPeakKind({}, {}), PeakKind::F32);
  EXPECT_DOUBLE_EQ(getBound({wide}, {}, PeakKind::F32), getBound(wide));
  EXPECT_DOUBLE_EQ(getBound({wide}, {}, PeakKind::BF16Dot), getBound(wide) / 2);
  EXPECT_DOUBLE_EQ(
      getBound({}, {{1, PeakKind::F32}, {1, PeakKind::F64}}, PeakKind::F32),
      2.0 / 3);
}

TEST(Explain, WideScores) {
  AttentionWork work = getWork();
  work.products = BF16Products::Dot;
  work.hasWideScores = true;
  EXPECT_EQ(
      getRow(work, "products"),
      "scores in f32, since rows were turned or normalised; values by dot "
      "products of bf16");
  // 3 / 4 of the pairs; FMAs of scores take as long as all dot products would.
  EXPECT_EQ(getRow(work, "bound"), "45.3 % of the peak of bf16 dot products");
}

} // namespace

//===- AttentionTest.cpp - Tests of the float64 reference -------*- C++ -*-===//
//
// Part of lattn, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Reference/Attention.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <utility>

using namespace lattn::reference;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kTolerance = 1e-14;

/// The keys in [first, last) that `p` sees.
std::vector<int64_t> seen(const Window &window, int64_t p, int64_t first,
                          int64_t last) {
  std::vector<int64_t> keys;
  for (int64_t t = first; t < last; ++t)
    if (isVisible(window, p, t))
      keys.push_back(t);
  return keys;
}

using Keys = std::vector<int64_t>;

/// B = H = Hkv = D = Dv = 1, scale 1. With query 0 every score is 0, so a row
/// is the mean of the values it sees and its LSE the log of their number.
struct Single : AttentionProblem {
  Single(std::vector<double> q, std::vector<double> k, std::vector<double> v)
      : queryData(std::move(q)), keyData(std::move(k)),
        valueData(std::move(v)) {
    batch = heads = kvHeads = headDim = valueDim = 1;
    queries = queryData.size();
    keys = keyData.size();
    query = queryData.data();
    key = keyData.data();
    value = valueData.data();
    scale = 1;
  }
  Single(const Single &) = delete;

  std::vector<double> queryData, keyData, valueData;
};

void expectNear(const std::vector<double> &got,
                const std::vector<double> &expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::isinf(expected[i]))
      EXPECT_EQ(got[i], expected[i]) << "at " << i;
    else
      EXPECT_NEAR(got[i], expected[i], kTolerance) << "at " << i;
  }
}

//===----------------------------------------------------------------------===//
// Window
//===----------------------------------------------------------------------===//

TEST(ReferenceWindow, EmptyIsFull) {
  EXPECT_EQ(seen({}, -100, -2, 3), (Keys{-2, -1, 0, 1, 2}));
}

TEST(ReferenceWindow, LeftAndRightAreInclusive) {
  Window window;
  window.left = 2;
  EXPECT_EQ(seen(window, 3, 0, 6), (Keys{1, 2, 3, 4, 5}));
  window.right = 1;
  EXPECT_EQ(seen(window, 3, 0, 6), (Keys{1, 2, 3, 4}));
  EXPECT_EQ(seen(window, -1, 0, 6), (Keys{0}));
  EXPECT_EQ(seen(window, -2, 0, 6), (Keys{}));
  window.left = window.right = 0;
  EXPECT_EQ(seen(window, 3, 0, 6), (Keys{3}));
}

TEST(ReferenceWindow, HugeBoundsDoNotOverflow) {
  Window window;
  window.left = window.right = std::numeric_limits<int64_t>::max();
  window.bucket = 1;
  window.back = window.forward = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(seen(window, -7, 0, 2), (Keys{0, 1}));
  EXPECT_EQ(seen(window, 7, 0, 2), (Keys{0, 1}));
}

TEST(ReferenceWindow, Bucket) {
  Window window;
  window.bucket = 3;
  EXPECT_EQ(seen(window, 3, 0, 12), (Keys{3, 4, 5}));
  EXPECT_EQ(seen(window, 5, 0, 12), (Keys{3, 4, 5}));
  window.back = 1;
  EXPECT_EQ(seen(window, 5, 0, 12), (Keys{0, 1, 2, 3, 4, 5}));
  window.back = 0;
  window.forward = 1;
  EXPECT_EQ(seen(window, 5, 0, 12), (Keys{3, 4, 5, 6, 7, 8}));
}

TEST(ReferenceWindow, BucketOfNegativePositionIsFloored) {
  Window window;
  window.bucket = 3;
  // Buckets: [-6, -3), [-3, 0), [0, 3). Truncation would merge -2..2.
  EXPECT_EQ(seen(window, -1, -6, 6), (Keys{-3, -2, -1}));
  EXPECT_EQ(seen(window, -3, -6, 6), (Keys{-3, -2, -1}));
  EXPECT_EQ(seen(window, -4, -6, 6), (Keys{-6, -5, -4}));
  EXPECT_EQ(seen(window, 0, -6, 6), (Keys{0, 1, 2}));
  window.forward = 1;
  EXPECT_EQ(seen(window, -3, 0, 6), (Keys{0, 1, 2}));
  EXPECT_EQ(seen(window, -4, 0, 6), (Keys{}));
}

TEST(ReferenceWindow, BucketAndBoundsIntersect) {
  Window window;
  window.bucket = 4;
  window.back = 1;
  window.left = 3;
  window.right = 0;
  EXPECT_EQ(seen(window, 5, 0, 12), (Keys{2, 3, 4, 5}));
  window.back = 0;
  EXPECT_EQ(seen(window, 5, 0, 12), (Keys{4, 5}));
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

TEST(ReferenceAttention, TwoKeysAreASigmoid) {
  Single problem({2}, {0.25, 1}, {0, 1});
  AttentionResult result = attention(problem);
  expectNear(result.out, {1 / (1 + std::exp(-1.5))});
  expectNear(result.lse, {0.5 + std::log1p(std::exp(1.5))});
}

TEST(ReferenceAttention, GeometricWeightsFromBias) {
  // Weights 2^k, values k, n = 8: sum 2^8 - 1, weighted sum 6 * 2^8 + 2.
  Single problem({0}, std::vector<double>(8), {0, 1, 2, 3, 4, 5, 6, 7});
  problem.bias = [](int64_t, int64_t, int64_t, int64_t k) {
    return double(k) * std::log(2.0);
  };
  AttentionResult result = attention(problem);
  expectNear(result.out, {1538.0 / 255});
  expectNear(result.lse, {std::log(255.0)});
}

TEST(ReferenceAttention, DefaultScale) {
  // D = 4, product 4, so the scores are 4 / sqrt(4) = 2 and 0.
  std::vector<double> query = {1, 1, 1, 1}, value = {1, 0};
  std::vector<double> key = {1, 1, 1, 1, 0, 0, 0, 0};
  AttentionProblem problem;
  problem.batch = problem.heads = problem.kvHeads = problem.queries = 1;
  problem.keys = 2;
  problem.headDim = 4;
  problem.valueDim = 1;
  problem.query = query.data();
  problem.key = key.data();
  problem.value = value.data();
  expectNear(attention(problem).out, {1 / (1 + std::exp(-2))});
  problem.scale = -0.25;
  expectNear(attention(problem).out, {1 / (1 + std::exp(1))});
}

TEST(ReferenceAttention, LargeScoresDoNotOverflow) {
  Single problem({1}, {1000, 1001}, {0, 1});
  AttentionResult result = attention(problem);
  EXPECT_NEAR(result.out[0], 1 / (1 + std::exp(-1)), kTolerance);
  EXPECT_NEAR(result.lse[0], 1001 + std::log1p(std::exp(-1)), 1e-12);
}

TEST(ReferenceAttention, ScaleThenScoreThenBias) {
  // (2 * 0.5)^2 + 10: no other order gives 11.
  Single problem({1}, {2}, {1});
  problem.scale = 0.5;
  problem.score = [](double s, int64_t, int64_t, int64_t, int64_t) {
    return s * s;
  };
  problem.bias = [](int64_t, int64_t, int64_t, int64_t) { return 10.0; };
  expectNear(attention(problem).lse, {11});
}

TEST(ReferenceAttention, ScoreSeesRowIndicesOfVisiblePairs) {
  Single problem({0, 0}, {0, 0}, {1, 1});
  problem.offset = {-1};
  problem.window.right = 0;
  std::vector<Keys> scoreCalls, biasCalls;
  problem.score = [&](double s, int64_t b, int64_t h, int64_t q, int64_t k) {
    scoreCalls.push_back({b, h, q, k});
    return s;
  };
  problem.bias = [&](int64_t b, int64_t h, int64_t q, int64_t k) {
    biasCalls.push_back({b, h, q, k});
    return 0.0;
  };
  attention(problem);
  EXPECT_EQ(scoreCalls, (std::vector<Keys>{{0, 0, 1, 0}}));
  EXPECT_EQ(biasCalls, scoreCalls);
}

TEST(ReferenceAttention, SinkTakesWeightButHasNoValue) {
  // Weights 1, 1 and 2 for the sink.
  Single problem({0}, {0, 0}, {4, 8});
  problem.sink = {std::log(2.0)};
  AttentionResult result = attention(problem);
  expectNear(result.out, {3});
  expectNear(result.lse, {std::log(4.0)});
}

TEST(ReferenceAttention, LargeSinkIsPartOfTheMax) {
  Single problem({0}, {0, 0}, {4, 8});
  problem.sink = {2000};
  AttentionResult result = attention(problem);
  expectNear(result.out, {0});
  expectNear(result.lse, {2000});
}

//===----------------------------------------------------------------------===//
// Rows, positions, lengths
//===----------------------------------------------------------------------===//

TEST(ReferenceAttention, CausalDefaultOffsetAlignsTheEnds) {
  Single problem({0, 0}, {0, 0, 0}, {3, 6, 12});
  problem.window.right = 0;
  AttentionResult result = attention(problem);
  expectNear(result.out, {4.5, 7});
  expectNear(result.lse, {std::log(2.0), std::log(3.0)});
  EXPECT_EQ(visiblePairs(problem), 5);
  problem.offset = {0};
  expectNear(attention(problem).out, {3, 4.5});
  EXPECT_EQ(visiblePairs(problem), 3);
}

TEST(ReferenceAttention, KvLensMoveTheDefaultOffset) {
  Single problem({0, 0}, {0, 0, kNaN}, {3, 6, kInf});
  problem.window.right = 0;
  problem.kvLens = {2};
  expectNear(attention(problem).out, {3, 4.5});
  EXPECT_EQ(visiblePairs(problem), 3);
  problem.offset = {5};
  expectNear(attention(problem).out, {4.5, 4.5});
}

TEST(ReferenceAttention, KvLensAreClamped) {
  Single problem({0, 0}, {0, 0, 0}, {3, 6, 12});
  problem.window.right = 0;
  problem.kvLens = {100};
  expectNear(attention(problem).out, {4.5, 7});
  problem.kvLens = {-100};
  expectNear(attention(problem).lse, {-kInf, -kInf});
  EXPECT_EQ(visiblePairs(problem), 0);
}

TEST(ReferenceAttention, EmptyRow) {
  Single problem({0, 0}, {0, 0}, {3, 6});
  problem.window.right = 0;
  problem.offset = {-1};
  AttentionResult result = attention(problem);
  expectNear(result.out, {0, 3});
  expectNear(result.lse, {-kInf, 0});
  problem.sink = {0.5};
  result = attention(problem);
  expectNear(result.out, {0, 3 / (1 + std::exp(0.5))});
  expectNear(result.lse, {0.5, std::log1p(std::exp(0.5))});
  problem.sink = {-kInf};
  expectNear(attention(problem).lse, {-kInf, 0});
}

TEST(ReferenceAttention, ScoresOfMinusInfinityAreDropped) {
  Single problem({0, 0}, {0, 0}, {kNaN, 6});
  problem.bias = [](int64_t, int64_t, int64_t q, int64_t k) {
    return q == 0 || k == 0 ? -kInf : 0;
  };
  AttentionResult result = attention(problem);
  expectNear(result.out, {0, 6});
  expectNear(result.lse, {-kInf, 0});
  EXPECT_EQ(visiblePairs(problem), 4);

  problem.score = [](double, int64_t, int64_t, int64_t, int64_t) {
    return -kInf;
  };
  problem.bias = nullptr;
  expectNear(attention(problem).lse, {-kInf, -kInf});
}

TEST(ReferenceAttention, InvisiblePoisonHasNoInfluence) {
  // Only key 2 is seen: 0 and 4 are outside the window, 1 and 3 masked.
  for (double poison : {kNaN, kInf, -kInf}) {
    Single problem({1}, {poison, poison, 0.5, poison, poison},
                   {poison, poison, 7, poison, poison});
    problem.offset = {2};
    problem.window.left = problem.window.right = 1;
    problem.keyMask = {1, 0, 1, 0, 1};
    AttentionResult result = attention(problem);
    expectNear(result.out, {7});
    expectNear(result.lse, {0.5});
    EXPECT_EQ(visiblePairs(problem), 1);
  }
}

TEST(ReferenceAttention, VisibleNaNShows) {
  Single problem({1}, {kNaN}, {1});
  AttentionResult result = attention(problem);
  EXPECT_TRUE(std::isnan(result.out[0]));
  EXPECT_TRUE(std::isnan(result.lse[0]));
}

TEST(ReferenceAttention, BucketWithNegativeOffset) {
  // Positions -3, -2, -1, 0 fall into buckets -2, -1, -1, 0 of two keys.
  Single problem({0, 0, 0, 0}, {0, 0, 0, 0}, {2, 4, 8, 16});
  problem.offset = {-3};
  problem.window.bucket = 2;
  problem.window.forward = 1;
  AttentionResult result = attention(problem);
  expectNear(result.out, {0, 3, 3, 7.5});
  expectNear(result.lse, {-kInf, std::log(2.0), std::log(2.0), std::log(4.0)});
  EXPECT_EQ(visiblePairs(problem), 8);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// B = 2, H = 4, Hkv = 2, N = 1, M = 2, D = 1, Dv = 2, all scores 0. The value
/// of (b, kv head, key, d) is 1000 b + 100 kv head + 10 key + d.
struct Grouped : AttentionProblem {
  Grouped() : zeros(8), valueData(16) {
    batch = 2;
    heads = 4;
    kvHeads = 2;
    queries = 1;
    keys = 2;
    headDim = 1;
    valueDim = 2;
    for (int64_t i = 0; i < 16; ++i)
      valueData[i] =
          1000 * (i / 8) + 100 * (i / 4 % 2) + 10 * (i / 2 % 2) + i % 2;
    query = key = zeros.data();
    value = valueData.data();
  }
  Grouped(const Grouped &) = delete;

  std::vector<double> zeros, valueData;
};

TEST(ReferenceAttention, GroupedHeads) {
  Grouped problem;
  expectNear(attention(problem).out,
             {5, 6, 5, 6, 105, 106, 105, 106, //
              1005, 1006, 1005, 1006, 1105, 1106, 1105, 1106});
  EXPECT_EQ(visiblePairs(problem), 16);
}

TEST(ReferenceAttention, GroupedHeadsReadTheirKeys) {
  Grouped problem;
  std::vector<double> query(8, 1), key = {1, 2, 3, 4, 5, 6, 7, 8};
  problem.query = query.data();
  problem.key = key.data();
  problem.offset = {0};
  problem.window.right = 0;
  expectNear(attention(problem).lse, {1, 1, 3, 3, 5, 5, 7, 7});
}

TEST(ReferenceAttention, BatchesHaveTheirOwnOffsetMaskAndLength) {
  Grouped problem;
  problem.window.left = problem.window.right = 0;
  problem.offset = {1, 0};
  expectNear(attention(problem).out,
             {10, 11, 10, 11, 110, 111, 110, 111, //
              1000, 1001, 1000, 1001, 1100, 1101, 1100, 1101});
  EXPECT_EQ(visiblePairs(problem), 8);
  problem.keyMask = {0, 1, 1, 0};
  EXPECT_EQ(visiblePairs(problem), 8);
  problem.kvLens = {1, 2};
  double none = -kInf;
  expectNear(attention(problem).lse, {none, none, none, none, 0, 0, 0, 0});
}

TEST(ReferenceAttention, SinkIsPerQueryHead) {
  Grouped problem;
  double none = -kInf;
  problem.sink = {none, std::log(2.0), none, std::log(6.0)};
  expectNear(attention(problem).lse,
             {std::log(2.0), std::log(4.0), std::log(2.0), std::log(8.0),
              std::log(2.0), std::log(4.0), std::log(2.0), std::log(8.0)});
}

TEST(ReferenceAttention, RowIsARowOfTheWhole) {
  Grouped problem;
  AttentionResult result = attention(problem);
  double row[2], lse;
  attentionRow(problem, 1, 2, 0, row, &lse);
  expectNear({row[0], row[1]}, {1105, 1106});
  expectNear({lse}, {result.lse[6]});
}

TEST(ReferenceAttention, NoFeatures) {
  // D = 0: all scores are 0.
  Single problem({1}, {1, 1}, {2, 4});
  problem.headDim = 0;
  problem.query = problem.key = nullptr;
  problem.scale = std::nullopt;
  expectNear(attention(problem).out, {3});
  expectNear(attention(problem).lse, {std::log(2.0)});
}

TEST(ReferenceAttention, NoValueFeatures) {
  Single problem({1}, {1, 1}, {});
  problem.valueDim = 0;
  EXPECT_TRUE(attention(problem).out.empty());
  expectNear(attention(problem).lse, {1 + std::log(2.0)});
}

TEST(ReferenceAttention, NoKeys) {
  Single problem({1}, {}, {});
  expectNear(attention(problem).out, {0});
  expectNear(attention(problem).lse, {-kInf});
}

TEST(ReferenceAttention, NoQueriesNoBatchNoHeads) {
  Single noQueries({}, {1}, {1});
  EXPECT_TRUE(attention(noQueries).lse.empty());
  EXPECT_EQ(visiblePairs(noQueries), 0);
  Single noBatch({1}, {1}, {1});
  noBatch.batch = 0;
  EXPECT_TRUE(attention(noBatch).lse.empty());
  EXPECT_EQ(visiblePairs(noBatch), 0);
  Single noHeads({1}, {1}, {1});
  noHeads.heads = noHeads.kvHeads = 0;
  EXPECT_TRUE(attention(noHeads).lse.empty());
  EXPECT_EQ(visiblePairs(noHeads), 0);
}

TEST(ReferenceAttention, Dropout) {
  // Words 6627e8d5 e169c58d bc57ac4c 9b00dbd8 for counter 0 and key 0.
  const double words[] = {0x6627e8 * 0x1p-24, 0xe169c5 * 0x1p-24,
                          0xbc57ac * 0x1p-24, 0x9b00db * 0x1p-24};
  Single problem({0}, {0, 0, 0, 0}, {1, 2, 3, 4});
  for (int64_t k = 0; k < 4; ++k) {
    EXPECT_TRUE(isKept({words[k], 0, 0}, 0, 0, k));
    EXPECT_FALSE(isKept({words[k] + 0x1p-24, 0, 0}, 0, 0, k));
  }
  problem.dropout = {0.5, 0, 0}; // drops the first key
  expectNear(attention(problem).out, {(2. + 3. + 4.) / 4 / 0.5});
  expectNear(attention(problem).lse, {std::log(4.0)});
  problem.dropout = {1, 0, 0};
  problem.valueData[0] = kNaN;
  expectNear(attention(problem).out, {0});
}

TEST(ReferenceAttention, DropoutCountsAllCoordinates) {
  Dropout half = {0.5, 3, 5};
  auto bits = [](const Dropout &dropout, int64_t row, int64_t q, int64_t k) {
    uint32_t bits = 0;
    for (int64_t i = 0; i < 32; ++i)
      bits = 2 * bits + isKept(dropout, row, q, k + i);
    return bits;
  };
  uint32_t first = bits(half, 1, 2, 3);
  EXPECT_EQ(first, bits(half, 1, 2, 3));
  EXPECT_EQ(first << 1, bits(half, 1, 2, 4) & ~1u);
  for (uint32_t other :
       {bits(half, 2, 2, 3), bits(half, 1, 3, 3), bits({0.5, 4, 5}, 1, 2, 3),
        bits({0.5, 3 + (int64_t(1) << 32), 5}, 1, 2, 3),
        bits({0.5, 3, 6}, 1, 2, 3)})
    EXPECT_NE(first, other);
}

} // namespace

//===- WindowGeometryTest.cpp - Window geometry, as numbers -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WindowSweep.h"

using namespace lattn;

namespace {

class WindowGeometry : public ::testing::Test {
protected:
  WindowGeometry() {
    context.loadDialect<LattnDialect>();
    windows = sweepWindows(&context);
  }
  mlir::MLIRContext context;
  std::vector<TestWindow> windows;
};

constexpr int64_t kKeys[] = {0, 1, 13, 32};

TEST_F(WindowGeometry, IsVisible) {
  for (const TestWindow &window : windows)
    for (int64_t p = -20; p < 24; ++p)
      for (int64_t t = -20; t < 24; ++t)
        ASSERT_EQ(isVisible(window.attr, p, t),
                  reference::isVisible(window.reference, p, t))
            << window.text << " p = " << p << " t = " << t;
}

TEST_F(WindowGeometry, IsVisibleFarOut) {
  constexpr int64_t far = WindowAttr::kMaxExtent;
  for (const TestWindow &window : windows)
    for (int64_t p : {-far - 7, -far, far - 1, far, far + 9})
      for (int64_t t : {-2 * far, p - far - 1, p - far, p - 3, p, p + 1,
                        p + far, p + far + 1, 2 * far})
        ASSERT_EQ(isVisible(window.attr, p, t),
                  reference::isVisible(window.reference, p, t))
            << window.text << " p = " << p << " t = " << t;
}

TEST_F(WindowGeometry, VisibleKeys) {
  for (const TestWindow &window : windows)
    for (int64_t numKeys : kKeys)
      for (int64_t p = -20; p < 50; ++p) {
        KeyRange range = getTileKeys(window.attr, p, p, numKeys).touched;
        ASSERT_EQ(listKeys(range.begin, range.end),
                  SeenKeys(window, p, p, numKeys).some)
            << window.text << " p = " << p << " of " << numKeys;
      }
}

/// Each step by itself: it counts where a touched key is in it, as full where
/// every key of it is interior.
TEST_F(WindowGeometry, KeySteps) {
  constexpr int64_t before = 4; // the origin may lie left of all keys
  for (const TestWindow &window : windows)
    for (int64_t numKeys : kKeys)
      for (auto [first, last] : sweepTiles())
        for (int64_t length : {1, 3, 16}) {
          TileKeys keys = getTileKeys(window.attr, first, last, numKeys);
          for (int64_t origin : {keys.touched.begin, -before}) {
            KeySteps expected = {0, 0};
            for (int64_t at = origin; at < numKeys; at += length) {
              int64_t touched = 0, interior = 0;
              for (int64_t key = at; key < at + length; ++key) {
                touched += key >= keys.touched.begin && key < keys.touched.end;
                interior +=
                    key >= keys.interior.begin && key < keys.interior.end;
              }
              if (touched)
                ++(interior == length ? expected.full : expected.edge);
            }
            KeySteps steps = countKeySteps(keys, origin, length);
            ASSERT_EQ(steps.full, expected.full) << window.text;
            ASSERT_EQ(steps.edge, expected.edge) << window.text;
          }
        }
}

TEST_F(WindowGeometry, TileKeys) {
  for (const TestWindow &window : windows)
    for (int64_t numKeys : kKeys)
      for (auto [first, last] : sweepTiles()) {
        SCOPED_TRACE(testing::Message() << window.text << " " << first << ".."
                                        << last << " of " << numKeys);
        TileKeys keys = getTileKeys(window.attr, first, last, numKeys);
        SeenKeys seen(window, first, last, numKeys);
        ASSERT_EQ(listKeys(keys.touched.begin, keys.touched.end), seen.some);
        ASSERT_EQ(listKeys(keys.interior.begin, keys.interior.end), seen.all);
        // The three runs follow one another, whatever is empty.
        ASSERT_LE(0, keys.touched.begin);
        ASSERT_LE(keys.touched.begin, keys.interior.begin);
        ASSERT_LE(keys.interior.begin, keys.interior.end);
        ASSERT_LE(keys.interior.end, keys.touched.end);
        ASSERT_LE(keys.touched.end, numKeys);
      }
}

/// Which queries see a tile of keys, by the inverse, in the same three runs.
TEST_F(WindowGeometry, Inverse) {
  for (const TestWindow &window : windows) {
    std::optional<WindowBounds> inverse =
        WindowBounds(window.attr).getInverse();
    ASSERT_TRUE(inverse) << window.text;
    for (int64_t p = -20; p < 40; ++p)
      for (int64_t t = -20; t < 40; ++t)
        ASSERT_EQ(isVisible(*inverse, t, p),
                  reference::isVisible(window.reference, p, t))
            << window.text << " p = " << p << " t = " << t;
    for (int64_t numQueries : kKeys)
      for (auto [first, last] : sweepTiles()) {
        std::vector<int64_t> some, all;
        for (int64_t p = 0; p < numQueries; ++p) {
          int64_t seen = 0;
          for (int64_t t = first; t <= last; ++t)
            seen += reference::isVisible(window.reference, p, t);
          if (seen > 0)
            some.push_back(p);
          if (seen == last - first + 1)
            all.push_back(p);
        }
        TileKeys queries = getTileKeys(*inverse, first, last, numQueries);
        SCOPED_TRACE(testing::Message() << window.text << " " << first << ".."
                                        << last << " of " << numQueries);
        ASSERT_EQ(listKeys(queries.interior.begin, queries.interior.end), all);
        auto touched = listKeys(queries.touched.begin, queries.touched.end);
        ASSERT_TRUE(std::includes(touched.begin(), touched.end(), some.begin(),
                                  some.end()));
        if (first == last)
          ASSERT_EQ(touched, some);
      }
  }
}

/// Bounds that are no chains, and one that is of another kind.
TEST_F(WindowGeometry, InverseOfOtherBounds) {
  mlir::AffineExpr p = mlir::getAffineDimExpr(0, &context);
  auto invert = [&](mlir::AffineExpr bound) {
    WindowBounds bounds = WindowAttrInterface();
    bounds.upper = mlir::AffineMap::get(1, 0, bound);
    return bounds.getInverse();
  };
  EXPECT_FALSE(invert(p - p % 4 + 4));
  EXPECT_FALSE(invert(mlir::getAffineConstantExpr(7, &context)));
  std::optional<WindowBounds> inverse = invert((p + 3).ceilDiv(5) * 5 - 1);
  ASSERT_TRUE(inverse);
  for (int64_t at = -20; at < 20; ++at)
    for (int64_t t = -20; t < 20; ++t)
      EXPECT_EQ(isVisible(*inverse, t, at),
                t < llvm::divideCeilSigned(at + 3, 5) * 5 - 1);
}

TEST_F(WindowGeometry, CoversAll) {
  for (const TestWindow &window : windows)
    for (int64_t numKeys : kKeys)
      for (auto [first, last] : sweepTiles())
        ASSERT_EQ(coversAll(window.attr, first, last, numKeys),
                  int64_t(SeenKeys(window, first, last, numKeys).all.size()) ==
                      numKeys)
            << window.text << " " << first << ".." << last << " of " << numKeys;
  WindowAttrInterface diagonal = WindowAttr::get(&context, 0, 0, {}, 0, 0);
  EXPECT_TRUE(coversAll(diagonal, 5, 4, 10)) << "no queries";
}

/// Nothing is visible beyond the halo, and something at its edge.
TEST_F(WindowGeometry, Halo) {
  for (const TestWindow &window : windows) {
    Halo halo = getHalo(window.attr);
    const reference::Window &ref = window.reference;
    ASSERT_EQ(halo.before.has_value(), ref.left || ref.bucket) << window.text;
    ASSERT_EQ(halo.after.has_value(), ref.right || ref.bucket) << window.text;
    std::vector<int64_t> positions = listKeys(-30, 30);
    if (ref.bucket)
      positions.push_back(*ref.bucket - 1);
    auto sees = [&](int64_t distance) {
      return llvm::any_of(positions, [&](int64_t p) {
        return reference::isVisible(ref, p, p + distance);
      });
    };
    if (halo.before) {
      ASSERT_TRUE(sees(-*halo.before)) << window.text;
      ASSERT_FALSE(sees(-*halo.before - 1)) << window.text;
    }
    if (halo.after) {
      ASSERT_TRUE(sees(*halo.after)) << window.text;
      ASSERT_FALSE(sees(*halo.after + 1)) << window.text;
    }
  }
}

TEST_F(WindowGeometry, Causal) {
  for (const TestWindow &window : windows) {
    if (!window.attr)
      continue;
    WindowAttrInterface causal = window.attr.getCausal();
    for (int64_t p = -12; p < 12; ++p)
      for (int64_t t = -12; t < 12; ++t)
        ASSERT_EQ(isVisible(causal, p, t),
                  t <= p && reference::isVisible(window.reference, p, t))
            << window.text << " p = " << p << " t = " << t;
  }
  WindowAttrInterface causal = getCausalWindow(&context);
  EXPECT_TRUE(isVisible(causal, -4, -4));
  EXPECT_TRUE(isVisible(causal, 4, -400));
  EXPECT_FALSE(isVisible(causal, 4, 5));
}

/// What the interface promises of bounds: they do not decrease, and repeat with
/// the period.
TEST_F(WindowGeometry, BoundsAreMonotoneAndPeriodic) {
  for (const TestWindow &window : windows) {
    if (!window.attr)
      continue;
    int64_t period = window.attr.getPeriod();
    ASSERT_GE(period, 1) << window.text;
    auto bounds = [&](int64_t p) {
      mlir::Builder b(&context);
      llvm::SmallVector<int64_t> values;
      for (mlir::AffineMap map :
           {window.attr.getLowerBounds(), window.attr.getUpperBounds()}) {
        if (map.getNumResults() == 0)
          continue;
        llvm::SmallVector<mlir::Attribute> results;
        EXPECT_TRUE(succeeded(map.constantFold({b.getIndexAttr(p)}, results)));
        for (mlir::Attribute result : results)
          values.push_back(llvm::cast<mlir::IntegerAttr>(result).getInt());
      }
      return values;
    };
    for (int64_t p = -20; p < 20; ++p) {
      auto here = bounds(p), next = bounds(p + 1), shifted = bounds(p + period);
      for (auto [a, b, c] : llvm::zip_equal(here, next, shifted)) {
        ASSERT_LE(a, b) << window.text << " p = " << p;
        ASSERT_EQ(a + period, c) << window.text << " p = " << p;
      }
    }
  }
}

} // namespace

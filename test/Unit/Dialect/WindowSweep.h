//===- WindowSweep.h - Windows to test, and brute force ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_UNIT_DIALECT_WINDOWSWEEP_H
#define LATTN_TEST_UNIT_DIALECT_WINDOWSWEEP_H

#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Reference/Attention.h"

#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>
#include <string>
#include <vector>

namespace lattn {

/// A window as attribute, and as the reference knows it.
struct TestWindow {
  WindowAttrInterface attr;
  reference::Window reference;
  std::string text;
};

/// Windows of every kind, then seeded random ones.
inline std::vector<TestWindow> sweepWindows(mlir::MLIRContext *context) {
  constexpr int64_t large = WindowAttr::kMaxExtent;
  using Bound = std::optional<int64_t>;
  std::vector<TestWindow> windows;
  auto add = [&](Bound left, Bound right, Bound bucket, int64_t back,
                 int64_t forward) {
    WindowAttr attr =
        WindowAttr::get(context, left, right, bucket, back, forward);
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    windows.push_back({attr, {left, right, bucket, back, forward}, text});
  };
  windows.push_back({nullptr, {}, "null"});
  const Bound bounds[] = {std::nullopt, 0, 1, 5, large};
  for (Bound left : bounds)
    for (Bound right : bounds) {
      add(left, right, std::nullopt, 0, 0);
      add(left, right, large, 0, 0);
      add(left, right, 3, large / 4, large / 4);
      for (int64_t bucket : {1, 3, 8})
        for (int64_t back : {0, 1, 3})
          for (int64_t forward : {0, 2})
            add(left, right, bucket, back, forward);
    }
  std::mt19937 random(20261121);
  auto below = [&](int64_t n) { return int64_t(random() % n); };
  auto maybe = [&](int64_t value) {
    return random() % 3 ? Bound(value) : std::nullopt;
  };
  for (int i = 0; i < 200; ++i) {
    Bound left = maybe(below(20)), right = maybe(below(20));
    Bound bucket = maybe(1 + below(12));
    add(left, right, bucket, bucket ? below(4) : 0, bucket ? below(4) : 0);
  }
  return windows;
}

/// Runs of queries first..last, seeded, at negative positions too.
inline std::vector<std::pair<int64_t, int64_t>> sweepTiles() {
  std::vector<std::pair<int64_t, int64_t>> tiles = {
      {0, 0}, {-1, -1}, {-1, 0}, {0, 15}, {-25, 39}};
  std::mt19937 random(7);
  for (int i = 0; i < 15; ++i) {
    int64_t first = int64_t(random() % 60) - 25;
    tiles.push_back({first, first + int64_t(random() % 17)});
  }
  return tiles;
}

/// The keys of [0, numKeys) that some query of first..last sees, and those that
/// all of them see, by the inequality alone.
struct SeenKeys {
  std::vector<int64_t> some, all;
  SeenKeys(const TestWindow &window, int64_t first, int64_t last,
           int64_t numKeys) {
    for (int64_t t = 0; t < numKeys; ++t) {
      int64_t seen = 0;
      for (int64_t p = first; p <= last; ++p)
        seen += reference::isVisible(window.reference, p, t);
      if (seen)
        some.push_back(t);
      if (seen == last - first + 1)
        all.push_back(t);
    }
  }
};

inline std::vector<int64_t> listKeys(int64_t begin, int64_t end) {
  std::vector<int64_t> keys;
  for (int64_t t = begin; t < end; ++t)
    keys.push_back(t);
  return keys;
}

} // namespace lattn

#endif // LATTN_TEST_UNIT_DIALECT_WINDOWSWEEP_H

//===- WindowGeometryIRTest.cpp - Window geometry, as IR --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// With constant operands the IR folds away: what is left must be the numbers
// of brute force.

#include "WindowSweep.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace lattn;
using mlir::Value;

namespace {

class WindowGeometryIR : public ::testing::Test {
protected:
  WindowGeometryIR() : b(&context), loc(b.getUnknownLoc()) {
    context.loadDialect<LattnDialect, mlir::arith::ArithDialect>();
    windows = sweepWindows(&context);
    b.setInsertionPointToStart(&block);
  }
  /// Forgets what was built so far.
  void clear() {
    block.clear();
    b.setInsertionPointToStart(&block);
  }
  Value constant(int64_t value, mlir::Type type) {
    return mlir::arith::ConstantOp::create(b, loc,
                                           b.getIntegerAttr(type, value));
  }
  Value index(int64_t value) { return constant(value, b.getIndexType()); }
  /// The lanes begin, begin + 1, ... of a vector of `width`-bit integers.
  Value lanes(int64_t begin, int64_t size, unsigned width) {
    llvm::SmallVector<llvm::APInt> values;
    for (int64_t i = 0; i < size; ++i)
      values.emplace_back(width, begin + i, /*isSigned=*/true);
    auto type = mlir::VectorType::get({size}, b.getIntegerType(width));
    return mlir::arith::ConstantOp::create(
        b, loc, mlir::DenseElementsAttr::get(type, values));
  }
  static std::optional<int64_t> folded(Value value) {
    llvm::APInt result;
    if (!value || !matchPattern(value, mlir::m_ConstantInt(&result)))
      return std::nullopt;
    return result.getBitWidth() == 1 ? result.getZExtValue()
                                     : result.getSExtValue();
  }
  void checkVector(const TestWindow &window, int64_t p, unsigned width);

  mlir::MLIRContext context;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Block block;
  std::vector<TestWindow> windows;
};

TEST_F(WindowGeometryIR, IsVisible) {
  mlir::Type types[] = {b.getIndexType(), b.getI64Type(), b.getI32Type()};
  for (const TestWindow &window : windows) {
    const reference::Window &ref = window.reference;
    bool bounded = ref.left || ref.right || ref.bucket;
    for (mlir::Type type : types)
      for (int64_t p : {-17, -3, -1, 0, 2, 11})
        for (int64_t t : {-18, -5, -1, 0, 1, 3, 8, 16}) {
          Value visible = buildIsVisible(b, loc, window.attr, constant(p, type),
                                         constant(t, type));
          ASSERT_EQ(bool(visible), bounded) << window.text;
          if (!visible)
            continue;
          std::optional<int64_t> got = folded(visible);
          ASSERT_TRUE(got) << window.text << " does not fold";
          ASSERT_EQ(*got, reference::isVisible(ref, p, t))
              << window.text << " p = " << p << " t = " << t;
        }
    clear();
  }
}

void WindowGeometryIR::checkVector(const TestWindow &window, int64_t p,
                                   unsigned width) {
  constexpr int64_t size = 8;
  Value t = lanes(-3, size, width);
  Value visible = buildIsVisible(b, loc, window.attr, lanes(p, size, width), t);
  if (!visible)
    return;
  mlir::DenseIntElementsAttr values;
  ASSERT_TRUE(matchPattern(visible, mlir::m_Constant(&values))) << window.text;
  for (auto [i, got] : llvm::enumerate(values.getValues<bool>()))
    ASSERT_EQ(got, reference::isVisible(window.reference, p + i, -3 + i))
        << window.text << " p = " << p + i << " t = " << -3 + int64_t(i)
        << " in i" << width;
}

TEST_F(WindowGeometryIR, IsVisibleOnVectors) {
  for (const TestWindow &window : windows) {
    for (unsigned width : {32, 64})
      for (int64_t p : {-9, -3, 0, 4})
        checkVector(window, p, width);
    clear();
  }
}

TEST_F(WindowGeometryIR, Bounds) {
  for (const TestWindow &window : windows) {
    for (int64_t p : {-17, -1, 0, 5}) {
      Value lower = buildLowerBound(b, loc, window.attr, index(p));
      Value upper = buildUpperBound(b, loc, window.attr, index(p));
      const reference::Window &ref = window.reference;
      ASSERT_EQ(bool(lower), ref.left || ref.bucket) << window.text;
      ASSERT_EQ(bool(upper), ref.right || ref.bucket) << window.text;
      if (lower) {
        ASSERT_TRUE(reference::isVisible(ref, p, *folded(lower)));
        ASSERT_FALSE(reference::isVisible(ref, p, *folded(lower) - 1));
      }
      if (upper) {
        ASSERT_TRUE(reference::isVisible(ref, p, *folded(upper) - 1));
        ASSERT_FALSE(reference::isVisible(ref, p, *folded(upper)));
      }
    }
    clear();
  }
}

TEST_F(WindowGeometryIR, TileKeys) {
  for (const TestWindow &window : windows) {
    for (auto [first, last] : sweepTiles()) {
      TileKeyValues keys = buildTileKeys(b, loc, window.attr, index(first),
                                         index(last), index(32));
      SeenKeys seen(window, first, last, 32);
      SCOPED_TRACE(testing::Message()
                   << window.text << " " << first << ".." << last);
      for (Value value :
           {keys.begin, keys.interiorBegin, keys.interiorEnd, keys.end})
        ASSERT_TRUE(folded(value)) << "does not fold";
      ASSERT_EQ(listKeys(*folded(keys.begin), *folded(keys.end)), seen.some);
      ASSERT_EQ(
          listKeys(*folded(keys.interiorBegin), *folded(keys.interiorEnd)),
          seen.all);
      ASSERT_LE(*folded(keys.begin), *folded(keys.interiorBegin));
      ASSERT_LE(*folded(keys.interiorBegin), *folded(keys.interiorEnd));
      ASSERT_LE(*folded(keys.interiorEnd), *folded(keys.end));
    }
    clear();
  }
}

/// Keys 10..29, counted from 10.
TEST_F(WindowGeometryIR, TileKeysFromAnOrigin) {
  for (const TestWindow &window : windows) {
    for (auto [first, last] : sweepTiles()) {
      TileKeyValues keys = buildTileKeys(b, loc, window.attr, index(first),
                                         index(last), index(20), index(10));
      SeenKeys seen(window, first, last, 30);
      auto fromOrigin = [](std::vector<int64_t> keys) {
        llvm::erase_if(keys, [](int64_t t) { return t < 10; });
        for (int64_t &t : keys)
          t -= 10;
        return keys;
      };
      SCOPED_TRACE(testing::Message()
                   << window.text << " " << first << ".." << last);
      ASSERT_EQ(listKeys(*folded(keys.begin), *folded(keys.end)),
                fromOrigin(seen.some));
      ASSERT_EQ(
          listKeys(*folded(keys.interiorBegin), *folded(keys.interiorEnd)),
          fromOrigin(seen.all));
    }
    clear();
  }
}

} // namespace

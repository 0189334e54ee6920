//===- Exp2Test.cpp - The error of exp2 over its whole range --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "lattn/Execution/Invocation.h"
#include "lattn/InitAll.h"
#include "lattn/Target/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

using namespace lattn;
using llvm::cantFail;

namespace {

/// y[i] = 2^x[i] for whole vectors.
template <typename T> class Exp2 {
public:
  static constexpr int64_t kLanes = 4;

  Exp2() : callable(compile()) {}

  std::vector<T> operator()(const std::vector<T> &x) const {
    constexpr ElementKind kind =
        sizeof(T) == 4 ? ElementKind::F32 : ElementKind::F64;
    int64_t size = x.size();
    NumpyArray from = cantFail(NumpyArray::create(kind, {size}));
    NumpyArray to = cantFail(NumpyArray::create(kind, {size}));
    std::memcpy(from.buffer.data(), x.data(), size * sizeof(T));
    Invocation invocation =
        cantFail(Invocation::create(callable, {&from, &to}));
    cantFail(invocation.run());
    std::vector<T> y(size);
    std::memcpy(y.data(), to.buffer.data(), size * sizeof(T));
    return y;
  }

private:
  static Program compile() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    mlir::MLIRContext context(registry);
    context.loadAllAvailableDialects();
    mlir::OpBuilder b(&context);
    mlir::Location loc = b.getUnknownLoc();
    mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(loc);
    mlir::Type element = sizeof(T) == 4 ? mlir::Type(b.getF32Type())
                                        : mlir::Type(b.getF64Type());
    auto type = mlir::MemRefType::get({mlir::ShapedType::kDynamic}, element);
    b.setInsertionPointToEnd(module->getBody());
    auto function = mlir::func::FuncOp::create(
        b, loc, "main", b.getFunctionType({type, type}, {}));
    b.setInsertionPointToStart(function.addEntryBlock());
    mlir::Value x = function.getArgument(0), y = function.getArgument(1);
    KernelBuilder k(b, loc, element, kLanes);
    mlir::Value size = mlir::memref::DimOp::create(b, loc, x, 0);
    k.loop(k.index(0), size, kLanes, {}, [&](mlir::Value i, mlir::ValueRange) {
      k.store(k.exp2(k.load(x, i)), y, i);
      return llvm::SmallVector<mlir::Value>();
    });
    mlir::func::ReturnOp::create(b, loc);
    return cantFail(Program::compile(function, {}));
  }

  Program callable;
};

/// In units in the last place of the right value.
template <typename T> double getError(T got, long double right) {
  T rounded = static_cast<T>(right);
  T next = std::nextafter(rounded, std::numeric_limits<T>::infinity());
  return static_cast<double>(std::fabs(got - right) / (next - rounded));
}

template <typename T> double getWorst(const Exp2<T> &exp2, std::vector<T> x) {
  x.resize(x.size() / Exp2<T>::kLanes * Exp2<T>::kLanes);
  std::vector<T> y = exp2(x);
  double worst = 0;
  for (auto [from, to] : llvm::zip_equal(x, y))
    worst = std::max(worst, getError(to, std::exp2l(from)));
  return worst;
}

TEST(Exp2, Float) {
  Exp2<float> exp2;
  // Of all floats from -126 to 1 each 97th, by its bits.
  std::vector<float> x;
  auto add = [&](uint32_t from, uint32_t to) {
    for (uint32_t bits = from; bits < to; bits += 97) {
      float value;
      std::memcpy(&value, &bits, sizeof(value));
      x.push_back(value);
    }
  };
  add(0, 0x3f800000);
  add(0x80000000, 0xc2fc0000);
  double worst = getWorst(exp2, x);
  bool hasFMA = cantFail(getTargetInfo()).hasFMA;
  EXPECT_LT(worst, hasFMA ? 2.1 : 2.3);
  EXPECT_GT(worst, 0.5); // else nothing was compared
}

TEST(Exp2, Double) {
  Exp2<double> exp2;
  std::vector<double> x;
  for (double at = -1022; at < 1; at += 0.00037)
    x.push_back(at);
  for (double at = 1; at > 1e-300; at *= 0.99)
    x.insert(x.end(), {at, -at});
  double worst = getWorst(exp2, x);
  EXPECT_LT(worst, 2.0);
  EXPECT_GT(worst, 0.5);
}

template <typename T> void testEnds() {
  Exp2<T> exp2;
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr T most = std::numeric_limits<T>::max();
  std::vector<T> y = exp2({0, -inf, -most, std::nanf(""), -0.0, 1, -1, -1e4});
  EXPECT_EQ(y[0], 1);
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(y[2], 0);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_EQ(y[4], 1);
  EXPECT_NEAR(y[5], 2, 1e-6);
  EXPECT_NEAR(y[6], 0.5, 1e-6);
  EXPECT_EQ(y[7], 0);
}

TEST(Exp2, Ends) {
  testEnds<float>();
  testEnds<double>();
}

} // namespace

//===- Exp2.cpp - A vector exp2 for softmax -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// 2^x = 2^n * 2^f, n = round(x), f in [-1/2, 1/2], 2^f by a polynomial:
// relative error 9.2e-8 (f32, minimax of degree 5) and 4.2e-18 (f64, degree 11,
// interpolated at Chebyshev nodes) before rounding, and exactly 1 at 0, so that
// an unchanged maximum rescales by nothing. Upstream's approximation handles
// the whole range in about three times the instructions, and f32 only.

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

namespace {
struct Format {
  double shifter;        // 1.5 * 2^mantissa + bias: adding it rounds to integer
  int mantissa;          // bits
  double least;          // exponents below give 0
  ArrayRef<double> poly; // lowest power first
};
} // namespace

static constexpr double kPolyF32[] = {1.0,
                                      0.693146977457,
                                      0.24022242071,
                                      0.0555073393297,
                                      0.00967151334975,
                                      0.00132646722006};
static constexpr double kPolyF64[] = {1.0,
                                      0.69314718055994530925,
                                      0.24022650695910159567,
                                      0.055504108664821627039,
                                      0.0096181291075872566681,
                                      0.0013333558146406470697,
                                      0.00015403530463724354209,
                                      0.000015252733841556772589,
                                      1.3215432535912376166e-6,
                                      1.0178057087733941105e-7,
                                      7.0741942972885210056e-9,
                                      4.455817908336064493e-10};

SmallVector<Value> KernelBuilder::exp2(ValueRange xs) {
  const Format f32 = {12582912.0 + 127, 23, -127, kPolyF32};
  const Format f64 = {6755399441055744.0 + 1023, 52, -1023, kPolyF64};
  const Format &format = element.isF64() ? f64 : f32;
  auto bits =
      VectorType::get(lanes, b.getIntegerType(element.getIntOrFloatBitWidth()));
  Value least = splat(format.least), shifter = splat(format.shifter);
  SmallVector<Value> x, shifted, f, power;
  // One operation on all vectors after the other: each is a chain of some 36
  // cycles, of which a CPU's scheduler holds few unless they come side by side.
  // Clamped so that NaN passes: max gives its second operand then.
  for (Value given : xs)
    x.push_back(max(least, given));
  for (Value given : x)
    shifted.push_back(plus(given, shifter));
  // -n: `shifted - shifter` would become a sum with one constant more.
  for (Value sum : shifted)
    f.push_back(arith::SubFOp::create(b, loc, shifter, sum));
  for (auto [f, x] : llvm::zip(f, x))
    f = plus(x, f);
  SmallVector<Value> y(xs.size(), splat(format.poly.back()));
  for (double coefficient : llvm::reverse(format.poly.drop_back())) {
    Value next = splat(coefficient);
    for (auto [y, f] : llvm::zip(y, f))
      y = fma(y, f, next);
  }
  // The low bits of `shifted` are n + bias: an exponent once shifted up.
  Value width = arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(
          bits, b.getIntegerAttr(bits.getElementType(), format.mantissa)));
  for (Value sum : shifted) {
    Value exponent = arith::BitcastOp::create(b, loc, bits, sum);
    exponent = arith::ShLIOp::create(b, loc, exponent, width);
    power.push_back(arith::BitcastOp::create(b, loc, vector, exponent));
  }
  for (auto [y, power] : llvm::zip(y, power))
    y = mul(y, power);
  return y;
}

Value KernelBuilder::exp2(Value x) { return exp2(ValueRange(x)).front(); }

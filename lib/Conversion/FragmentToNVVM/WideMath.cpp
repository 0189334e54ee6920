//===- WideMath.cpp - Functions of f64 without libdevice ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tables of angles are computed in f64, because positions are large: an error
// of a frequency is multiplied with them. Sine and cosine need only f32 once
// their argument is small.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {
/// Computes f(x) in f32, of the small argument that `reduce` makes of x.
template <typename OpTy> struct NarrowFunction : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &b) const override {
    if (!op.getType().isF64())
      return b.notifyMatchFailure(op, "not of f64");
    Location loc = op.getLoc();
    Value x = reduce(b, loc, op.getOperand());
    x = arith::TruncFOp::create(b, loc, b.getF32Type(), x);
    Value y = OpTy::create(b, loc, x);
    b.replaceOpWithNewOp<arith::ExtFOp>(op, b.getF64Type(), y);
    return success();
  }

  /// x minus the nearest multiple of 2 pi, which is a sum of two numbers.
  static Value reduce(OpBuilder &b, Location loc, Value x) {
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
    };
    Value turns =
        arith::MulFOp::create(b, loc, x, constant(0.15915494309189535));
    turns = math::RoundEvenOp::create(b, loc, turns);
    x = math::FmaOp::create(b, loc, turns, constant(-6.283185307179586), x);
    return math::FmaOp::create(b, loc, turns, constant(-2.4492935982947064e-16),
                               x);
  }
};

/// 2^n times the series of exp(x - n ln(2)), whose argument is at most ln(2)
/// / 2.
struct WideExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &b) const override {
    if (!op.getType().isF64())
      return b.notifyMatchFailure(op, "not of f64");
    Location loc = op.getLoc();
    auto constant = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getF64FloatAttr(value));
    };
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    };
    // Powers of normal numbers; what is smaller counts as e^-700.
    Value x =
        arith::MaximumFOp::create(b, loc, op.getOperand(), constant(-700));
    x = arith::MinimumFOp::create(b, loc, x, constant(709));
    Value n = math::RoundEvenOp::create(
        b, loc, arith::MulFOp::create(b, loc, x, constant(1.4426950408889634)));
    Value r = math::FmaOp::create(b, loc, n, constant(-0.6931471805599453), x);
    r = math::FmaOp::create(b, loc, n, constant(-2.3190468138462996e-17), r);
    double factor = 1.0 / 6227020800; // of r^13
    Value series = constant(factor);
    for (int k = 13; k > 0; --k)
      series = math::FmaOp::create(b, loc, series, r, constant(factor *= k));
    Value exponent = arith::FPToSIOp::create(b, loc, b.getI64Type(), n);
    exponent = arith::AddIOp::create(b, loc, exponent, integer(1023));
    exponent = arith::ShLIOp::create(b, loc, exponent, integer(52));
    Value power = arith::BitcastOp::create(b, loc, b.getF64Type(), exponent);
    b.replaceOpWithNewOp<arith::MulFOp>(op, series, power);
    return success();
  }
};
} // namespace

void lattn::fragment::populateWideMathPatterns(RewritePatternSet &patterns) {
  patterns
      .add<NarrowFunction<math::SinOp>, NarrowFunction<math::CosOp>, WideExp>(
          patterns.getContext());
}

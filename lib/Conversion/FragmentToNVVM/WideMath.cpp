//===- WideMath.cpp - Functions of f64 without libdevice ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tables of angles are computed in f64, because positions are large. The
// functions themselves need only f32 once their argument is small.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {
/// Computes f(x) in f32, of the small argument that `reduce` makes of x.
template <typename OpTy, bool isPeriodic>
struct NarrowFunction : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &b) const override {
    if (!op.getType().isF64())
      return b.notifyMatchFailure(op, "not of f64");
    Location loc = op.getLoc();
    Value x = op.getOperand();
    if (isPeriodic)
      x = reduce(b, loc, x);
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
} // namespace

void lattn::fragment::populateWideMathPatterns(RewritePatternSet &patterns) {
  patterns
      .add<NarrowFunction<math::SinOp, true>, NarrowFunction<math::CosOp, true>,
           NarrowFunction<math::ExpOp, false>>(patterns.getContext());
}

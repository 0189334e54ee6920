//===- ApproximateMath.cpp - Functions of f32 by ex2.approx ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// exp, exp2 and tanh of scores, by the GPU's own exponential, whose error is
// two units in the last place (PTX ISA, ex2.approx). Polynomials, which the
// others take, need a multiple of the instructions.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace {
/// Shorter names for operations of f32 at one location.
struct F32Builder {
  Value constant(double value) {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
  }
  Value multiply(Value x, Value y) {
    return arith::MulFOp::create(b, loc, x, y);
  }
  Value multiplyAdd(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value call(StringRef intrinsic, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, loc, b.getF32Type(),
                                         b.getStringAttr(intrinsic), operands)
        .getResult(0);
  }
  Value exp2(Value x) { return call("llvm.nvvm.ex2.approx.ftz.f32", x); }

  OpBuilder &b;
  Location loc;
};
} // namespace

static Value buildExp2(F32Builder b, Value x) { return b.exp2(x); }

/// exp2(high + low) with x log2(e) = high + low: high alone is off by up to
/// half a unit in the last place, which is much for a large x.
static Value buildExp(F32Builder b, Value x) {
  constexpr double log2e = 1.4426950408889634, ln2 = 0.6931471805599453;
  constexpr double rest = log2e - static_cast<float>(log2e);
  // Beyond, the result is infinite or 0, and infinity - infinity is NaN.
  x = arith::MaximumFOp::create(b.b, b.loc, x, b.constant(-128));
  x = arith::MinimumFOp::create(b.b, b.loc, x, b.constant(128));
  Value high = b.multiply(x, b.constant(log2e));
  Value low = b.multiplyAdd(x, b.constant(log2e),
                            arith::NegFOp::create(b.b, b.loc, high));
  low = b.multiplyAdd(x, b.constant(rest), low);
  Value power = b.exp2(high);
  // Of infinity times a negative number, nothing is added.
  Value more = b.multiply(low, b.constant(ln2));
  Value result = b.multiplyAdd(power, more, power);
  Value large = arith::CmpFOp::create(b.b, b.loc, arith::CmpFPredicate::OGE,
                                      high, b.constant(128));
  return arith::SelectOp::create(b.b, b.loc, large, power, result);
}

/// 1 - 2 / (exp(2 |x|) + 1) with the sign of x. Near 0 that cancels: there it
/// is the series.
static Value buildTanh(F32Builder b, Value x) {
  Value size = math::AbsFOp::create(b.b, b.loc, x);
  Value power = b.exp2(b.multiply(size, b.constant(2.8853900817779268)));
  Value one = b.constant(1);
  Value sum = arith::AddFOp::create(b.b, b.loc, power, one);
  Value inverse = b.call("llvm.nvvm.rcp.approx.ftz.f", sum);
  Value far = math::CopySignOp::create(
      b.b, b.loc, b.multiplyAdd(inverse, b.constant(-2), one), x);
  Value square = b.multiply(x, x);
  Value near = b.constant(-17.0 / 315);
  for (double factor : {2.0 / 15, -1.0 / 3, 1.0})
    near = b.multiplyAdd(near, square, b.constant(factor));
  Value isNear = arith::CmpFOp::create(b.b, b.loc, arith::CmpFPredicate::OLT,
                                       size, b.constant(0.2));
  return arith::SelectOp::create(b.b, b.loc, isNear, b.multiply(x, near), far);
}

/// The polynomial's logarithm, to another base.
static Value buildLog10(F32Builder b, Value x) {
  return b.multiply(math::LogOp::create(b.b, b.loc, x),
                    b.constant(0.43429448190325183));
}

namespace {
template <typename OpTy, Value (*build)(F32Builder, Value)>
struct Approximate : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &b) const override {
    if (!op.getType().isF32())
      return b.notifyMatchFailure(op, "not of f32");
    b.replaceOp(op, build(F32Builder{b, op.getLoc()}, op.getOperand()));
    return success();
  }
};
} // namespace

/// A quotient that is rounded correctly takes a call.
static LogicalResult divide(arith::DivFOp op, PatternRewriter &b) {
  if (!op.getType().isF32())
    return b.notifyMatchFailure(op, "not of f32");
  b.replaceOp(op, F32Builder{b, op.getLoc()}.call("llvm.nvvm.div.full",
                                                  op.getOperands()));
  return success();
}

void lattn::fragment::populateApproximateMathPatterns(
    RewritePatternSet &patterns) {
  patterns.add(divide);
  patterns.add<Approximate<math::Exp2Op, buildExp2>,
               Approximate<math::ExpOp, buildExp>,
               Approximate<math::TanhOp, buildTanh>,
               Approximate<math::Log10Op, buildLog10>>(patterns.getContext(),
                                                       /*benefit=*/2);
}

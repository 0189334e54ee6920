//===- Powers.cpp - Powers and roots --------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarRule.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace lattn;

namespace lattn {

static Term scale(math::SqrtOp, Partial &p) { return p.x / (p.out() * 2.0); }
static Term scale(math::RsqrtOp, Partial &p) {
  return p.x * -0.5 * (p.out() * p.out() * p.out());
}
static Term scale(math::CbrtOp, Partial &p) {
  return p.x / (p.out() * p.out() * 3.0);
}
static Term scale(math::FmaOp, Partial &p) {
  return p.operand == 2 ? p.x : p.timesIn(1 - p.operand);
}

/// By the base 0 where the exponent is 0, by the exponent 0 where base and
/// power are constant: base 0, exponent not negative. What would be infinite
/// there is replaced before the product, not after it: second derivatives are
/// not NaN.
static Term scale(math::PowFOp, Partial &p) {
  Term base = p.in(0), exponent = p.in(1);
  Term zero = base.constant(0.0), one = base.constant(1.0);
  if (p.operand == 0) {
    Term lower = select(exponent == zero, one, exponent) - 1.0;
    return p.x * (exponent * apply<math::PowFOp>(base, lower));
  }
  Term constant = (base == zero) & (zero <= exponent);
  return p.x * (p.out() * apply<math::LogOp>(select(constant, one, base)));
}

/// n x^(n-1). The lowest n stays: the powers of both are equal in every type.
static Term scale(math::FPowIOp op, Partial &p) {
  Term n = p.in(1);
  auto constant = [&](APInt number) -> Term {
    TypedAttr attribute =
        p.b.getIntegerAttr(getElementTypeOrSelf(op.getRhs().getType()), number);
    if (auto shaped = dyn_cast<ShapedType>(op.getRhs().getType()))
      attribute = DenseElementsAttr::get(shaped, attribute);
    return {&p.b, arith::ConstantOp::create(p.b, attribute)};
  };
  unsigned bits =
      getElementTypeOrSelf(op.getRhs().getType()).getIntOrFloatBitWidth();
  Term lowest = constant(APInt::getSignedMinValue(bits) + 1);
  Term one = constant(APInt(bits, 1)), zero = constant(APInt(bits, 0));
  // At n = 0 the factor is 0, and the power must be finite.
  Term isZero = {&p.b, arith::CmpIOp::create(p.b, arith::CmpIPredicate::eq,
                                             n.value, zero.value)};
  Term lower = apply<arith::SubIOp>(apply<arith::MaxSIOp>(n, lowest), one);
  lower = select(isZero, zero, lower);
  Term factor = {&p.b,
                 arith::SIToFPOp::create(p.b, p.x.value.getType(), n.value)};
  return p.x * (factor * apply<math::FPowIOp>(p.in(0), lower));
}

} // namespace lattn

void lattn::attachPowers(MLIRContext *context) {
  attachScalars<math::CbrtOp, math::FPowIOp, math::FmaOp, math::PowFOp,
                math::RsqrtOp, math::SqrtOp>(context);
}

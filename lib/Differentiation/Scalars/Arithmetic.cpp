//===- Arithmetic.cpp - Sums, products, choices ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// At the ties of maximumf and minimumf each operand gets half, as in
// torch.maximum; at those of maxnumf and minnumf the first gets all, as in
// torch.fmax. What select does not take gets zero, not zero times a derivative
// that may be infinite.

#include "ScalarRule.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace lattn;

namespace lattn {

static Term scale(arith::AddFOp, Partial &p) { return p.x; }
static Term scale(arith::SubFOp, Partial &p) {
  return p.operand == 0 ? p.x : -p.x;
}
static Term scale(arith::NegFOp, Partial &p) { return -p.x; }
static Term scale(arith::MulFOp, Partial &p) {
  return p.timesIn(1 - p.operand);
}
/// In this order, parts neither overflow nor underflow before the whole does.
static Term scale(arith::DivFOp, Partial &p) {
  Factor quotient(p.x / p.in(1));
  if (p.operand == 0)
    return quotient;
  return -quotient * p.out();
}
/// x - trunc(x / y) * y
static Term scale(arith::RemFOp, Partial &p) {
  return p.operand == 0 ? p.x : -p.x * apply<math::TruncOp>(p.in(0) / p.in(1));
}

static Term scale(arith::SelectOp, Partial &p) {
  Term zero = p.x.constant(0.0);
  return p.operand == 1 ? select(p.in(0), p.x, zero)
                        : select(p.in(0), zero, p.x);
}

/// `loses`: the other operand is the result.
static Term shareTies(Partial &p, Term loses) {
  Term tie = p.in(0) == p.in(1);
  return select(loses, p.x.constant(0.0), select(tie, p.x * 0.5, p.x));
}
static Term scale(arith::MaximumFOp, Partial &p) {
  return shareTies(p, p.in(p.operand) < p.in(1 - p.operand));
}
static Term scale(arith::MinimumFOp, Partial &p) {
  return shareTies(p, p.in(1 - p.operand) < p.in(p.operand));
}

/// `first`: the first operand is no worse than the second. A NaN is worst.
static Term takeFirst(Partial &p, Term first) {
  Term isNaN = compare(arith::CmpFPredicate::UNO, p.in(1), p.in(1));
  Term zero = p.x.constant(0.0);
  return p.operand == 0 ? select(first | isNaN, p.x, zero)
                        : select(first | isNaN, zero, p.x);
}
static Term scale(arith::MaxNumFOp, Partial &p) {
  return takeFirst(p, p.in(1) <= p.in(0));
}
static Term scale(arith::MinNumFOp, Partial &p) {
  return takeFirst(p, p.in(0) <= p.in(1));
}

/// A cotangent keeps its wider type, so that sums of them are not rounded.
static Term scale(arith::ExtFOp op, Partial &p) {
  if (p.x.value.getType() == op.getType())
    return p.x;
  return {&p.b, arith::ExtFOp::create(p.b, op.getType(), p.x.value)};
}
static Term scale(arith::TruncFOp op, Partial &p) {
  if (p.x.value.getType() == op.getType())
    return {&p.b, arith::ExtFOp::create(p.b, op.getIn().getType(), p.x.value)};
  return {&p.b, arith::TruncFOp::create(p.b, op.getType(), p.x.value)};
}

} // namespace lattn

void lattn::attachArithmetic(MLIRContext *context) {
  attachScalars<arith::AddFOp, arith::DivFOp, arith::ExtFOp, arith::MaxNumFOp,
                arith::MaximumFOp, arith::MinNumFOp, arith::MinimumFOp,
                arith::MulFOp, arith::NegFOp, arith::RemFOp, arith::SelectOp,
                arith::SubFOp, arith::TruncFOp>(context);
}

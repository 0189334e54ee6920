//===- ScalarOps.cpp - arith and math as expressions ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;

static bool fits(Expr e, Type type) {
  if (type.isIndex() || type.getIntOrFloatBitWidth() >= 64)
    return e->range.low > -(int64_t(1) << 62) &&
           e->range.high < (int64_t(1) << 62);
  int64_t limit = int64_t(1) << (type.getIntOrFloatBitWidth() - 1);
  return e->range.low >= -limit && e->range.high < limit;
}

/// Constants are rounded as a cast to `type` does; the rest is left as it is.
static Expr roundTo(Exprs &exprs, Expr e, Type type) {
  if (e->is(Kind::Select) && !exprs.isExhausted())
    return exprs.select(e->operands[0], roundTo(exprs, e->operands[1], type),
                        roundTo(exprs, e->operands[2], type));
  if (!e->is(Kind::Const))
    return e;
  APFloat value(e->real);
  bool loses;
  value.convert(cast<FloatType>(type).getFloatSemantics(),
                APFloat::rmNearestTiesToEven, &loses);
  return exprs.real(value.convertToDouble());
}

static Expr toInteger(Exprs &exprs, Expr e, int64_t ofTrue) {
  return e->type == Class::Bool
             ? exprs.select(e, exprs.number(ofTrue), exprs.number(0))
             : e;
}

static Expr evaluateComparison(Exprs &exprs, arith::CmpIOp op, Expr a, Expr b) {
  using P = arith::CmpIPredicate;
  P predicate = op.getPredicate();
  if (a->type == Class::Bool) {
    if (predicate != P::eq && predicate != P::ne)
      return nullptr;
    Expr equal = exprs.select(a, b, exprs.make(Kind::Not, {b}));
    return predicate == P::eq ? equal : exprs.make(Kind::Not, {equal});
  }
  bool isUnsigned = predicate >= P::ult;
  if (isUnsigned && (a->range.low < 0 || b->range.low < 0))
    return nullptr;
  auto isAtLeast = [&](Expr x, Expr y) {
    return exprs.notNegative(exprs.sub(x, y));
  };
  switch (predicate) {
  case P::eq:
    return exprs.isZero(exprs.sub(a, b));
  case P::ne:
    return exprs.make(Kind::Not, {exprs.isZero(exprs.sub(a, b))});
  case P::sge:
  case P::uge:
    return isAtLeast(a, b);
  case P::sle:
  case P::ule:
    return isAtLeast(b, a);
  case P::sgt:
  case P::ugt:
    return isAtLeast(a, exprs.add(b, exprs.number(1)));
  case P::slt:
  case P::ult:
    return isAtLeast(b, exprs.add(a, exprs.number(1)));
  }
  return nullptr;
}

static Expr evaluateBools(Exprs &exprs, Operation *op, ArrayRef<Expr> x) {
  if (isa<arith::AndIOp, arith::MulIOp, arith::MinUIOp>(op))
    return exprs.make(Kind::And, x);
  if (isa<arith::OrIOp, arith::MaxUIOp>(op))
    return exprs.make(Kind::Or, x);
  if (isa<arith::XOrIOp>(op))
    return exprs.select(x[0], exprs.make(Kind::Not, {x[1]}), x[1]);
  return nullptr;
}

/// floor of a quotient of floats that are integers, as an integer: exact where
/// the type has digits for both and the quotient is rounded once.
static Expr evaluateRoundedDown(Exprs &exprs, arith::FPToSIOp op, Expr floor) {
  auto rounded = op.getIn().getDefiningOp<math::FloorOp>();
  auto division =
      rounded ? rounded.getOperand().getDefiningOp<arith::DivFOp>() : nullptr;
  auto dividend =
      division ? division.getLhs().getDefiningOp<arith::SIToFPOp>() : nullptr;
  if (!dividend || !floor->is(Kind::Opaque))
    return nullptr;
  Expr quotient = floor->operands[0];
  if (!quotient->is(Kind::Mul) || !quotient->operands[0]->is(Kind::ToFloat) ||
      !quotient->operands[1]->is(Kind::Const))
    return nullptr;
  Expr whole = quotient->operands[0]->operands[0];
  double by = std::round(1 / quotient->operands[1]->real);
  unsigned digits = APFloat::semanticsPrecision(
      cast<FloatType>(division.getType()).getFloatSemantics());
  int64_t limit = int64_t(1) << (digits - 2);
  if (!(by >= 1 && by < limit) || 1 / by != quotient->operands[1]->real ||
      whole->range.low <= -limit || whole->range.high >= limit)
    return nullptr;
  return exprs.floorDiv(whole, exprs.number(int64_t(by)));
}

/// Null: not exact, or not known.
static Expr evaluateIntegers(Exprs &exprs, Operation *op, ArrayRef<Expr> x) {
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](arith::AddIOp) { return exprs.add(x[0], x[1]); })
      .Case([&](arith::SubIOp) { return exprs.sub(x[0], x[1]); })
      .Case([&](arith::MulIOp) { return exprs.multiply(x[0], x[1]); })
      .Case<arith::MaxSIOp, arith::MinSIOp>([&](auto o) {
        return exprs.make(isa<arith::MaxSIOp>(o) ? Kind::Max : Kind::Min, x);
      })
      .Case([&](arith::FPToSIOp o) {
        return evaluateRoundedDown(exprs, o, x[0]);
      })
      .Case([&](math::AbsIOp) { return exprs.make(Kind::Abs, x); })
      .Case([&](arith::FloorDivSIOp) {
        return x[1]->range.low > 0 ? exprs.floorDiv(x[0], x[1]) : nullptr;
      })
      .Case([&](arith::ShRSIOp) -> Expr {
        if (!x[1]->is(Kind::Const) || x[1]->number < 0 || x[1]->number > 40)
          return nullptr;
        return exprs.floorDiv(x[0], exprs.number(int64_t(1) << x[1]->number));
      })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](auto o) -> Expr {
            if (x[0]->range.low < 0 || x[1]->range.low <= 0)
              return nullptr;
            return isa<arith::DivSIOp, arith::DivUIOp>(o)
                       ? exprs.floorDiv(x[0], x[1])
                       : exprs.mod(x[0], x[1]);
          })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto o) -> Expr {
        bool isExact = isa<arith::ShRSIOp>(o) || x[0]->range.low >= 0;
        if (!isExact || !x[1]->is(Kind::Const) || x[1]->number < 0 ||
            x[1]->number > 40)
          return nullptr;
        return exprs.floorDiv(x[0], exprs.number(int64_t(1) << x[1]->number));
      })
      .Case([&](arith::ExtSIOp) { return toInteger(exprs, x[0], -1); })
      .Case([&](arith::IndexCastOp) { return toInteger(exprs, x[0], -1); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>([&](auto) -> Expr {
        if (x[0]->type == Class::Bool)
          return toInteger(exprs, x[0], 1);
        return x[0]->range.low >= 0 ? x[0] : nullptr;
      })
      .Case([&](arith::TruncIOp o) -> Expr {
        if (!o.getType().isInteger(1))
          return x[0];
        if (x[0]->range.low < 0 || x[0]->range.high > 1)
          return nullptr;
        return exprs.make(Kind::Not, {exprs.isZero(x[0])});
      })
      .Default([](Operation *) { return nullptr; });
}

static Expr evaluateFloats(Exprs &exprs, Operation *op, ArrayRef<Expr> x) {
  return llvm::TypeSwitch<Operation *, Expr>(op)
      .Case([&](arith::AddFOp) { return exprs.make(Kind::Add, x); })
      .Case([&](arith::SubFOp) { return exprs.make(Kind::Sub, x); })
      .Case([&](arith::MulFOp) { return exprs.make(Kind::Mul, x); })
      .Case([&](arith::DivFOp) { return exprs.make(Kind::Div, x); })
      .Case([&](arith::MaximumFOp) { return exprs.make(Kind::Max, x); })
      .Case([&](arith::MinimumFOp) { return exprs.make(Kind::Min, x); })
      .Case([&](math::AbsFOp) { return exprs.make(Kind::Abs, x); })
      .Case([&](math::ExpOp) { return exprs.make(Kind::Exp, x); })
      .Case([&](arith::NegFOp) {
        return exprs.make(Kind::Mul, {x[0], exprs.real(-1)});
      })
      .Case([&](arith::ExtFOp) { return x[0]; })
      .Case(
          [&](arith::TruncFOp o) { return roundTo(exprs, x[0], o.getType()); })
      .Case([&](arith::UIToFPOp) -> Expr {
        if (x[0]->type == Class::Bool || x[0]->range.low >= 0)
          return exprs.toFloat(x[0]);
        return nullptr;
      })
      .Case([&](arith::SIToFPOp) -> Expr {
        return x[0]->type == Class::Bool ? nullptr : exprs.toFloat(x[0]);
      })
      .Default([](Operation *) { return nullptr; });
}

static Expr evaluateConstant(Exprs &exprs, arith::ConstantOp op) {
  if (auto value = dyn_cast<FloatAttr>(op.getValue()))
    return exprs.real(value.getValueAsDouble());
  auto value = dyn_cast<IntegerAttr>(op.getValue());
  if (!value || value.getValue().getSignificantBits() > 62)
    return nullptr;
  if (op.getType().isInteger(1))
    return exprs.boolean(!value.getValue().isZero());
  return exprs.number(value.getInt());
}

Expr lattn::raise::evaluateScalarOp(Exprs &exprs, Operation *op,
                                    ArrayRef<Expr> x) {
  if (op->getNumResults() != 1 || op->getNumRegions() || !isPure(op) ||
      !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return nullptr;
  Type type = op->getResult(0).getType();
  Expr result = nullptr;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return evaluateConstant(exprs, constant);
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    result = evaluateComparison(exprs, comparison, x[0], x[1]);
  else if (auto comparison = dyn_cast<arith::CmpFOp>(op))
    result = exprs.compareReal(int64_t(comparison.getPredicate()), x[0], x[1]);
  else if (isa<arith::SelectOp>(op))
    result = exprs.select(x[0], x[1], x[2]);
  else if (isa<FloatType>(type))
    result = evaluateFloats(exprs, op, x);
  else if (type.isInteger(1) && x[0]->type == Class::Bool)
    result = evaluateBools(exprs, op, x);
  else if (type.isIntOrIndex())
    result = evaluateIntegers(exprs, op, x);
  if (result && result->type == Class::Int && !fits(result, type))
    result = nullptr;
  return result ? result : exprs.opaque(op, x);
}

//===- Mask.cpp - Scores apart from what hides them -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mask.h"
#include "Constants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;

bool lattn::raise::hidesSomething(Expr e, double atMost) {
  DenseFPElementsAttr values;
  if (!e->is(Kind::Load) || !readConstant(e->value, values))
    return false;
  return llvm::any_of(values.getValues<APFloat>(), [&](const APFloat &value) {
    return value.convertToDouble() <= atMost;
  });
}

/// Whether all of its elements are 0 or at most `atMost`.
static bool isPureMask(Expr e, double atMost) {
  DenseFPElementsAttr values;
  return readConstant(e->value, values) &&
         llvm::all_of(values.getValues<APFloat>(), [&](const APFloat &value) {
           return value.isZero() || value.convertToDouble() <= atMost;
         });
}

namespace {
class Separation {
public:
  explicit Separation(Exprs &exprs) : exprs(exprs) {}

  /// Numbers up to `limit` hide.
  Expr strip(Expr e, double limit);
  SmallVector<Expr> visible;

private:
  Expr stripSelect(Expr e, double limit);

  Exprs &exprs;
};
} // namespace

Expr Separation::stripSelect(Expr e, double limit) {
  Expr condition = e->operands[0];
  for (bool hiddenIfTrue : {false, true}) {
    Expr hidden = e->operands[hiddenIfTrue ? 1 : 2];
    if (!hidden->is(Kind::Const) || !(hidden->real <= limit))
      continue;
    visible.push_back(hiddenIfTrue ? exprs.make(Kind::Not, {condition})
                                   : condition);
    return strip(e->operands[hiddenIfTrue ? 2 : 1], limit);
  }
  return e;
}

Expr Separation::strip(Expr e, double limit) {
  if (exprs.isExhausted())
    return e;
  switch (e->kind) {
  case Kind::Select:
    return stripSelect(e, limit);
  case Kind::Add:
    return exprs.make(Kind::Add, {strip(e->operands[0], limit),
                                  strip(e->operands[1], limit)});
  case Kind::Sub: {
    // A mask of large numbers that is subtracted.
    Expr negated = e->operands[1]->is(Kind::Select)
                       ? exprs.make(Kind::Mul, {e->operands[1], exprs.real(-1)})
                       : nullptr;
    if (negated && negated->is(Kind::Select))
      return exprs.make(Kind::Add,
                        {strip(e->operands[0], limit), strip(negated, limit)});
    return exprs.make(Kind::Sub,
                      {strip(e->operands[0], limit), e->operands[1]});
  }
  case Kind::Mul: {
    Expr factor = e->operands[1];
    if (!factor->is(Kind::Const) || !(factor->real > 0) ||
        !std::isfinite(factor->real))
      return e;
    return exprs.make(Kind::Mul,
                      {strip(e->operands[0], limit / factor->real), factor});
  }
  case Kind::Load:
    if (!hidesSomething(e, limit))
      return e;
    visible.push_back(exprs.compareReal(int64_t(arith::CmpFPredicate::OGT), e,
                                        exprs.real(limit)));
    return isPureMask(e, limit) ? exprs.real(0) : e;
  default:
    return e;
  }
}

MaskedScores lattn::raise::separateMask(Exprs &exprs, Expr scores,
                                        double limit) {
  Separation separation(exprs);
  Expr stripped = separation.strip(scores, limit);
  return {stripped, separation.visible};
}

SmallVector<double> lattn::raise::getMaskLimits(Exprs &exprs, Expr scores) {
  SmallVector<double> limits{-INFINITY};
  SmallVector<Expr> visible = separateMask(exprs, scores, -INFINITY).visible;
  for (double limit : {-1e30, -1e4}) {
    SmallVector<Expr> more = separateMask(exprs, scores, limit).visible;
    if (more != visible)
      limits.insert(limits.begin(), limit);
    visible = more;
  }
  return limits;
}

static bool mayBeMinusInfinity(Expr e, Expr product,
                               llvm::DenseSet<Expr> &seen) {
  if (e == product || e->is(Kind::ToFloat) || !seen.insert(e).second)
    return false;
  switch (e->kind) {
  case Kind::Const:
    return !std::isfinite(e->real);
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
  case Kind::Max:
  case Kind::Min:
  case Kind::Abs:
    return llvm::any_of(e->operands, [&](Expr x) {
      return mayBeMinusInfinity(x, product, seen);
    });
  case Kind::Div:
    return !e->operands[1]->is(Kind::Const) ||
           mayBeMinusInfinity(e->operands[0], product, seen);
  case Kind::Select:
    return mayBeMinusInfinity(e->operands[1], product, seen) ||
           mayBeMinusInfinity(e->operands[2], product, seen);
  case Kind::Load: {
    DenseFPElementsAttr values;
    return !readConstant(e->value, values) ||
           llvm::any_of(values.getValues<APFloat>(),
                        [](const APFloat &value) { return !value.isFinite(); });
  }
  case Kind::Opaque:
    return e->op->getName().getStringRef() != "math.tanh";
  default:
    return true;
  }
}

bool lattn::raise::mayBeMinusInfinity(Expr scores, Expr product) {
  llvm::DenseSet<Expr> seen;
  return ::mayBeMinusInfinity(scores, product, seen);
}

//===- Mask.cpp - Scores apart from what hides them -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mask.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;

bool lattn::raise::hidesSomething(Expr e, double atMost) {
  DenseFPElementsAttr values;
  if (!e->is(Kind::Load) || !matchPattern(e->value, m_Constant(&values)))
    return false;
  return llvm::any_of(values.getValues<APFloat>(), [&](const APFloat &value) {
    return value.convertToDouble() <= atMost;
  });
}

/// Whether all of its elements are 0 or at most `atMost`.
static bool isPureMask(Expr e, double atMost) {
  DenseFPElementsAttr values;
  return matchPattern(e->value, m_Constant(&values)) &&
         llvm::all_of(values.getValues<APFloat>(), [&](const APFloat &value) {
           return value.isZero() || value.convertToDouble() <= atMost;
         });
}

namespace {
class Separation {
public:
  Separation(Exprs &exprs, double limit) : exprs(exprs), limit(limit) {}

  Expr strip(Expr e);
  SmallVector<Expr> visible;

private:
  bool hides(Expr e) { return e->is(Kind::Const) && e->real <= limit; }

  Exprs &exprs;
  double limit;
};
} // namespace

Expr Separation::strip(Expr e) {
  if (exprs.isExhausted())
    return e;
  if (e->is(Kind::Select)) {
    Expr condition = e->operands[0];
    for (bool hiddenIfTrue : {false, true})
      if (hides(e->operands[hiddenIfTrue ? 1 : 2])) {
        visible.push_back(hiddenIfTrue ? exprs.make(Kind::Not, {condition})
                                       : condition);
        return strip(e->operands[hiddenIfTrue ? 2 : 1]);
      }
    return e;
  }
  if (e->is(Kind::Add))
    return exprs.make(Kind::Add,
                      {strip(e->operands[0]), strip(e->operands[1])});
  if (e->is(Kind::Sub))
    return exprs.make(Kind::Sub, {strip(e->operands[0]), e->operands[1]});
  if (e->is(Kind::Mul) && e->operands[1]->is(Kind::Const) &&
      e->operands[1]->real > 0 && limit == -INFINITY)
    return exprs.make(Kind::Mul, {strip(e->operands[0]), e->operands[1]});
  if (e->is(Kind::Load) && hidesSomething(e, limit)) {
    visible.push_back(exprs.compareReal(int64_t(arith::CmpFPredicate::OGT), e,
                                        exprs.real(limit)));
    return isPureMask(e, limit) ? exprs.real(0) : e;
  }
  return e;
}

MaskedScores lattn::raise::separateMask(Exprs &exprs, Expr scores,
                                        double limit) {
  Separation separation(exprs, limit);
  Expr stripped = separation.strip(scores);
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
    return !matchPattern(e->value, m_Constant(&values)) ||
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

//===- Softmax.cpp - Softmax in an expression -----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace lattn::raise;
using arith::CmpFPredicate;

static linalg::SoftmaxOp getSoftmaxOp(Expr e) {
  return e->is(Kind::Load) ? e->value.getDefiningOp<linalg::SoftmaxOp>()
                           : linalg::SoftmaxOp();
}

/// exp(x - log(sum)) or exp(x - (log(sum) + y)): exp(x), exp(x - y) and the
/// sum.
static std::optional<std::pair<Expr, Expr>> splitLogarithm(Exprs &exprs,
                                                           Expr e) {
  if (!e->is(Kind::Exp) || !e->operands[0]->is(Kind::Sub))
    return std::nullopt;
  Expr x = e->operands[0]->operands[0], by = e->operands[0]->operands[1];
  auto isLog = [](Expr log) {
    return log->is(Kind::Opaque) && isa<math::LogOp>(log->op);
  };
  if (isLog(by))
    return std::pair(exprs.make(Kind::Exp, {x}), by->operands[0]);
  for (bool swap : {false, true})
    if (by->is(Kind::Add) && isLog(by->operands[swap])) {
      Expr exponent = exprs.make(Kind::Sub, {x, by->operands[!swap]});
      return std::pair(exprs.make(Kind::Exp, {exponent}),
                       by->operands[swap]->operands[0]);
    }
  return std::nullopt;
}

bool lattn::raise::isExponential(Exprs &exprs, Expr e) {
  return e->is(Kind::Exp) && !splitLogarithm(exprs, e);
}

static bool mayBeSoftmax(Expr e, llvm::DenseSet<Expr> &seen) {
  if (!seen.insert(e).second)
    return false;
  if (getSoftmaxOp(e) || e->is(Kind::Exp))
    return true;
  if (e->is(Kind::Div) || e->is(Kind::Mul) || e->is(Kind::Select))
    return llvm::any_of(e->operands,
                        [&](Expr x) { return mayBeSoftmax(x, seen); });
  return false;
}

bool lattn::raise::mayBeSoftmax(Expr weights) {
  llvm::DenseSet<Expr> seen;
  return ::mayBeSoftmax(weights, seen);
}

namespace {
/// A term of a reduction at the key, and that of one more than there are keys:
/// the last, or the first.
struct Term {
  Expr atKey = nullptr, atSink = nullptr;

  bool operator==(const Term &other) const {
    return atKey == other.atKey && atSink == other.atSink;
  }
};

class Match {
public:
  Match(Evaluator &evaluator, Expr key, bool sinkIsFirst, std::string &reason)
      : evaluator(evaluator), key(key), keys(key->operands[0]),
        keyOfMore(sinkIsFirst
                      ? evaluator.exprs.add(key, evaluator.exprs.number(1))
                      : key),
        sink(sinkIsFirst ? evaluator.exprs.number(0) : keys), reason(reason) {}

  std::optional<Softmax> match(Expr weights);

private:
  std::optional<Softmax> fail(const char *why) {
    reason = why;
    return std::nullopt;
  }
  std::optional<Softmax> matchOp(linalg::SoftmaxOp op, Expr load);
  std::optional<Softmax> matchDivision(Expr exponential, Expr sum);
  Term getTerm(Expr load, Kind kind);
  /// Whether it is true exactly where all scores of the row are -inf.
  bool isEmptyRow(Expr condition, Term scores, bool expected);
  bool isRowMaximum(Expr e, Term scores) {
    return getTerm(e, Kind::Max) == scores;
  }

  /// Whether one more than the keys are.
  bool isOneMore(Expr extent) {
    return extent == evaluator.exprs.add(keys, evaluator.exprs.number(1));
  }

  Evaluator &evaluator;
  Expr key, keys;
  Expr keyOfMore, sink; // coordinates along one more than the keys
  std::string &reason;
};
} // namespace

Term Match::getTerm(Expr load, Kind kind) {
  if (load->dependsOn(key))
    return {};
  std::optional<Reduction> found = evaluator.getReduction(load, key);
  if (!found || found->kind != kind)
    return {};
  if (found->extent == keys)
    return {found->body};
  if (!isOneMore(found->extent))
    return {};
  found = evaluator.getReduction(load, keyOfMore);
  std::optional<Reduction> more = evaluator.getReduction(load, sink);
  return found && more ? Term{found->body, more->body} : Term();
}

bool Match::isEmptyRow(Expr e, Term scores, bool expected) {
  if (e->is(Kind::Not))
    return isEmptyRow(e->operands[0], scores, !expected);
  // Compared with -inf: the scores in a reduction, or their maximum.
  auto isCompared = [&](Expr compared, Expr what) {
    if (!compared || !compared->is(Kind::CmpF))
      return false;
    Expr left = compared->operands[0];
    // Rows whose maximum is +inf are NaN with any other maximum, too.
    bool isEither = !what && left->is(Kind::Abs);
    if (!compared->operands[1]->isReal(isEither ? INFINITY : -INFINITY))
      return false;
    left = isEither ? left->operands[0] : left;
    if (what ? left != what : !isRowMaximum(left, scores))
      return false;
    auto predicate = CmpFPredicate(compared->number);
    // Scores of NaN: neither form is right or wrong there, the row is NaN.
    return expected ? predicate == CmpFPredicate::OEQ
                    : predicate == CmpFPredicate::UNE;
  };
  if (e->is(Kind::CmpF))
    return isCompared(e, nullptr);
  Term term = getTerm(e, expected ? Kind::And : Kind::Or);
  return isCompared(term.atKey, scores.atKey) &&
         !term.atSink == !scores.atSink &&
         (!scores.atSink || isCompared(term.atSink, scores.atSink));
}

std::optional<Softmax> Match::matchOp(linalg::SoftmaxOp op, Expr load) {
  SmallVector<Expr> indices(ArrayRef<Expr>(load->operands));
  Expr extent = evaluator.getExtent(op.getInput(), op.getDimension());
  if (extent != keys && !isOneMore(extent))
    return fail("the softmax is over another number of keys");
  for (auto [axis, index] : llvm::enumerate(indices))
    if (axis == op.getDimension() ? index != (extent == keys ? key : keyOfMore)
                                  : index->dependsOn(key))
      return fail("the softmax is not along the keys");
  Softmax softmax{evaluator.getElement(op.getInput(), indices)};
  if (extent == keys)
    return softmax;
  indices[op.getDimension()] = sink;
  softmax.sink = evaluator.getElement(op.getInput(), indices);
  return softmax;
}

std::optional<Softmax> Match::matchDivision(Expr exponential, Expr sum) {
  if (!exponential->is(Kind::Exp))
    return fail("the dividend of the softmax is not an exponential");
  Softmax softmax;
  Exprs &exprs = evaluator.exprs;
  // select(sum == 0, 1, sum)
  if (sum->is(Kind::Select) && sum->operands[1]->is(Kind::Const)) {
    Expr condition = sum->operands[0];
    if (!condition->is(Kind::CmpF) ||
        condition->operands[0] != sum->operands[2] ||
        !condition->operands[1]->isReal(0) ||
        CmpFPredicate(condition->number) != CmpFPredicate::OEQ ||
        sum->operands[1]->isReal(0))
      return fail("the sum of the exponentials is changed");
    sum = sum->operands[2];
    softmax.emptyRowsAreZero = true;
  }
  Term sumOf = getTerm(sum, Kind::Add);
  if (sumOf.atKey != exponential ||
      (sumOf.atSink && !sumOf.atSink->is(Kind::Exp)))
    return fail(
        "the divisor is not the sum of the exponentials along the keys");
  Expr exponent = exponential->operands[0];
  Expr ofSink = sumOf.atSink ? sumOf.atSink->operands[0] : nullptr;
  softmax.scores = exponent;
  softmax.sink = ofSink;
  if (!exponent->is(Kind::Sub) || exponent->operands[1]->dependsOn(key))
    return softmax;
  Expr subtracted = exponent->operands[1], maximum = subtracted;
  Term scores{exponent->operands[0]};
  // select(maximum == -inf, 0, maximum)
  if (subtracted->is(Kind::Select) && subtracted->operands[1]->isReal(0))
    maximum = subtracted->operands[2];
  scores.atSink = getTerm(maximum, Kind::Max).atSink;
  bool guarded = maximum != subtracted;
  if (guarded && !isEmptyRow(subtracted->operands[0], scores, true))
    return fail("the number subtracted from the scores is not their maximum");
  if (isRowMaximum(maximum, scores)) {
    Expr reduced = scores.atSink
                       ? exprs.make(Kind::Sub, {scores.atSink, subtracted})
                       : nullptr;
    if (reduced != ofSink)
      return fail("the maximum is not that of the scores along the keys");
    softmax.scores = scores.atKey;
    softmax.sink = scores.atSink;
    // Without the guard, -inf - -inf is NaN before the sum is looked at.
    softmax.emptyRowsAreZero &= guarded;
    return softmax;
  }
  if (!maximum->is(Kind::Load) || exprs.isExhausted())
    return fail("the number subtracted from the scores is not their maximum");
  return fail("the maximum is not that of the scores along the keys");
}

std::optional<Softmax> Match::match(Expr weights) {
  if (auto op = getSoftmaxOp(weights))
    return matchOp(op, weights);
  if (weights->is(Kind::Select)) {
    bool first = weights->operands[1]->isReal(0);
    if (!first && !weights->operands[2]->isReal(0))
      return fail("a condition chooses the weights");
    std::optional<Softmax> inner = match(weights->operands[first ? 2 : 1]);
    if (inner &&
        !isEmptyRow(weights->operands[0], {inner->scores, inner->sink}, first))
      return fail("weights are replaced by 0 where not all scores are -inf");
    if (inner)
      inner->emptyRowsAreZero = true;
    return inner;
  }
  if (auto split = splitLogarithm(evaluator.exprs, weights))
    return matchDivision(split->first, split->second);
  if (weights->is(Kind::Div))
    return matchDivision(weights->operands[0], weights->operands[1]);
  if (weights->is(Kind::Mul))
    for (bool swap : {false, true}) {
      Expr inverse = weights->operands[!swap];
      if (inverse->is(Kind::Div) && inverse->operands[0]->isReal(1))
        return matchDivision(weights->operands[swap], inverse->operands[1]);
    }
  return fail("exponentials are not divided by their sum");
}

std::optional<Softmax> lattn::raise::matchSoftmax(Evaluator &evaluator,
                                                  Expr weights, Expr key,
                                                  std::string &reason) {
  std::string other;
  std::optional<Softmax> found =
      Match(evaluator, key, false, reason).match(weights);
  return found ? found : Match(evaluator, key, true, other).match(weights);
}

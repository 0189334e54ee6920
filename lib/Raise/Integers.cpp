//===- Integers.cpp - Expressions of integers and bools -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Integers are sums of multiples of atoms. A comparison is a bool node over the
// difference of its sides, so that all spellings of one become the same node.

#include "Expr.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn::raise;
using llvm::ArrayRef;

static constexpr int64_t kLimit = int64_t(1) << 62;

static int64_t clamp(__int128 value) {
  if (value > kLimit)
    return kLimit;
  return value < -kLimit ? -kLimit : int64_t(value);
}

static Interval scaleRange(Interval range, int64_t factor) {
  int64_t a = clamp(__int128(range.low) * factor);
  int64_t b = clamp(__int128(range.high) * factor);
  return {std::min(a, b), std::max(a, b)};
}

Expr Exprs::number(int64_t value) {
  Node node{Kind::Const, Class::Int};
  node.number = value;
  node.range = {value, value};
  return get(std::move(node));
}

Expr Exprs::boolean(bool value) {
  Node node{Kind::Const, Class::Bool};
  node.number = value;
  return get(std::move(node));
}

void lattn::raise::forEachTerm(Expr a,
                               llvm::function_ref<void(Expr, int64_t)> visit) {
  if (a->is(Kind::Linear))
    for (auto [atom, factor] : llvm::zip(a->operands, a->coefficients))
      visit(atom, factor);
  else if (!a->is(Kind::Const))
    visit(a, 1);
}

Expr Exprs::linear(ArrayRef<std::pair<Expr, int64_t>> terms, int64_t constant) {
  std::map<unsigned, std::pair<Expr, int64_t>> sums;
  for (auto [atom, factor] : terms) {
    auto &sum = sums[atom->id];
    sum = {atom, sum.second + factor};
  }
  Node node{Kind::Linear, Class::Int};
  node.number = constant;
  __int128 low = constant, high = constant;
  for (auto &[id, sum] : sums) {
    if (!sum.second)
      continue;
    node.operands.push_back(sum.first);
    node.coefficients.push_back(sum.second);
    Interval range = scaleRange(sum.first->range, sum.second);
    low += range.low;
    high += range.high;
  }
  if (node.operands.empty())
    return number(constant);
  if (node.operands.size() == 1 && node.coefficients[0] == 1 && !constant)
    return node.operands[0];
  node.range = {clamp(low), clamp(high)};
  return get(std::move(node));
}

Expr Exprs::add(Expr a, Expr b) {
  llvm::SmallVector<std::pair<Expr, int64_t>> terms;
  auto collect = [&](Expr atom, int64_t factor) {
    terms.push_back({atom, factor});
  };
  forEachTerm(a, collect);
  forEachTerm(b, collect);
  return linear(terms,
                clamp(__int128(getConstantTerm(a)) + getConstantTerm(b)));
}

Expr Exprs::scale(Expr a, int64_t factor) {
  llvm::SmallVector<std::pair<Expr, int64_t>> terms;
  forEachTerm(a, [&](Expr atom, int64_t of) {
    terms.push_back({atom, clamp(__int128(of) * factor)});
  });
  return linear(terms, clamp(__int128(getConstantTerm(a)) * factor));
}

Expr Exprs::multiply(Expr a, Expr b) {
  if (a->is(Kind::Const))
    return scale(b, a->number);
  if (b->is(Kind::Const))
    return scale(a, b->number);
  if (a->is(Kind::Linear)) { // distribute, so that division finds its terms
    Expr sum = scale(b, a->number);
    for (auto [atom, factor] : llvm::zip(a->operands, a->coefficients))
      sum = add(sum, scale(multiply(atom, b), factor));
    return sum;
  }
  if (b->is(Kind::Linear) || a->id > b->id)
    return multiply(b, a);
  Node node{Kind::Product, Class::Int};
  node.operands = {a, b};
  __int128 corners[] = {__int128(a->range.low) * b->range.low,
                        __int128(a->range.low) * b->range.high,
                        __int128(a->range.high) * b->range.low,
                        __int128(a->range.high) * b->range.high};
  node.range = {clamp(*std::min_element(corners, corners + 4)),
                clamp(*std::max_element(corners, corners + 4))};
  return get(std::move(node));
}

bool Exprs::isBelow(Expr a, Expr b) {
  if (a->range.low < 0)
    return false;
  if ((a->is(Kind::Var) && a->operands[0] == b) || a->range.high < b->range.low)
    return true;
  if (a->is(Kind::FloorDiv) && a->operands[1]->is(Kind::Const))
    return isBelow(a->operands[0], scale(b, a->operands[1]->number));
  // The largest that coordinates of open extents are.
  bool isOpen = false;
  forEachTerm(a, [&](Expr term, int64_t) {
    isOpen |= term->is(Kind::Var) && !term->operands[0]->is(Kind::Const);
  });
  if (!isOpen)
    return false;
  Expr room = sub(b, a);
  forEachTerm(Expr(room), [&](Expr term, int64_t factor) {
    if (term->is(Kind::Var) && factor < 0)
      room = add(room,
                 scale(sub(add(term->operands[0], number(-1)), term), factor));
  });
  return room->range.low >= 1;
}

/// Another factor of a product that contains `b`.
static Expr getQuotient(Expr product, Expr b) {
  if (!product->is(Kind::Product))
    return nullptr;
  if (product->operands[0] == b)
    return product->operands[1];
  return product->operands[1] == b ? product->operands[0] : nullptr;
}

Expr Exprs::floorDiv(Expr a, Expr b) {
  if (b->isNumber(1) || a->isNumber(0))
    return a;
  if (a->is(Kind::Const) && b->is(Kind::Const))
    return number(llvm::divideFloorSigned(a->number, b->number));
  Expr whole = number(0);
  llvm::SmallVector<std::pair<Expr, int64_t>> rest;
  int64_t constant = getConstantTerm(a);
  // b = size * unit
  bool isMultiple = b->is(Kind::Linear) && b->operands.size() == 1 &&
                    !b->number && b->coefficients[0] > 0;
  Expr unit = isMultiple ? b->operands[0] : b;
  int64_t size = isMultiple ? b->coefficients[0] : 1;
  forEachTerm(a, [&](Expr atom, int64_t factor) {
    if (b->is(Kind::Const) && factor % b->number == 0)
      whole = add(whole, scale(atom, factor / b->number));
    else if (atom == unit && factor % size == 0)
      whole = add(whole, number(factor / size));
    else if (Expr other = getQuotient(atom, unit); other && factor % size == 0)
      whole = add(whole, scale(other, factor / size));
    else
      rest.push_back({atom, factor});
  });
  if (b->is(Kind::Const)) {
    int64_t quotient = llvm::divideFloorSigned(constant, b->number);
    whole = add(whole, number(quotient));
    constant -= quotient * b->number;
  }
  Expr remainder = linear(rest, constant);
  if (remainder->isNumber(0) || isBelow(remainder, b))
    return whole;
  Node node{Kind::FloorDiv, Class::Int};
  // floor(floor(x / c) / b) = floor(x / (c b))
  if (remainder->is(Kind::FloorDiv) && b->is(Kind::Const) &&
      remainder->operands[1]->is(Kind::Const))
    return add(whole, floorDiv(remainder->operands[0],
                               scale(b, remainder->operands[1]->number)));
  node.operands = {remainder, b};
  int64_t least = std::max<int64_t>(1, b->range.low);
  node.range = {llvm::divideFloorSigned(
                    std::min<int64_t>(remainder->range.low, 0), least),
                llvm::divideFloorSigned(
                    std::max<int64_t>(remainder->range.high, 0), least)};
  return add(whole, get(std::move(node)));
}

Expr Exprs::mod(Expr a, Expr b) { return sub(a, multiply(floorDiv(a, b), b)); }

/// An atom that a comparison looks into, and its factor.
static std::pair<Expr, int64_t> findBranch(Expr a) {
  std::pair<Expr, int64_t> found{nullptr, 0};
  forEachTerm(a, [&](Expr atom, int64_t factor) {
    if (atom->is(Kind::Abs) || atom->is(Kind::Max) || atom->is(Kind::Min) ||
        atom->is(Kind::Select))
      found = {atom, factor};
  });
  return found;
}

Expr Exprs::notNegative(Expr a) {
  if (a->range.low >= 0)
    return boolean(true);
  if (a->range.high < 0)
    return boolean(false);
  auto [atom, factor] = findBranch(a);
  if (atom && !isExhausted()) {
    Expr rest = sub(a, scale(atom, factor));
    auto with = [&, factor = factor](Expr value) {
      return notNegative(add(rest, scale(value, factor)));
    };
    if (atom->is(Kind::Select)) {
      Expr condition = atom->operands[0];
      return select(condition, with(atom->operands[1]),
                    with(atom->operands[2]));
    }
    Expr first = atom->operands[0];
    Expr second = atom->is(Kind::Abs) ? scale(first, -1) : atom->operands[1];
    // The largest of two counted positively: one of them must do.
    bool either = (factor > 0) != atom->is(Kind::Min);
    return make(either ? Kind::Or : Kind::And, {with(first), with(second)});
  }
  // Divide by the common factor, rounding towards what fulfils it.
  uint64_t common = 0;
  forEachTerm(a, [&](Expr, int64_t of) {
    common = std::gcd(common, uint64_t(std::abs(of)));
  });
  if (common > 1) {
    llvm::SmallVector<std::pair<Expr, int64_t>> terms;
    forEachTerm(a, [&](Expr term, int64_t of) {
      terms.push_back({term, of / int64_t(common)});
    });
    return notNegative(linear(
        terms, llvm::divideFloorSigned(getConstantTerm(a), int64_t(common))));
  }
  Node node{Kind::NotNeg, Class::Bool};
  node.operands = {a};
  return get(std::move(node));
}

Expr Exprs::isZero(Expr a) {
  if (a->range.low > 0 || a->range.high < 0)
    return boolean(false);
  if (a->is(Kind::Const))
    return boolean(a->number == 0);
  if (a->range.low == 0)
    return notNegative(scale(a, -1));
  if (a->range.high == 0)
    return notNegative(a);
  if (findBranch(a).first && !isExhausted())
    return make(Kind::And, {notNegative(a), notNegative(scale(a, -1))});
  if (a->is(Kind::Linear) && a->coefficients[0] < 0)
    return isZero(scale(a, -1));
  Node node{Kind::IsZero, Class::Bool};
  node.operands = {a};
  return get(std::move(node));
}

Expr Exprs::negate(Expr a) {
  if (Expr found = negations.lookup(a))
    return found;
  Expr negation;
  if (a->is(Kind::Const)) {
    negation = boolean(!a->number);
  } else if (a->is(Kind::NotNeg)) { // not (x >= 0): -x - 1 >= 0
    negation = notNegative(add(scale(a->operands[0], -1), number(-1)));
  } else if (a->is(Kind::And) || a->is(Kind::Or)) {
    negation = makeBool(a->is(Kind::And) ? Kind::Or : Kind::And,
                        negate(a->operands[0]), negate(a->operands[1]));
  } else {
    Node node{Kind::Not, Class::Bool};
    node.operands = {a};
    negation = get(std::move(node));
  }
  negations[a] = negation;
  negations.try_emplace(negation, a);
  return negation;
}

Expr Exprs::makeBool(Kind kind, Expr a, Expr b) {
  bool isAnd = kind == Kind::And;
  for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    if (isAnd ? x->isTrue() : x->isFalse())
      return y;
    if (isAnd ? x->isFalse() : x->isTrue())
      return x;
    if (negate(x) == y)
      return boolean(!isAnd);
  }
  if (a == b)
    return a;
  Node node{kind, Class::Bool};
  node.operands = {a, b};
  return get(std::move(node));
}

//===- Window.cpp - A mask as a window, by proof --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A condition on the difference of a key's and a query's coordinate bounds the
// window, and so does one on the difference of their buckets. All bounds of one
// side must have constant differences; others stay conditions.

#include "Mask.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lattn;
using namespace lattn::raise;

namespace {
/// factor * (key - query), or of their buckets, + rest >= 0.
struct Bound {
  bool isUpper;
  int64_t bucket = 0; // 0: of positions
  Expr rest;          // without the two
  int64_t shift = 0;  // added to the query before division
};

/// What a condition implies of key - query; null: nothing.
struct Sides {
  Expr lower = nullptr, upper = nullptr;
};

class Proof {
public:
  Proof(Exprs &exprs, const Frame &frame) : exprs(exprs), frame(frame) {}

  ProvenWindow run(ArrayRef<Expr> visible);

private:
  void take(Expr condition);
  bool takeComparison(Expr difference, Expr condition);
  std::optional<Bound> getBound(Expr difference);
  bool takeBucket(const Bound &bound);
  bool tighten(Expr &known, Expr bound, bool isUpper, Expr condition);
  std::optional<Bound> getConstantBound(Expr difference);
  Sides getSides(Expr condition);
  Expr choose(Expr a, Expr b, bool largest);
  void takeEither(Expr condition);
  Expr dropImplied(Expr condition, const ProvenWindow &window);
  void chooseOffset(ProvenWindow &window);
  void enumerateRest();
  void enumerateAll(ArrayRef<Expr> conditions);
  bool showsAllRows(const ProvenWindow &window);
  std::optional<int64_t> getDifference(Expr a, Expr b) {
    Expr difference = exprs.sub(a, b);
    if (!difference->is(Kind::Const))
      return std::nullopt;
    return difference->number;
  }

  Exprs &exprs;
  const Frame &frame;
  Expr lower = nullptr, upper = nullptr; // of key - query, inclusive
  SmallVector<Expr> lowerFrom, upperFrom, rest;
  std::optional<int64_t> bucket, back, forward;
  int64_t shift = 0;
};
} // namespace

/// x, where `e` is x + number and x a coordinate, divided by `bucket`.
static std::optional<int64_t> getShift(Expr e, Expr var) {
  if (e == var)
    return 0;
  if (e->is(Kind::Linear) && e->operands.size() == 1 && e->operands[0] == var &&
      e->coefficients[0] == 1)
    return e->number;
  return std::nullopt;
}

std::optional<Bound> Proof::getBound(Expr difference) {
  Bound bound{};
  Expr query = nullptr, key = nullptr;
  int64_t ofQuery = 0, ofKey = 0;
  bool known = true;
  bound.rest = difference;
  forEachTerm(difference, [&](Expr term, int64_t factor) {
    bool isQuery = term->dependsOn(frame.query);
    if (!isQuery && !term->dependsOn(frame.key))
      return;
    known &=
        !(isQuery && term->dependsOn(frame.key)) && !(isQuery ? query : key);
    (isQuery ? query : key) = term;
    (isQuery ? ofQuery : ofKey) = factor;
    bound.rest = exprs.sub(bound.rest, exprs.scale(term, factor));
  });
  if (!known || !query || !key || ofQuery != -ofKey || std::abs(ofKey) != 1)
    return std::nullopt;
  bound.isUpper = ofKey < 0;
  if (query == frame.query && key == frame.key)
    return bound;
  if (!query->is(Kind::FloorDiv) || !key->is(Kind::FloorDiv) ||
      query->operands[1] != key->operands[1] ||
      !query->operands[1]->is(Kind::Const) || !bound.rest->is(Kind::Const))
    return std::nullopt;
  std::optional<int64_t> shift = getShift(query->operands[0], frame.query);
  if (!shift || key->operands[0] != frame.key)
    return std::nullopt;
  bound.bucket = query->operands[1]->number;
  bound.shift = *shift;
  return bound;
}

bool Proof::takeBucket(const Bound &bound) {
  int64_t distance = bound.rest->number; // key - query >= -distance, or <=
  if ((bucket && (*bucket != bound.bucket || shift != bound.shift)) ||
      distance < 0)
    return false;
  bucket = bound.bucket;
  shift = bound.shift;
  std::optional<int64_t> &known = bound.isUpper ? forward : back;
  known = known ? std::min(*known, distance) : distance;
  return true;
}

bool Proof::tighten(Expr &known, Expr bound, bool isUpper, Expr condition) {
  if (known) {
    std::optional<int64_t> more = getDifference(bound, known);
    if (!more)
      return false;
    if (isUpper ? *more >= 0 : *more <= 0)
      return true;
  }
  known = bound;
  if (condition)
    (isUpper ? upperFrom : lowerFrom).push_back(condition);
  return true;
}

/// One that is the same for all batches and heads.
std::optional<Bound> Proof::getConstantBound(Expr difference) {
  std::optional<Bound> bound = getBound(difference);
  if (!bound || bound->bucket)
    return bound;
  bool known = true;
  forEachTerm(bound->rest, [&](Expr term, int64_t) {
    known &= term->is(Kind::Dim) || term->is(Kind::Sym);
  });
  return known ? bound : std::nullopt;
}

bool Proof::takeComparison(Expr difference, Expr condition) {
  std::optional<Bound> bound = getConstantBound(difference);
  if (!bound)
    return false;
  if (bound->bucket)
    return takeBucket(*bound);
  return bound->isUpper
             ? tighten(upper, bound->rest, true, condition)
             : tighten(lower, exprs.scale(bound->rest, -1), false, condition);
}

//===----------------------------------------------------------------------===//
// One of several conditions
//===----------------------------------------------------------------------===//

Expr Proof::choose(Expr a, Expr b, bool largest) {
  std::optional<int64_t> more = getDifference(a, b);
  if (!more)
    return nullptr;
  return (*more > 0) == largest ? a : b;
}

Sides Proof::getSides(Expr e) {
  if (exprs.isExhausted())
    return {};
  bool isAnd = e->is(Kind::And);
  if (isAnd || e->is(Kind::Or)) {
    Sides a = getSides(e->operands[0]), b = getSides(e->operands[1]);
    auto combine = [&](Expr x, Expr y, bool isUpper) -> Expr {
      if (x && y)
        if (Expr chosen = choose(x, y, isUpper != isAnd))
          return chosen;
      return !isAnd ? nullptr : x ? x : y;
    };
    return {combine(a.lower, b.lower, false), combine(a.upper, b.upper, true)};
  }
  bool isEqual = e->is(Kind::IsZero);
  if (!isEqual && !e->is(Kind::NotNeg))
    return {};
  std::optional<Bound> bound = getConstantBound(e->operands[0]);
  if (!bound || bound->bucket)
    return {};
  // key - query <= rest, or >= -rest.
  Expr limit = bound->isUpper ? bound->rest : exprs.scale(bound->rest, -1);
  return {isEqual || !bound->isUpper ? limit : nullptr,
          isEqual || bound->isUpper ? limit : nullptr};
}

/// It stays a condition, within the window that all of its cases lie in.
void Proof::takeEither(Expr e) {
  Sides sides = getSides(e);
  if (sides.upper)
    tighten(upper, sides.upper, true, nullptr);
  if (sides.lower)
    tighten(lower, sides.lower, false, nullptr);
  rest.push_back(e);
}

Expr Proof::dropImplied(Expr e, const ProvenWindow &window) {
  if (exprs.isExhausted())
    return e;
  if (e->is(Kind::And) || e->is(Kind::Or))
    return exprs.make(e->kind, {dropImplied(e->operands[0], window),
                                dropImplied(e->operands[1], window)});
  if (!e->is(Kind::NotNeg))
    return e;
  Sides sides = getSides(e);
  std::optional<int64_t> room;
  if (sides.upper && window.right)
    room = getDifference(sides.upper, upper);
  if (sides.lower && window.left)
    room = getDifference(lower, sides.lower);
  return room && *room >= 0 ? exprs.boolean(true) : e;
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

void Proof::take(Expr e) {
  if (e->isTrue())
    return;
  if (e->is(Kind::And)) {
    take(e->operands[0]);
    take(e->operands[1]);
    return;
  }
  if (e->is(Kind::NotNeg) && takeComparison(e->operands[0], e))
    return;
  if (e->is(Kind::IsZero)) {
    Expr x = e->operands[0];
    if (getBound(x)) {
      take(exprs.notNegative(x));
      take(exprs.notNegative(exprs.scale(x, -1)));
      return;
    }
  }
  if (e->is(Kind::Or))
    takeEither(e);
  else
    rest.push_back(e);
}

void Proof::chooseOffset(ProvenWindow &window) {
  auto isBelow = [&](Expr a, int64_t b) {
    return a->is(Kind::Const) && a->number <= b;
  };
  Expr zero = exprs.number(0);
  Expr offset = exprs.number(shift);
  if (!bucket && (lower || upper)) {
    bool upperFits = !upper || (upper->is(Kind::Const) && upper->number >= 0);
    bool lowerFits = !lower || isBelow(lower, 0);
    offset = upperFits && lowerFits ? zero : upper ? upper : lower;
    // The nearer side where the upper one has no place for it.
    if (!upperFits && lower && !upper)
      offset = lower;
  }
  window.offset = offset;
  auto setExtent = [&](std::optional<int64_t> &extent, Expr last, Expr first,
                       ArrayRef<Expr> conditions) {
    std::optional<int64_t> size = getDifference(last, first);
    if (size && *size >= 0 && *size <= WindowAttr::kMaxExtent)
      extent = size;
    else
      llvm::append_range(rest, conditions);
  };
  if (upper)
    setExtent(window.right, upper, offset, upperFrom);
  if (lower)
    setExtent(window.left, offset, lower, lowerFrom);
  if (!bucket)
    return;
  // What is not bounded reaches over all buckets.
  int64_t most = WindowAttr::kMaxExtent / *bucket - 1;
  window.bucket = bucket;
  auto reach = [&](std::optional<int64_t> buckets,
                   std::optional<int64_t> positions) {
    int64_t all = buckets.value_or(most);
    return positions
               ? std::min(all, llvm::divideCeilSigned(*positions, *bucket))
               : all;
  };
  window.back = reach(back, window.left);
  window.forward = reach(forward, window.right);
}

void Proof::enumerateRest() {
  uint64_t ofHeads = 0;
  for (ArrayRef<Expr> atoms : {ArrayRef(frame.batch), ArrayRef(frame.heads)})
    for (Expr atom : atoms)
      ofHeads |= atom->vars;
  SmallVector<Expr> same, other, others; // for all heads, or for each
  for (Expr e : rest) {
    uint64_t outside = e->vars & ~frame.query->vars & ~frame.key->vars;
    bool both = e->dependsOn(frame.query) && e->dependsOn(frame.key);
    if (!outside && both)
      same.push_back(e);
    else
      (outside & ~ofHeads || !outside ? others : other).push_back(e);
  }
  rest = others;
  enumerateAll(same);
  enumerateAll(other);
}

/// Bounds of what is visible, and the conditions if these are not all.
void Proof::enumerateAll(ArrayRef<Expr> conditions) {
  std::optional<Band> band = raise::enumerate(frame, conditions);
  if (!band || !band->isExact)
    llvm::append_range(rest, band ? simplify(exprs, frame, *band, conditions)
                                  : SmallVector<Expr>(conditions));
  if (!band)
    return;
  // Bounds that reach over all keys do not bound.
  int64_t queries = frame.query->operands[0]->number;
  int64_t keys = frame.key->operands[0]->number;
  auto asCondition = [&](Expr x, int64_t distance) {
    take(exprs.notNegative(exprs.add(x, exprs.number(distance))));
  };
  Expr distance = exprs.sub(frame.query, frame.key);
  if (band->right < keys - 1)
    asCondition(distance, band->right);
  if (band->left < queries - 1)
    asCondition(exprs.scale(distance, -1), band->left);
}

bool Proof::showsAllRows(const ProvenWindow &window) {
  Expr queries = frame.query->operands[0], keys = frame.key->operands[0];
  Expr more = exprs.sub(keys, queries);
  if (window.bucket && (window.left || window.right))
    return more == exprs.number(0) && window.offset == exprs.number(0);
  if (window.bucket) // the query's own bucket has keys where it has a position
    return window.offset->range.low >= 0 &&
           exprs.sub(more, window.offset)->range.low >= 0;
  // The first query's last key, and the last query's first one.
  if (upper && upper->range.low < 0)
    return false;
  if (!upper && keys->range.low < 1 && more->range.low < 0)
    return false;
  return !lower || exprs.sub(more, lower)->range.low >= 0;
}

ProvenWindow Proof::run(ArrayRef<Expr> visible) {
  ProvenWindow window;
  for (Expr e : visible)
    take(e);
  bool constantRows = false;
  if (!rest.empty()) {
    std::optional<Band> all = raise::enumerate(frame, visible);
    constantRows = all && all->showsAllRows;
    enumerateRest();
  }
  chooseOffset(window);
  for (Expr e : rest)
    if (Expr remaining = dropImplied(e, window); !remaining->isTrue())
      window.rest.push_back(remaining);
  rest = window.rest;
  window.showsAllRows = constantRows || (rest.empty() && showsAllRows(window));
  return window;
}

ProvenWindow lattn::raise::proveWindow(Exprs &exprs, const Frame &frame,
                                       ArrayRef<Expr> visible) {
  return Proof(exprs, frame).run(visible);
}

//===- BucketMask.cpp - Which keys the rows of buckets show ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where the number of buckets is known, all pairs are looked at. Else one
// bucket stands for all: conditions must not depend on which it is.

#include "BucketMask.h"

using namespace mlir;
using namespace lattn::raise;

//===----------------------------------------------------------------------===//
// Pairs of buckets
//===----------------------------------------------------------------------===//

std::optional<BucketPair> BucketPairs::getInside(int64_t away) {
  int64_t distance = std::abs(away);
  Expr left = exprs.add(count, exprs.number(-distance));
  if (left->range.high <= 0)
    return std::nullopt;
  Expr &first = buckets[distance];
  if (!first)
    first = exprs.var(left);
  Expr second = exprs.add(first, exprs.number(distance));
  return away < 0 ? BucketPair{away, second, first}
                  : BucketPair{away, first, second};
}

SmallVector<BucketPair> BucketPairs::getOutside(int64_t away) {
  SmallVector<BucketPair> pairs;
  for (int64_t i = 0; i < std::abs(away); ++i) {
    Expr last = exprs.add(count, exprs.number(-1 - i));
    pairs.push_back({away, away < 0 ? exprs.number(i) : last, nullptr});
  }
  return pairs;
}

void BucketPairs::set(Substitution &to, const BucketCoordinates &at,
                      const BucketPair &pair) {
  to.set(at.bucket, pair.ofQuery);
  to.set(at.key,
         exprs.add(place, exprs.number((pair.away + at.back) * at.size)));
}

//===----------------------------------------------------------------------===//
// The mask
//===----------------------------------------------------------------------===//

namespace {
class Proof {
public:
  Proof(Evaluator &evaluator, BucketPairs &pairs, const BucketCoordinates &at,
        std::string &reason)
      : evaluator(evaluator), pairs(pairs), at(at), reason(reason) {}

  std::optional<BucketMask> run(ArrayRef<Expr> visible);

private:
  std::nullopt_t fail(const char *why) {
    reason = why;
    return std::nullopt;
  }
  bool enumerateAll();
  bool enumerateOne();
  bool hidesOutside(const BucketPair &pair);
  Band getBand();
  bool isPosition(int64_t bucket, int64_t key) {
    int64_t position = (bucket - at.back) * at.size + key;
    return isOne || (position >= 0 && position < at.count->number * at.size);
  }
  std::vector<bool>::reference see(int64_t bucket, int64_t query, int64_t key) {
    return seen[(bucket * at.size + query) * at.keys + key];
  }

  Evaluator &evaluator;
  BucketPairs &pairs;
  const BucketCoordinates &at;
  std::string &reason;
  SmallVector<Expr> all, counted, rest; // conditions
  bool isOne = false;                   // bucket for all
  int64_t cases = 1;                    // buckets in `seen`
  std::vector<bool> seen;
};
} // namespace

static void flatten(Expr e, SmallVectorImpl<Expr> &conditions) {
  if (e->is(Kind::And)) {
    flatten(e->operands[0], conditions);
    flatten(e->operands[1], conditions);
  } else if (!e->isTrue()) {
    conditions.push_back(e);
  }
}

bool Proof::enumerateAll() {
  SmallVector<Expr> vars{at.bucket, at.query, at.key};
  for (Expr e : all)
    (canEnumerate(vars, e) ? counted : rest).push_back(e);
  cases = at.count->number;
  seen.assign(cases * at.size * at.keys, false);
  bool isInside = true;
  forEachVisible(vars, counted, [&](ArrayRef<int64_t> x) {
    see(x[0], x[1], x[2]) = true;
    isInside &= isPosition(x[0], x[2]);
  });
  if (!isInside)
    reason = "keys outside of the positions are visible";
  return isInside;
}

/// Whether no condition lets any of the pair's keys be visible.
bool Proof::hidesOutside(const BucketPair &pair) {
  SmallVector<Expr> vars{at.query, pairs.getPlace()}, conditions;
  Substitution to(evaluator);
  pairs.set(to, at, pair);
  for (Expr e : all)
    if (Expr here = to.apply(e); here && canEnumerate(vars, here))
      conditions.push_back(here);
  bool isHidden = true;
  forEachVisible(vars, conditions, [&](auto) { isHidden = false; });
  return isHidden;
}

bool Proof::enumerateOne() {
  isOne = true;
  SmallVector<Expr> vars{at.query, pairs.getPlace()};
  SmallVector<std::pair<int64_t, SmallVector<Expr>>>
      inside; // away, `all` there
  llvm::DenseSet<Expr> open;
  for (int64_t away = -at.back; away <= at.getForward(); ++away) {
    for (const BucketPair &pair : pairs.getOutside(away))
      if (!hidesOutside(pair)) {
        reason = "keys outside of the positions may be visible";
        return false;
      }
    std::optional<BucketPair> pair = pairs.getInside(away);
    if (!pair)
      continue;
    Substitution to(evaluator);
    pairs.set(to, at, *pair);
    inside.push_back({away, {}});
    for (Expr e : all) {
      inside.back().second.push_back(to.apply(e));
      Expr here = inside.back().second.back();
      if (!here || !canEnumerate(vars, here))
        open.insert(e);
    }
  }
  for (Expr e : all)
    (open.contains(e) ? rest : counted).push_back(e);
  seen.assign(at.size * at.keys, false);
  for (auto &[away, conditions] : inside) {
    SmallVector<Expr> here;
    for (auto [e, condition] : llvm::zip_equal(all, conditions))
      if (!open.contains(e))
        here.push_back(condition);
    int64_t first = (away + at.back) * at.size;
    forEachVisible(vars, here, [&](ArrayRef<int64_t> x) {
      see(0, x[0], first + x[1]) = true;
    });
  }
  return true;
}

Band Proof::getBand() {
  Band band{-at.keys, -at.keys, true, true};
  auto forEach =
      [&](llvm::function_ref<void(int64_t, int64_t, int64_t)> visit) {
        for (int64_t bucket = 0; bucket < cases; ++bucket)
          for (int64_t query = 0; query < at.size; ++query)
            for (int64_t key = 0; key < at.keys; ++key)
              if (isPosition(bucket, key))
                visit(bucket, query, key);
      };
  // A query may have no other bucket than its own.
  auto countsForRows = [&](int64_t key) {
    return !isOne || key / at.size == at.back;
  };
  llvm::BitVector rows(cases * at.size);
  forEach([&](int64_t bucket, int64_t query, int64_t key) {
    if (!see(bucket, query, key))
      return;
    int64_t ahead = key - at.back * at.size - query;
    band.left = std::max(band.left, -ahead);
    band.right = std::max(band.right, ahead);
    if (countsForRows(key))
      rows.set(bucket * at.size + query);
  });
  band.showsAllRows = rows.all() && rest.empty();
  forEach([&](int64_t bucket, int64_t query, int64_t key) {
    int64_t ahead = key - at.back * at.size - query;
    if (ahead <= band.right && -ahead <= band.left)
      band.isExact &= see(bucket, query, key);
  });
  return band;
}

std::optional<BucketMask> Proof::run(ArrayRef<Expr> visible) {
  for (Expr e : visible)
    flatten(e, all);
  Expr nothing = evaluator.exprs.boolean(true);
  bool isSmall = canEnumerate({at.bucket, at.query, at.key}, nothing);
  if (!canEnumerate({at.query, at.key}, nothing))
    return fail("the buckets are too large to look at all pairs");
  if (!(isSmall ? enumerateAll() : enumerateOne()))
    return std::nullopt;
  if (llvm::find(seen, true) == seen.end())
    return fail("no key is visible");
  return BucketMask{getBand(), counted, rest};
}

std::optional<BucketMask>
lattn::raise::proveBucketMask(Evaluator &evaluator, BucketPairs &pairs,
                              const BucketCoordinates &at,
                              ArrayRef<Expr> visible, std::string &reason) {
  return Proof(evaluator, pairs, at, reason).run(visible);
}

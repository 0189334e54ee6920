//===- Problem.cpp - Random inputs ------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include "Array.h"
#include "Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <limits>

using namespace lattn;
using namespace lattn::sweep;
using llvm::ArrayRef;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double &Numbers::at(ArrayRef<int64_t> index) {
  int64_t linear = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape)) {
    if (i < 0 || i >= extent)
      llvm::report_fatal_error("index out of bounds");
    linear = linear * extent + i;
  }
  return values[linear];
}

template <typename Make>
static Numbers makeNumbers(ElementKind kind, std::string axes,
                           ArrayRef<int64_t> shape, Make make) {
  Numbers numbers;
  numbers.kind = kind;
  numbers.axes = std::move(axes);
  numbers.shape.assign(shape.begin(), shape.end());
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  numbers.values.resize(count);
  for (double &value : numbers.values)
    value = roundTo(kind, make());
  return numbers;
}

//===----------------------------------------------------------------------===//
// Who sees what
//===----------------------------------------------------------------------===//

int64_t Problem::getPosition(int64_t b, int64_t q) const {
  if (offset)
    return static_cast<int64_t>(offset->values[offset->shape.empty() ? 0 : b]) +
           q;
  int64_t length = whole.keys;
  if (lens)
    length = std::clamp<int64_t>(lens->values[b], 0, whole.keys);
  return length - whole.queries + q;
}

bool Problem::sees(const Case &c, int64_t b, int64_t q, int64_t k) const {
  if (k < first[3] || k >= first[3] + tile.keys)
    return false;
  if (lens && k >= lens->values[b])
    return false;
  if (mask && !mask->at({b, k}))
    return false;
  int64_t p = getPosition(b, q);
  if (c.causal && k > p)
    return false;
  return reference::isVisible(c.window, p, k);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static void makeMask(const Run &run, Problem &p, Random &random) {
  p.mask =
      makeNumbers(ElementKind::Bool, "bm", {p.whole.batch, p.whole.keys}, [&] {
        return run.mask == Mask::AllTrue ||
               (run.mask != Mask::AllFalse && random.below(10) < 7);
      });
  if (run.mask == Mask::OneBatchFalse && p.whole.batch)
    for (int64_t k = 0; k < p.whole.keys; ++k)
      p.mask->at({p.whole.batch - 1, k}) = false;
}

static void makeLens(const Case &c, const Run &run, Problem &p,
                     Random &random) {
  int64_t m = p.whole.keys;
  p.lens = makeNumbers(*c.lens, "b", {p.whole.batch}, [&]() -> double {
    Lens how = run.lens == Lens::Mixed ? Lens(random.below(4)) : run.lens;
    switch (how) {
    case Lens::Zero:
      return 0;
    case Lens::Beyond:
      return m + random.pick<int64_t>({1, 5, 100, 2000000000});
    case Lens::Negative:
      return random.pick<int64_t>({-1, -7, -2000000000});
    default:
      return random.between(0, m);
    }
  });
}

static void makeOffset(const Case &c, const Run &run, Problem &p,
                       Random &random) {
  int64_t n = p.whole.queries, m = p.whole.keys;
  auto make = [&]() -> double {
    switch (run.offsets) {
    case Offsets::Aligned:
      return m - n;
    case Offsets::Zero:
      return 0;
    case Offsets::Negative:
      return random.between(-n - 20, 0);
    case Offsets::Positive:
      return random.between(0, m + 20);
    default:
      // Positions are exact up to 2^40.
      return random.pick<int64_t>(
          {(int64_t(1) << 40) - n, -(int64_t(1) << 40), 100000, -100000});
    }
  };
  bool perBatch = c.offset == Offset::PerBatch;
  p.offset = perBatch
                 ? makeNumbers(ElementKind::I64, "b", {p.whole.batch}, make)
                 : makeNumbers(ElementKind::I64, "", {}, make);
}

static void makeBias(const Case &c, Problem &p, Random &random) {
  const Shape &s = p.whole;
  std::string axes;
  llvm::SmallVector<int64_t> shape;
  switch (c.bias) {
  case Bias::None:
    return;
  case Bias::Full:
    axes = "bhnm", shape = {s.batch, s.heads, s.queries, s.keys};
    break;
  case Bias::HeadKey:
    axes = "h1m", shape = {s.heads, 1, s.keys};
    break;
  case Bias::Key:
    axes = "m", shape = {s.keys};
    break;
  case Bias::Query:
    axes = "n1", shape = {s.queries, 1};
    break;
  case Bias::Batch:
    axes = "b11m", shape = {s.batch, 1, 1, s.keys};
    break;
  case Bias::Mod:
    axes = "h#", shape = {s.heads, 7};
    break;
  case Bias::FloorDiv:
    // -512 <= k - q < 1536 and q < 768, see getBias.
    axes = "##", shape = {512, 256};
    break;
  }
  p.bias = makeNumbers(
      c.biasIsAccumulator ? c.getAccumulator() : c.kind, axes, shape,
      [&] { return random.oneIn(20) ? -kInf : random.normal(); });
}

static void makeCaptures(const Case &c, Problem &p, Random &random) {
  const Shape &s = p.whole;
  ElementKind kind = c.getAccumulator();
  if (c.score == Score::Alibi) {
    p.captures.push_back(makeNumbers(kind, "h", {s.heads},
                                     [&] { return random.uniform() * 0.05; }));
  } else if (c.score == Score::Table) {
    p.captures.push_back(makeNumbers(kind, "nm", {s.queries, s.keys},
                                     [&] { return random.normal(); }));
  } else if (c.score == Score::Documents) {
    auto draw = [&] { return random.below(4); };
    p.captures.push_back(makeNumbers(ElementKind::I32, "n", {s.queries}, draw));
    // No key has document 0: its queries are empty rows.
    p.captures.push_back(makeNumbers(ElementKind::I32, "m", {s.keys},
                                     [&] { return 1 + random.below(3); }));
  }
}

//===----------------------------------------------------------------------===//
// Poison
//===----------------------------------------------------------------------===//

static double pickPoison(Random &random) {
  return random.pick({kNaN, kInf, -kInf});
}

static void poisonKey(Problem &p, int64_t b, int64_t h, int64_t k,
                      Random &random) {
  for (Numbers *numbers : {&p.key, &p.value})
    for (int64_t d = 0; d < numbers->shape[3]; ++d)
      numbers->at({b, h, k, d}) = pickPoison(random);
}

/// Everything that no row of the tile may see, and the bias of every pair that
/// its row may not see.
static void poisonHidden(const Case &c, Problem &p, Random &random) {
  const Shape &s = p.whole;
  int64_t firstQuery = p.first[2];
  std::vector<char> seenByAny(s.keys);
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t k = 0; k < s.keys; ++k) {
      bool seen = false;
      for (int64_t q = firstQuery; q < firstQuery + p.tile.queries; ++q) {
        bool sees = p.sees(c, b, q, k);
        seen |= sees;
        if (c.bias == Bias::Full && !sees && random.oneIn(2))
          for (int64_t h = 0; h < s.heads; ++h)
            p.bias->at({b, h, q, k}) = pickPoison(random);
      }
      seenByAny[k] |= seen;
      for (int64_t h = 0; !seen && h < s.kvHeads; ++h)
        poisonKey(p, b, h, k, random);
    }
  for (int64_t k = 0; k < s.keys; ++k) {
    if (seenByAny[k])
      continue;
    if (c.bias == Bias::Key)
      p.bias->at({k}) = pickPoison(random);
    for (int64_t q = 0; c.score == Score::Table && q < s.queries; ++q)
      p.captures[0].at({q, k}) = pickPoison(random);
  }
}

static int64_t poisonOne(Numbers &numbers, double poison, Random &random) {
  if (numbers.values.empty())
    return -1;
  int64_t i = random.below(numbers.values.size());
  numbers.values[i] = poison;
  return i;
}

/// Rows that see it become NaN or infinite; no others do.
static void poisonVisible(Problem &p, Random &random) {
  int64_t key = poisonOne(p.key, pickPoison(random), random);
  poisonOne(p.query, kNaN, random);
  // Not the value of the same key: where a product is -inf, without region and
  // bias, the specification does not say whether its value counts.
  if (!p.value.values.empty()) {
    int64_t value = random.below(p.value.values.size());
    if (value / p.value.shape[3] != key / p.key.shape[3])
      p.value.values[value] = pickPoison(random);
  }
  if (p.bias && random.oneIn(2))
    poisonOne(*p.bias, random.pick({kNaN, kInf}), random);
}

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

static void placeTile(const Run &run, Problem &p) {
  p.tile = p.whole = run.shape;
  int64_t group = run.shape.kvHeads ? run.shape.heads / run.shape.kvHeads : 1;
  int64_t before[4], around[4];
  for (int64_t i = 0; i < 4; ++i) {
    before[i] = run.before[i];
    around[i] = run.before[i] + run.behind[i];
  }
  p.whole.batch += around[0];
  p.whole.kvHeads += around[1];
  p.whole.heads += around[1] * group;
  p.whole.queries += around[2];
  p.whole.keys += around[3];
  p.first[0] = before[0];
  p.first[1] = before[1] * group;
  p.first[2] = before[2];
  p.first[3] = before[3];
}

Problem sweep::makeProblem(const Case &c, const Run &run) {
  Random random(run.seed);
  Problem p;
  placeTile(run, p);
  const Shape &s = p.whole;
  auto normal = [&] { return random.normal(); };
  p.query = makeNumbers(c.kind, "BHND",
                        {s.batch, s.heads, s.queries, c.headDim}, normal);
  p.key = makeNumbers(c.kind, "BKMD", {s.batch, s.kvHeads, s.keys, c.headDim},
                      normal);
  p.value = makeNumbers(c.kind, "BKMV",
                        {s.batch, s.kvHeads, s.keys, c.valueDim}, normal);
  if (c.mask)
    makeMask(run, p, random);
  if (c.lens)
    makeLens(c, run, p, random);
  if (c.offset != Offset::None)
    makeOffset(c, run, p, random);
  if (c.sink != Sink::None)
    p.sink = makeNumbers(c.sink == Sink::Element ? c.kind : c.getAccumulator(),
                         "h", {s.heads}, [&] {
                           return random.pick(
                               {random.normal(), random.normal(), 9.0, -kInf});
                         });
  makeBias(c, p, random);
  makeCaptures(c, p, random);
  if (c.dropout)
    p.dropout = {static_cast<float>(random.pick({0.0, 0.1, 0.1, 0.5, 1.0})),
                 static_cast<int64_t>(random.next()), random.between(-9, 9)};
  if (run.range == Range::Extreme)
    makeExtreme(c, p, random);
  if (run.poison == Poison::Hidden)
    poisonHidden(c, p, random);
  else if (run.poison == Poison::Visible)
    poisonVisible(p, random);
  return p;
}

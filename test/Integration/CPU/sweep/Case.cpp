//===- Case.cpp - How the sweep chooses its cases ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Random.h"
#include "lattn/Target/TargetInfo.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>

using namespace lattn;
using namespace lattn::sweep;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static constexpr int64_t kHuge = int64_t(1) << 40;

static int64_t pickReach(Random &random) {
  return random.pick<int64_t>({0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 40, 64, 100});
}
static int64_t pickBucket(Random &random) {
  return random.pick<int64_t>({1, 2, 3, 4, 7, 8, 16, 17, 32, 50, 64, 128});
}

/// Bits of a kind of window.
enum : unsigned { Left = 1, Right = 2, Bucket = 4, Back = 8, Forward = 16 };

static void chooseWindow(Case &c, int64_t kind, Random &random) {
  reference::Window &w = c.window;
  static constexpr unsigned parts[] = {
      0,
      Left,
      Right,
      Left | Right,
      Left | Right,
      Bucket,
      Bucket | Back,
      Bucket | Forward,
      Bucket | Back | Forward,
      Bucket | Left,
      Bucket | Right,
      Bucket | Back | Left,
      Bucket | Back | Forward | Left | Right,
  };
  constexpr int64_t count = std::size(parts);
  if (kind < count) {
    unsigned has = parts[kind];
    if (has & Left)
      w.left = pickReach(random);
    if (has & Right)
      w.right = random.oneIn(3) ? 0 : pickReach(random);
    if (has & Bucket)
      w.bucket = pickBucket(random);
    if (has & Back)
      w.back = random.between(1, 4);
    if (has & Forward)
      w.forward = random.between(1, 3);
    return;
  }
  switch (kind - count) {
  case 0: // each sees itself
    w.left = w.right = 0;
    return;
  case 1:
    c.causal = true;
    return;
  case 2:
    c.causal = true;
    w.left = pickReach(random);
    w.right = pickReach(random);
    return;
  case 3:
    c.causal = true;
    w.bucket = pickBucket(random);
    w.back = 1;
    return;
  case 4:
    w.left = w.right = kHuge;
    return;
  case 5:
    w.bucket = kHuge / 8;
    w.back = 7;
    return;
  default:
    w.left = random.pick<int64_t>({32, 64, 128, 256});
    w.right = 0;
  }
}
static constexpr int64_t kWindowKinds = 20;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static std::pair<int64_t, int64_t> pickLengths(int64_t kind, Random &random) {
  int64_t n = random.between(1, 70), m = random.between(1, 70);
  switch (kind) {
  case 0:
    return {n, n};
  case 1:
    n = random.pick<int64_t>({2, 3, 5, 7, 11, 13, 17, 23, 31, 53, 97, 127});
    return {n, n};
  case 2:
    return {n, m};
  case 3:
    return {1, random.between(1, 200)};
  case 4:
    return {n, 1};
  case 5:
    n = random.between(280, 320);
    return {n, n};
  case 6:
    n = random.pick<int64_t>({8, 16, 32, 48, 96, 192});
    return {n, n};
  case 7:
    return {n + m, m};
  case 8:
    return {random.between(1, 8), random.between(250, 700)};
  case 9:
    return {n, random.pick<int64_t>({95, 96, 97, 191, 193})};
  case 10:
    return {0, m};
  default:
    return {n, 0};
  }
}
static constexpr int64_t kLengthKinds = 12;

static void pickOuter(Shape &shape, bool maybeEmpty, Random &random) {
  shape.batch = random.pick<int64_t>({1, 1, 2, 3});
  auto [heads, kvHeads] = random.pick<std::pair<int64_t, int64_t>>({{1, 1},
                                                                    {2, 1},
                                                                    {2, 2},
                                                                    {4, 2},
                                                                    {4, 1},
                                                                    {4, 4},
                                                                    {8, 2},
                                                                    {8, 4},
                                                                    {8, 1},
                                                                    {8, 8},
                                                                    {3, 1}});
  shape.heads = heads;
  shape.kvHeads = kvHeads;
  if (maybeEmpty && random.oneIn(10))
    shape.batch = 0;
  else if (maybeEmpty && random.oneIn(15))
    shape.heads = shape.kvHeads = 0;
}

/// Halves lengths until the oracle takes milliseconds.
static void limitWork(const Case &c, Shape &shape) {
  constexpr double most = 2e7;
  auto work = [&] {
    return double(shape.batch) * shape.heads * shape.queries * shape.keys *
           (c.headDim + c.valueDim);
  };
  while (work() > most)
    (shape.queries > shape.keys ? shape.queries : shape.keys) /= 2;
}

static Run chooseRun(const Case &c, int64_t i, const Shape &outer,
                     Random &random) {
  Run run;
  run.seed = random.next();
  run.shape = outer;
  bool open = c.extents == Extents::Outer || c.extents == Extents::All;
  if (open)
    pickOuter(run.shape, /*maybeEmpty=*/true, random);
  // Static shapes are those of the first run.
  Random lengths(c.seed, (uint64_t(c.index) << 8) +
                             (c.extents == Extents::Static ? 0 : i) + 7);
  std::tie(run.shape.queries, run.shape.keys) = pickLengths(
      (c.index * 5 + (c.extents == Extents::Static ? 0 : i)) % kLengthKinds,
      lengths);
  limitWork(c, run.shape);
  if (c.origin)
    for (int64_t axis = 0; axis < 4; ++axis) {
      int64_t most = axis < 2 ? 2 : 40;
      run.before[axis] = lengths.between(0, most);
      run.behind[axis] = lengths.between(0, most);
    }
  run.strides = Strides(random.below(5));
  run.lens = Lens(random.below(5));
  run.mask = Mask(random.pick({0, 0, 0, 1, 2, 3}));
  run.offsets = Offsets(random.pick({0, 0, 1, 2, 3, 4}));
  run.poison = Poison(random.pick({0, 1, 1, 2}));
  // Where the weight of a NaN underflows, the NaN counts or not.
  if (run.poison != Poison::Visible && random.oneIn(3))
    run.range = Range::Extreme;
  return run;
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

/// CPUs that this machine can stand in for.
static std::vector<std::string> getCPUs() {
  std::vector<std::string> cpus = {""};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("sse2"))
    cpus.push_back("x86-64");
  if (features.lookup("avx2") && features.lookup("fma") &&
      features.lookup("f16c") && features.lookup("bmi2"))
    cpus.push_back("x86-64-v3");
  return cpus;
}

void sweep::setTarget(Case &c, std::string cpu, std::string attributes) {
  c.options.cpu = std::move(cpu);
  c.options.attributes = std::move(attributes);
  // A tile of queries is whole vectors.
  llvm::Expected<TargetInfo> target =
      getTargetInfo(c.options.cpu, c.options.attributes);
  if (!target)
    llvm::report_fatal_error(target.takeError());
  c.options.queryTile =
      llvm::alignTo(c.options.queryTile,
                    target->getLanes(8 * getElementSize(c.getAccumulator())));
}

static void chooseTarget(Case &c, Decks &decks) {
  // Two of four for the host itself.
  int64_t cpu = decks.draw<int64_t>({0, 0, 1, 2});
  std::vector<std::string> cpus = getCPUs();
  std::string name = cpus[cpu % cpus.size()];
  c.options.queryTile = decks.draw<int64_t>({0, 0, 0, 8, 16, 32, 48});
  c.options.keyTile = decks.draw<int64_t>({0, 0, 0, 1, 7, 24, 96});
  c.options.parts = decks.draw<int64_t>({0, 0, 1, 1, 2, 3, 7});
  // Taking features away leaves what any such CPU can run.
  const char *attributes =
      decks.draw<const char *>({"", "", "", "-avx2", "-fma"});
  if (name == "x86-64" || cpus.size() == 1)
    attributes = "";
  setTarget(c, name, attributes);
}

static void chooseOptions(Case &c, Decks &decks, Random &random) {
  c.causal = decks.draw(8) == 0;
  chooseWindow(c, decks.draw(kWindowKinds), random);
  c.extents = decks.draw({Extents::Static, Extents::Sequence, Extents::Sequence,
                          Extents::Outer, Extents::Outer, Extents::All});
  c.memrefs = decks.draw(3) == 0;
  c.bnhd = decks.draw(3) == 0;
  c.lse = decks.draw(3) != 0;
  c.mask = decks.draw(4) == 0;
  int64_t lens = decks.draw(6);
  if (lens < 2)
    c.lens = lens ? ElementKind::I64 : ElementKind::I32;
  c.offset = decks.draw({Offset::None, Offset::None, Offset::None,
                         Offset::Scalar, Offset::PerBatch});
  c.sink = decks.draw({Sink::None, Sink::None, Sink::None, Sink::None,
                       Sink::Element, Sink::Accumulator});
  c.bias =
      Bias(decks.draw<int64_t>({0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7}));
  c.biasIsAccumulator = decks.draw(2);
  c.score = Score(decks.draw<int64_t>({0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6}));
  c.origin = decks.draw(6) == 0;
  // With an origin the offset must be given.
  if (c.origin && c.offset == Offset::None)
    c.offset = random.oneIn(2) ? Offset::Scalar : Offset::PerBatch;
  double norm = 1 / std::sqrt(double(c.headDim));
  int64_t scale = decks.draw(8);
  if (scale == 0)
    c.scale = 0;
  else if (scale == 1)
    c.scale = -norm;
  else if (scale == 2)
    c.scale = 1.7 * norm;
  else if (scale == 3)
    c.scale = 1.0 / c.headDim;
}

Case sweep::makeCase(uint64_t seed, int64_t index) {
  Case c;
  c.seed = seed;
  c.index = index;
  Decks decks(seed, index);
  Random random(seed, index);
  c.kind = decks.draw({ElementKind::F32, ElementKind::F32, ElementKind::F16,
                       ElementKind::BF16, ElementKind::F64});
  static constexpr int64_t sizes[] = {1,  2,  3,  5,  8,  16,  17,  32,
                                      33, 64, 64, 80, 96, 127, 128, 256};
  c.headDim = sizes[decks.draw(std::size(sizes))];
  int64_t other = sizes[decks.draw(std::size(sizes))];
  c.valueDim = decks.draw(2) ? c.headDim : other;
  chooseOptions(c, decks, random);
  chooseTarget(c, decks);
  c.dropout = decks.draw(4) == 0;
  c.isMixed = decks.draw(3) == 0;

  Shape outer;
  pickOuter(outer, /*maybeEmpty=*/c.extents == Extents::Static, random);
  int64_t runs = c.extents == Extents::Static ? 3 : 12;
  for (int64_t i = 0; i < runs; ++i)
    c.runs.push_back(chooseRun(c, i, outer, random));
  return c;
}

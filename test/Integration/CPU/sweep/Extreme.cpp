//===- Extreme.cpp - Scores as large as finite numbers are ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Scores of a row are equal or far apart, and no sum of a large and a small
// number is rounded on the way. So rounding scores to f32 changes no weight.

#include "Array.h"
#include "Problem.h"
#include "Random.h"
#include <cmath>
#include <limits>

using namespace lattn;
using namespace lattn::sweep;

/// Scores are those of the bias: of 0, and of a few numbers up to the largest.
static void makeExtremeBias(Numbers &bias, Random &random) {
  double most = std::numeric_limits<double>::max();
  if (bias.kind == ElementKind::F16)
    most = 65504;
  else if (bias.kind == ElementKind::BF16)
    most = 0x1.fep127;
  else if (bias.kind == ElementKind::F32)
    most = std::numeric_limits<float>::max();
  auto pick = [&] {
    double size = random.pick({1e4, 3e4, 1e10, 1e20, 2.5e38, 0.7 * most, most});
    return std::copysign(std::min(size, most), random.below(2) - 0.5);
  };
  double levels[] = {0, pick(), pick(), pick()};
  int64_t few = random.between(1, 4); // with one, all are equal
  for (double &value : bias.values)
    value = roundTo(bias.kind, levels[4 - few + random.below(few)]);
}

/// Scores are products of powers of 2, in the first element.
static void makeExtremeProducts(const Case &c, Problem &p, Random &random) {
  int exponent = random.pick({14, 24, 28});
  if (c.kind != ElementKind::F16)
    exponent = random.pick({14, 24, 40, 66, 100, 124});
  if (c.kind == ElementKind::F64 && random.oneIn(2))
    exponent = 1000;
  bool equal = random.oneIn(4);
  for (size_t i = 0; i < p.query.values.size(); i += c.headDim)
    p.query.values[i] =
        std::copysign(std::ldexp(1, exponent / 2), random.below(3) - 1.5);
  double most = std::ldexp(1, exponent - exponent / 2);
  for (size_t i = 0; i < p.key.values.size(); i += c.headDim)
    p.key.values[i] =
        equal ? most : most * random.pick({0.0, 0.5, 1.0, -1.0, -0.5});
}

void sweep::makeExtreme(const Case &c, Problem &p, Random &random) {
  for (double &value : p.query.values)
    value = 0;
  // What regions add.
  if (c.score == Score::Alibi || c.score == Score::Table)
    for (double &value : p.captures[0].values)
      value = 0;
  if (p.bias)
    makeExtremeBias(*p.bias, random);
  else
    makeExtremeProducts(c, p, random);
}

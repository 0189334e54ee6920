//===- Expected.cpp - What the oracle says ----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include <cmath>
#include <limits>

using namespace lattn;
using namespace lattn::sweep;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The bias maps of Module.cpp, in C++.
static double getBias(const Case &c, const Numbers &bias, int64_t b, int64_t h,
                      int64_t q, int64_t k) {
  switch (c.bias) {
  case Bias::Full:
    return bias.at({b, h, q, k});
  case Bias::HeadKey:
    return bias.at({h, 0, k});
  case Bias::Key:
    return bias.at({k});
  case Bias::Query:
    return bias.at({q, 0});
  case Bias::Batch:
    return bias.at({b, 0, 0, k});
  case Bias::Mod:
    return bias.at({h, ((q - k) % 7 + 7) % 7});
  default:
    return bias.at({floorDiv(k - q, 4) + 128, -floorDiv(-q, 3)});
  }
}

/// The score regions of Module.cpp, in C++.
static double getScore(const Case &c, const Problem &p, double s, int64_t b,
                       int64_t h, int64_t q, int64_t k) {
  switch (c.score) {
  case Score::Softcap:
    return 3 * std::tanh(s / 3);
  case Score::Alibi:
    return s + p.captures[0].at({h}) * static_cast<double>(k - q);
  case Score::Table:
    return s + p.captures[0].at({q, k});
  case Score::Documents:
    return p.captures[0].at({q}) == p.captures[1].at({k})
               ? s
               : -std::numeric_limits<double>::infinity();
  case Score::Constant:
    return 0.25;
  case Score::PerHead:
    return s * (1 + static_cast<double>((b + h) % 4) / 8);
  case Score::None:
    break;
  }
  return s;
}

static reference::AttentionProblem toReference(const Case &c,
                                               const Problem &p) {
  reference::AttentionProblem r;
  r.batch = p.whole.batch;
  r.heads = p.whole.heads;
  r.kvHeads = p.whole.kvHeads;
  r.queries = p.whole.queries;
  r.keys = p.whole.keys;
  r.headDim = c.headDim;
  r.valueDim = c.valueDim;
  r.query = p.query.values.data();
  r.key = p.key.values.data();
  r.value = p.value.values.data();
  r.window = c.window;
  if (c.causal)
    r.window.right = 0;
  r.scale = c.scale;
  if (p.offset)
    r.offset.assign(p.offset->values.begin(), p.offset->values.end());
  if (p.lens)
    r.kvLens.assign(p.lens->values.begin(), p.lens->values.end());
  // Keys of the larger op that are not in the tile count as hidden.
  r.keyMask.assign(p.whole.batch * p.whole.keys, 0);
  for (int64_t b = 0; b < p.whole.batch; ++b)
    for (int64_t k = p.first[3]; k < p.first[3] + p.tile.keys; ++k)
      r.keyMask[b * p.whole.keys + k] = !p.mask || p.mask->at({b, k}) != 0;
  if (p.sink)
    r.sink = p.sink->values;
  r.dropout = p.dropout;
  if (p.bias)
    r.bias = [&](int64_t b, int64_t h, int64_t q, int64_t k) {
      return getBias(c, *p.bias, b, h, q, k);
    };
  if (c.score != Score::None)
    r.score = [&](double s, int64_t b, int64_t h, int64_t q, int64_t k) {
      return getScore(c, p, s, b, h, q, k);
    };
  return r;
}

reference::AttentionResult sweep::getExpected(const Case &c, const Problem &p) {
  reference::AttentionProblem whole = toReference(c, p);
  reference::AttentionResult result;
  std::vector<double> row(c.valueDim);
  for (int64_t b = 0; b < p.tile.batch; ++b)
    for (int64_t h = 0; h < p.tile.heads; ++h)
      for (int64_t q = 0; q < p.tile.queries; ++q) {
        double lse;
        reference::attentionRow(whole, p.first[0] + b, p.first[1] + h,
                                p.first[2] + q, row.data(), &lse);
        result.out.insert(result.out.end(), row.begin(), row.end());
        result.lse.push_back(lse);
      }
  return result;
}

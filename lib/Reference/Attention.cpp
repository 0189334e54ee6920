//===- Attention.cpp - Plain float64 reference attention --------*- C++ -*-===//
//
// Part of lattn, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Reference/Attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

using namespace lattn::reference;

static constexpr double kNegInf = -std::numeric_limits<double>::infinity();

/// Rounds towards minus infinity, where C++ rounds towards zero.
static int64_t floorDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

// The inequalities are written as differences, so that a huge bound cannot
// overflow.
bool lattn::reference::isVisible(const Window &window, int64_t p, int64_t t) {
  if (window.left) {
    assert(*window.left >= 0 && "left must not be negative");
    if (p - t > *window.left)
      return false;
  }
  if (window.right) {
    assert(*window.right >= 0 && "right must not be negative");
    if (t - p > *window.right)
      return false;
  }
  if (window.bucket) {
    assert(*window.bucket > 0 && "bucket must be positive");
    assert(window.back >= 0 && "back must not be negative");
    assert(window.forward >= 0 && "forward must not be negative");
    int64_t bucketP = floorDiv(p, *window.bucket);
    int64_t bucketT = floorDiv(t, *window.bucket);
    if (bucketP - bucketT > window.back || bucketT - bucketP > window.forward)
      return false;
  }
  return true;
}

/// The number of keys that exist in batch `b`.
static int64_t keyCount(const AttentionProblem &problem, int64_t b) {
  if (problem.kvLens.empty())
    return problem.keys;
  return std::clamp<int64_t>(problem.kvLens[b], 0, problem.keys);
}

/// Where query `q` of batch `b` stands among the keys.
static int64_t position(const AttentionProblem &problem, int64_t b, int64_t q) {
  if (problem.offset.empty())
    return keyCount(problem, b) - problem.queries + q;
  if (problem.offset.size() == 1)
    return problem.offset[0] + q;
  return problem.offset[b] + q;
}

/// Whether window, key mask and kvLens let query `q` see key `k`.
static bool takesPart(const AttentionProblem &problem, int64_t b, int64_t q,
                      int64_t k) {
  if (k >= keyCount(problem, b))
    return false;
  if (!problem.keyMask.empty() && !problem.keyMask[b * problem.keys + k])
    return false;
  return isVisible(problem.window, position(problem, b, q), k);
}

/// The head of key and value that query head `h` reads.
static int64_t kvHead(const AttentionProblem &problem, int64_t h) {
  return h / (problem.heads / problem.kvHeads);
}

/// scale * <query, key>, then the score function, then the bias.
static double finalScore(const AttentionProblem &problem, int64_t b, int64_t h,
                         int64_t q, int64_t k) {
  int64_t dim = problem.headDim;
  int64_t queryRow = (b * problem.heads + h) * problem.queries + q;
  int64_t keyRow =
      (b * problem.kvHeads + kvHead(problem, h)) * problem.keys + k;

  double product = 0;
  for (int64_t d = 0; d < dim; ++d)
    product +=
        problem.query[queryRow * dim + d] * problem.key[keyRow * dim + d];

  // D = 0: the product is 0, and 0 * 0^-0.5 would be NaN.
  double defaultScale = dim == 0 ? 1 : 1 / std::sqrt(double(dim));
  double s = problem.scale.value_or(defaultScale) * product;
  if (problem.score)
    s = problem.score(s, b, h, q, k);
  if (problem.bias)
    s += problem.bias(b, h, q, k);
  return s;
}

void lattn::reference::attentionRow(const AttentionProblem &problem, int64_t b,
                                    int64_t h, int64_t q, double *outRow,
                                    double *lse) {
  int64_t valueDim = problem.valueDim;
  double sink = problem.sink.empty() ? kNegInf : problem.sink[h];

  // The keys of this row, with their scores. NaN is not -inf: it stays.
  std::vector<int64_t> rowKeys;
  std::vector<double> rowScores;
  double max = sink;
  for (int64_t k = 0; k < problem.keys; ++k) {
    if (!takesPart(problem, b, q, k))
      continue;
    double s = finalScore(problem, b, h, q, k);
    if (s == kNegInf)
      continue;
    rowKeys.push_back(k);
    rowScores.push_back(s);
    max = std::max(max, s);
  }

  std::fill_n(outRow, valueDim, 0.0);
  *lse = kNegInf;
  if (rowKeys.empty() && sink == kNegInf)
    return;

  double sum = sink == kNegInf ? 0 : std::exp(sink - max);
  for (size_t i = 0; i < rowKeys.size(); ++i) {
    double weight = std::exp(rowScores[i] - max);
    sum += weight;
    if (problem.dropout) {
      if (!isKept(*problem.dropout, b * problem.heads + h, q, rowKeys[i]))
        continue; // not even NaN comes through
      weight /= 1 - problem.dropout->p;
    }
    int64_t valueRow =
        (b * problem.kvHeads + kvHead(problem, h)) * problem.keys + rowKeys[i];
    for (int64_t d = 0; d < valueDim; ++d)
      outRow[d] += weight * problem.value[valueRow * valueDim + d];
  }
  for (int64_t d = 0; d < valueDim; ++d)
    outRow[d] /= sum;
  *lse = max + std::log(sum);
}

/// Asserts what the header says about sizes.
static void checkSizes([[maybe_unused]] const AttentionProblem &problem) {
#ifndef NDEBUG
  auto hasSize = [](size_t size, int64_t expected) {
    return size == 0 || int64_t(size) == expected;
  };
  assert((problem.heads == 0 ||
          (problem.kvHeads > 0 && problem.heads % problem.kvHeads == 0)) &&
         "heads must be a multiple of kvHeads");
  assert((problem.offset.size() == 1 ||
          hasSize(problem.offset.size(), problem.batch)) &&
         "offset must be empty, one entry or (B)");
  assert(hasSize(problem.kvLens.size(), problem.batch) &&
         "kvLens must be empty or (B)");
  assert(hasSize(problem.keyMask.size(), problem.batch * problem.keys) &&
         "keyMask must be empty or (B, M)");
  assert(hasSize(problem.sink.size(), problem.heads) &&
         "sink must be empty or (H)");
#endif
}

AttentionResult lattn::reference::attention(const AttentionProblem &problem) {
  checkSizes(problem);
  int64_t rows = problem.batch * problem.heads * problem.queries;
  AttentionResult result;
  result.out.resize(rows * problem.valueDim);
  result.lse.resize(rows);

  int64_t row = 0;
  for (int64_t b = 0; b < problem.batch; ++b)
    for (int64_t h = 0; h < problem.heads; ++h)
      for (int64_t q = 0; q < problem.queries; ++q, ++row)
        attentionRow(problem, b, h, q,
                     result.out.data() + row * problem.valueDim,
                     result.lse.data() + row);
  return result;
}

int64_t lattn::reference::visiblePairs(const AttentionProblem &problem) {
  int64_t pairs = 0;
  for (int64_t b = 0; b < problem.batch; ++b)
    for (int64_t q = 0; q < problem.queries; ++q)
      for (int64_t k = 0; k < problem.keys; ++k)
        if (takesPart(problem, b, q, k))
          ++pairs;
  return pairs * problem.heads;
}

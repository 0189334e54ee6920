//===- Compare.cpp - Results against the oracle -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace lattn;
using namespace lattn::sweep;
using llvm::ArrayRef;
using llvm::formatv;

/// |got - expected| <= tolerance * (1 + |expected|). The inputs are of order 1.
static double getOutputTolerance(ElementKind kind) {
  switch (kind) {
  case ElementKind::F64:
    // 2^-53 times some hundred roundings.
    return 1e-11;
  case ElementKind::F16:
    // One rounding of output is 2^-11 = 5e-4; weights may be rounded as well.
    return 2e-3;
  case ElementKind::BF16:
    // One rounding of output is 2^-8 = 4e-3; weights may be rounded as well.
    return 1.6e-2;
  default:
    // A score of 8 with an error of 256 * 2^-24 moves a weight by 1.5e-5.
    return 2e-5;
  }
}

/// log-sum-exp is a float32 (float64) for every element type. Its error is that
/// of the largest score, and what the sum adds.
static double getLseTolerance(ElementKind accumulator) {
  return accumulator == ElementKind::F64 ? 1e-11 : 1e-5;
}

static bool agrees(double got, double expected, double tolerance) {
  if (std::isnan(expected))
    return std::isnan(got);
  if (std::isinf(expected))
    return got == expected;
  return std::abs(got - expected) <= tolerance * (1 + std::abs(expected));
}

namespace {
struct Report {
  std::string text;
  int64_t mismatches = 0;

  template <typename... Args> void add(Args &&...args) {
    constexpr int64_t shown = 4;
    if (mismatches++ < shown)
      text += formatv(std::forward<Args>(args)...).str();
  }
  std::string finish(int64_t elements) {
    if (mismatches)
      text += formatv("    {0} of {1} differ\n", mismatches, elements);
    return text;
  }
};
} // namespace

static std::string compareOutput(const Case &c, const Shape &s,
                                 const Results &got,
                                 const reference::AttentionResult &expected) {
  double tolerance = getOutputTolerance(c.kind);
  Report report;
  auto isEmpty = [&](int64_t first) {
    return llvm::all_of(ArrayRef(expected.out).slice(first, c.valueDim),
                        [](double x) { return x == 0; });
  };
  int64_t i = 0;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t q = 0; q < s.queries; ++q)
        for (int64_t d = 0; d < c.valueDim; ++d, ++i) {
          int64_t row = c.bnhd ? (b * s.queries + q) * s.heads + h
                               : (b * s.heads + h) * s.queries + q;
          double g = got.output[row * c.valueDim + d], e = expected.out[i];
          // Values may cancel out in one element, but not in all of a row.
          if (isEmpty(i - d) ? g != 0 : !agrees(g, e, tolerance))
            report.add("    output b={0} h={1} n={2} d={3}: got {4:E8}, "
                       "expected {5:E8}\n",
                       b, h, q, d, g, e);
        }
  return report.finish(i);
}

static std::string compareLse(const Case &c, const Shape &s, const Results &got,
                              const reference::AttentionResult &expected) {
  double tolerance = getLseTolerance(c.getAccumulator());
  Report report;
  for (size_t i = 0; i < expected.lse.size(); ++i) {
    double g = got.lse[i], e = expected.lse[i];
    if (!agrees(g, e, tolerance))
      report.add("    lse b={0} h={1} n={2}: got {3:E8}, expected {4:E8}\n",
                 i / s.queries / s.heads, i / s.queries % s.heads,
                 i % s.queries, g, e);
  }
  return report.finish(expected.lse.size());
}

std::string sweep::compare(const Case &c, const Shape &s, const Results &got,
                           const reference::AttentionResult &expected) {
  if (got.output.size() != expected.out.size() ||
      (c.lse && got.lse.size() != expected.lse.size()))
    return formatv("    shape: got {0} elements of output and {1} of lse, "
                   "expected {2} and {3}\n",
                   got.output.size(), got.lse.size(), expected.out.size(),
                   expected.lse.size());
  std::string text = compareOutput(c, s, got, expected);
  if (c.lse)
    text += compareLse(c, s, got, expected);
  return text;
}

static bool areIdentical(const std::vector<double> &a,
                         const std::vector<double> &b) {
  return a.size() == b.size() &&
         (a.empty() || !std::memcmp(a.data(), b.data(), 8 * a.size()));
}

bool sweep::areIdentical(const Results &a, const Results &b) {
  return ::areIdentical(a.output, b.output) && ::areIdentical(a.lse, b.lse);
}

//===- Compare.cpp - Results against expected ones ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Inputs.h"
#include "Numbers.h"
#include "lattn/Execution/Elements.h"
#include "lattn/Measure/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Expected;
using llvm::formatv;
using llvm::StringRef;

Expected<std::vector<NumpyArray>>
lattn::readExpected(const Signature &signature, ArrayRef<NumpyArray> results,
                    StringRef path) {
  auto arrays = readByName(path, signature.results, /*all=*/true);
  if (!arrays)
    return arrays.takeError();
  std::vector<NumpyArray> expected;
  for (auto [info, array, result] :
       llvm::zip_equal(signature.results, *arrays, results)) {
    if (array->shape != result.shape)
      return createStringError("'" + path.str() + "': '" + info.name +
                               "' has the shape " + formatShape(array->shape) +
                               ", the result " + formatShape(result.shape));
    array->kind = info.kind;
    expected.push_back(std::move(*array));
  }
  return expected;
}

static std::string formatElement(const NumpyArray &array, int64_t i) {
  return isFloat(array.kind) ? formatNumber(getNumber(array, i), 9)
                             : std::to_string(getInteger(array, i));
}

static void reportMismatches(const NumpyArray &got, const NumpyArray &expected,
                             const Comparison &comparison,
                             llvm::raw_ostream &os) {
  for (int64_t i : comparison.first)
    os << formatv("    {0}: got {1}, expected {2}\n", formatIndex(got.shape, i),
                  formatElement(got, i), formatElement(expected, i));
  int64_t more = comparison.mismatches - comparison.first.size();
  if (more > 0)
    os << formatv("    and {0} more\n", more);
}

bool lattn::compareResults(const Signature &signature,
                           ArrayRef<NumpyArray> results,
                           ArrayRef<NumpyArray> expected,
                           const RunOptions &options, StringRef against,
                           llvm::raw_ostream &os) {
  bool agree = true;
  for (auto [info, got, want] :
       llvm::zip_equal(signature.results, results, expected)) {
    if (got.shape != want.shape) {
      agree = false;
      os << formatv("{0} differs from {1}: shape {2}, expected {3}\n",
                    info.name, against, formatShape(got.shape),
                    formatShape(want.shape));
      continue;
    }
    Tolerance tolerance = getDefaultTolerance(info.kind);
    tolerance.relative = options.rtol.value_or(tolerance.relative);
    tolerance.absolute = options.atol.value_or(tolerance.absolute);
    Comparison comparison = compare(got, want, tolerance);
    os << formatv("{0} {1} {2}: {3} of {4} elements differ", info.name,
                  comparison.mismatches ? "differs from" : "agrees with",
                  against, comparison.mismatches, comparison.elements);
    if (isFloat(info.kind))
      os << formatv(" (rtol {0}, atol {1}, NaN equals NaN)",
                    formatNumber(tolerance.relative),
                    formatNumber(tolerance.absolute));
    if (comparison.largestIndex >= 0)
      os << formatv("; largest error {0} at {1}",
                    formatNumber(comparison.largestError),
                    formatIndex(got.shape, comparison.largestIndex));
    os << '\n';
    reportMismatches(got, want, comparison, os);
    agree &= comparison.mismatches == 0;
  }
  return agree;
}

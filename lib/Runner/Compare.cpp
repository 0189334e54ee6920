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
namespace json = llvm::json;

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

std::vector<ComparedResult> lattn::compareResults(const Signature &signature,
                                                  ArrayRef<NumpyArray> results,
                                                  ArrayRef<NumpyArray> expected,
                                                  const RunOptions &options,
                                                  StringRef against) {
  std::vector<ComparedResult> all;
  for (auto [info, got, want] :
       llvm::zip_equal(signature.results, results, expected)) {
    ComparedResult &compared = all.emplace_back();
    compared.name = info.name;
    compared.against = against.str();
    compared.kind = info.kind;
    compared.shape.assign(got.shape.begin(), got.shape.end());
    compared.expectedShape.assign(want.shape.begin(), want.shape.end());
    Tolerance &tolerance = compared.tolerance;
    tolerance = getDefaultTolerance(info.kind);
    tolerance.relative = options.rtol.value_or(tolerance.relative);
    tolerance.absolute = options.atol.value_or(tolerance.absolute);
    if (compared.shape != compared.expectedShape)
      continue;
    compared.comparison = compare(got, want, tolerance);
    for (int64_t i : compared.comparison.first)
      compared.first.push_back(
          {i, formatElement(got, i), formatElement(want, i)});
  }
  return all;
}

/// "agrees with" in green, "differs from" in red, where there are colours.
static void printVerdict(bool agrees, llvm::raw_ostream &os) {
  os.changeColor(agrees ? llvm::raw_ostream::GREEN : llvm::raw_ostream::RED,
                 /*Bold=*/!agrees)
      << (agrees ? "agrees with" : "differs from");
  os.resetColor();
}

void lattn::printComparison(const ComparedResult &compared,
                            llvm::raw_ostream &os) {
  os << compared.name << ' ';
  printVerdict(compared.agrees(), os);
  os << ' ' << compared.against << ": ";
  if (compared.shape != compared.expectedShape) {
    os << formatv("shape {0}, expected {1}\n", formatShape(compared.shape),
                  formatShape(compared.expectedShape));
    return;
  }
  const Comparison &comparison = compared.comparison;
  os << formatv("{0} of {1} elements differ", comparison.mismatches,
                comparison.elements);
  if (isFloat(compared.kind))
    os << formatv(" (rtol {0}, atol {1}, NaN equals NaN)",
                  formatNumber(compared.tolerance.relative),
                  formatNumber(compared.tolerance.absolute));
  if (comparison.largestIndex >= 0)
    os << formatv("; largest error {0} at {1}",
                  formatNumber(comparison.largestError),
                  formatIndex(compared.shape, comparison.largestIndex));
  os << '\n';
  for (const Mismatch &mismatch : compared.first)
    os << formatv("    {0}: got {1}, expected {2}\n",
                  formatIndex(compared.shape, mismatch.index), mismatch.got,
                  mismatch.expected);
  int64_t more = comparison.mismatches - compared.first.size();
  if (more > 0)
    os << formatv("    and {0} more\n", more);
}

/// JSON has no NaN and no infinity: those are strings.
static json::Value toJson(StringRef text) {
  if (llvm::Expected<json::Value> number = json::parse(text))
    return std::move(*number);
  else
    llvm::consumeError(number.takeError());
  return text.str();
}

json::Object lattn::describeComparison(const ComparedResult &compared) {
  const Comparison &comparison = compared.comparison;
  auto describeIndex = [&](int64_t i) -> json::Value {
    if (i < 0)
      return nullptr;
    return cantFail(json::parse(formatIndex(compared.shape, i)));
  };
  json::Array first;
  for (const Mismatch &mismatch : compared.first)
    first.push_back(json::Object{{"index", describeIndex(mismatch.index)},
                                 {"got", toJson(mismatch.got)},
                                 {"expected", toJson(mismatch.expected)}});
  return json::Object{
      {"result", compared.name},
      {"against", compared.against},
      {"agrees", compared.agrees()},
      {"shape", json::Array(compared.shape)},
      {"expected_shape", json::Array(compared.expectedShape)},
      {"elements", comparison.elements},
      {"differing_elements", comparison.mismatches},
      {"relative_tolerance", compared.tolerance.relative},
      {"absolute_tolerance", compared.tolerance.absolute},
      {"largest_error", toJson(formatNumber(comparison.largestError, 9))},
      {"largest_error_index", describeIndex(comparison.largestIndex)},
      {"first_differing", std::move(first)}};
}

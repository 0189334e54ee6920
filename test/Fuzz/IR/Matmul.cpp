//===- Matmul.cpp - A matrix product beside attention ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::formatv;

/// An indexing map whose results are `letters` in `order`.
static std::string makeMap(llvm::StringRef letters,
                           const std::vector<size_t> &order) {
  std::vector<std::string> results;
  for (size_t i : order)
    results.push_back(letters.substr(i, 1).str());
  return "affine_map<(a, b, c, d, e) -> (" + llvm::join(results, ", ") + ")>";
}

/// y[a, b, c, e] += sum over d of x[a, b, c, d] w[a, b or c, d, e], the axes of
/// y and w in any order. Sums are in the type of y.
void Generator::emitMatmul(const Array &x) {
  ElementKind sumKind = getAccumulator();
  bool rowIsLast = random.oneIn(2); // c counts rows, b is a batch; or otherwise
  Axis columns = {0, random.pick<int64_t>({1, 3, 8, 17, 33, 70})};
  std::vector<Axis> sumAxes = {x.axes[0], x.axes[1], x.axes[2], columns};
  std::vector<Axis> weightAxes = {x.axes[0], x.axes[rowIsLast ? 1 : 2],
                                  x.axes[3], columns};
  std::vector<size_t> orders[2];
  std::vector<Axis> turned[2];
  for (int i = 0; i < 2; ++i) {
    orders[i] = {0, 1, 2, 3};
    if (random.oneIn(2))
      for (size_t j = 4; j > 1; --j)
        std::swap(orders[i][j - 1], orders[i][random.below(j)]);
    for (size_t j : orders[i])
      turned[i].push_back((i ? sumAxes : weightAxes)[j]);
  }
  Array weight = addArray(kind, turned[0]);
  bool isFilled = random.oneIn(2);
  Array sum = isFilled ? addDestination(sumKind, turned[1], x)
                       : addArray(sumKind, turned[1]);
  std::string type = getElementName(kind).str(),
              sumType = getElementName(sumKind).str();
  if (isFilled) {
    std::string zero = fresh(), filled = memrefs ? "" : fresh();
    line(formatv("{0} = arith.constant 0.0 : {1}", zero, sumType));
    line(formatv("{0}{1}linalg.fill ins({2} : {3}) outs({4} : {5}){6}", filled,
                 memrefs ? "" : " = ", zero, sumType, sum.name, sum.type,
                 memrefs ? "" : " -> " + sum.type));
    if (!memrefs)
      sum.name = filled;
  }
  Array result = sum;
  result.name = fresh();
  auto widen = [&](const char *name) {
    return kind == sumKind ? std::string()
                           : formatv("    %{0}w = arith.extf %{0} : {1} to "
                                     "{2}\n",
                                     name, type, sumType)
                                 .str();
  };
  const char *suffix = kind == sumKind ? "" : "w";
  line(formatv(
      "{0}linalg.generic {{indexing_maps = [{1}, {2}, {3}], iterator_types = "
      "[\"parallel\", \"parallel\", \"parallel\", \"reduction\", "
      "\"parallel\"]} ins({4}, {5} : {6}, {7}) outs({8} : {9}) {{\n"
      "  ^bb0(%x: {10}, %w: {10}, %y: {11}):\n{12}{13}"
      "    %p = arith.mulf %x{14}, %w{14} : {11}\n"
      "    %s = arith.addf %y, %p : {11}\n    linalg.yield %s : {11}\n  }{15}",
      memrefs ? "" : result.name + " = ", makeMap("abcd", {0, 1, 2, 3}),
      makeMap(rowIsLast ? "abde" : "acde", orders[0]),
      makeMap("abce", orders[1]), x.name, weight.name, x.type, weight.type,
      sum.name, sum.type, type, sumType, widen("x"), widen("w"), suffix,
      memrefs ? "" : " -> " + sum.type));
  if (!memrefs)
    results.push_back(result);
  ++attentions;
}

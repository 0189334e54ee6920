//===- Wrap.cpp - What stands around attention in a program ---------------===//
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

/// x + x / 4, elementwise.
Array Generator::emitElementwise(const Array &x) {
  std::string element = getElementName(kind).str();
  Array result = x;
  result.name = fresh();
  if (random.oneIn(2)) {
    line(formatv("{0} = arith.negf {1} : {2}", result.name, x.name, x.type));
    return result;
  }
  line(formatv(
      "{0} = linalg.generic {{indexing_maps = [affine_map<(a, b, c, d) -> (a, "
      "b, c, d)>], iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
      "\"parallel\"]} outs({1} : {2}) {{\n  ^bb0(%e: {3}):\n    %quarter = "
      "arith.constant 0.25 : {3}\n    %part = arith.mulf %e, %quarter : {3}\n  "
      "  %sum = arith.addf %e, %part : {3}\n    linalg.yield %sum : {3}\n  } "
      "-> {2}",
      result.name, x.name, x.type, element));
  return result;
}

/// A few layers, the output of one the query of the next.
Array Generator::emitLoop(const Dims &dims, const Array &query,
                          const Array &key, const Array &value) {
  std::string zero = constant(0, "index"), one = constant(1, "index");
  std::string end = addScalar("index", 0, 3);
  Array result = query, carried = query;
  result.name = fresh();
  carried.name = fresh();
  std::string iv = fresh(), outer;
  std::swap(outer, body);
  std::vector<Array> outerResults = results;
  Array output = emitAttention(dims, carried, key, value);
  results = std::move(outerResults); // an lse does not leave the loop
  std::string last = output.name;
  if (output.type != query.type) {
    last = fresh();
    line(formatv("{0} = tensor.cast {1} : {2} to {3}", last, output.name,
                 output.type, query.type));
  }
  std::swap(outer, body);
  line(
      formatv("{0} = scf.for {1} = {2} to {3} step {4} iter_args({5} = {6}) -> "
              "({7}) {{\n{8}    scf.yield {9} : {7}\n  }",
              result.name, iv, zero, end, one, carried.name, query.name,
              query.type, outer, last));
  attentions += 2;
  return result;
}

/// One of two attentions.
Array Generator::emitIf(const Dims &dims, const Array &query, const Array &key,
                        const Array &value) {
  std::string condition = addScalar("i1", 0, 1);
  std::string parts[2], yielded[2], type;
  Array result;
  std::vector<Array> outerResults = results;
  std::string outer;
  std::swap(outer, body);
  for (int i = 0; i < 2; ++i) {
    Array output = emitAttention(dims, query, key, value);
    if (i == 0)
      result = output;
    yielded[i] = output.name;
    if (output.type != result.type) {
      yielded[i] = fresh();
      line(formatv("{0} = tensor.cast {1} : {2} to {3}", yielded[i],
                   output.name, output.type, result.type));
    }
    std::swap(parts[i], body);
  }
  std::swap(outer, body);
  results = std::move(outerResults);
  result.name = fresh();
  line(formatv("{0} = scf.if {1} -> ({2}) {{\n{3}    scf.yield {4} : {2}\n  } "
               "else {{\n{5}    scf.yield {6} : {2}\n  }",
               result.name, condition, result.type, parts[0], yielded[0],
               parts[1], yielded[1]));
  return result;
}

void Generator::emitBody() {
  bnhd = random.oneIn(3);
  if (random.oneIn(8)) {
    return emitOnline();
  }
  Dims dims;
  Array query = addArray(kind, makeAxes('H', 'N', 'D'));
  Array key = addArray(kind, makeAxes('K', 'M', 'D'));
  Array value = addArray(kind, makeAxes('K', 'M', 'V'));
  if (memrefs) {
    emitAttention(dims, query, key, value);
    if (random.oneIn(4))
      emitAttention(dims, query, key, value);
    if (random.oneIn(6))
      emitMatmul(query);
    return;
  }
  if (random.oneIn(6))
    query = emitElementwise(query);
  Array output;
  // The output is a query where V is D, in letters.
  switch (random.below(8)) {
  case 0:
    dims.valueSize = 'D';
    output =
        emitLoop(dims, query, key, addArray(kind, makeAxes('K', 'M', 'D')));
    break;
  case 1:
    output = emitIf(dims, query, key, value);
    break;
  case 2: {
    dims.valueSize = 'D';
    output = emitAttention(dims, query, key,
                           addArray(kind, makeAxes('K', 'M', 'D')));
    dims.kvHeads = dims.heads;
    dims.keys = dims.queries; // itself
    output = emitAttention(dims, output, output, output);
    break;
  }
  default:
    output = emitAttention(dims, query, key, value);
  }
  if (random.oneIn(6))
    output = emitElementwise(output);
  results.push_back(output);
  if (random.oneIn(6))
    emitMatmul(random.oneIn(2) ? query : output);
}

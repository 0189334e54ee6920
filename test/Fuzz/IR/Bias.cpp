//===- Bias.cpp - Biases, by broadcasting and by random affine maps -------===//
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
using llvm::ArrayRef;
using llvm::formatv;

static int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// An affine expression of (b, h, q, k) and the range of its values.
std::string Generator::makeIndex(unsigned depth, ArrayRef<Axis> dims,
                                 int64_t &low, int64_t &high) {
  if (depth == 0 || random.oneIn(4)) {
    if (random.oneIn(5)) {
      low = high = random.between(-9, 9);
      return std::to_string(low);
    }
    int64_t dim = random.below(4);
    low = 0;
    high = std::max<int64_t>(
        std::min<int64_t>(getMaxExtent(dims[dim]), 1 << 20) - 1, 0);
    return std::string(1, "bhqk"[dim]);
  }
  int64_t otherLow, otherHigh;
  std::string x = makeIndex(depth - 1, dims, low, high);
  int64_t factor = random.between(1, 9);
  switch (random.below(6)) {
  case 0: {
    std::string y = makeIndex(depth - 1, dims, otherLow, otherHigh);
    low += otherLow;
    high += otherHigh;
    return "(" + x + " + " + y + ")";
  }
  case 1: {
    std::string y = makeIndex(depth - 1, dims, otherLow, otherHigh);
    low -= otherHigh;
    high -= otherLow;
    return "(" + x + " - " + y + ")";
  }
  case 2:
    low *= factor;
    high *= factor;
    return formatv("({0} * {1})", x, factor);
  case 3:
    low = floorDiv(low, factor);
    high = floorDiv(high, factor);
    return formatv("({0} floordiv {1})", x, factor);
  case 4:
    low = -floorDiv(-low, factor);
    high = -floorDiv(-high, factor);
    return formatv("({0} ceildiv {1})", x, factor);
  default:
    low = 0;
    high = factor - 1;
    return formatv("({0} mod {1})", x, factor);
  }
}

void Generator::addBias(const Dims &dims, Scoring &scoring) {
  Axis axes[] = {{'B', around[0]},
                 {dims.heads, around[1]},
                 {dims.queries, around[2]},
                 {dims.keys, around[3]}};
  std::vector<Axis> shape;
  if (random.oneIn(5)) {
    std::vector<std::string> indices;
    for (int64_t i = random.below(4); i > 0; --i) {
      int64_t low, high;
      std::string index = makeIndex(3, axes, low, high);
      if (high - low >= 300) {
        index = formatv("{0} mod 7", index);
        low = 0;
        high = 6;
      }
      indices.push_back(formatv("{0} + {1}", index, -low));
      shape.push_back({0, high - low + 1});
    }
    scoring.attributes.push_back(
        formatv("bias_map = affine_map<(b, h, q, k) -> ({0})>",
                llvm::join(indices, ", ")));
  } else if (random.oneIn(4)) {
    for (int64_t i = random.below(5); i < 4; ++i)
      shape.push_back(random.oneIn(3) ? Axis{0, 1} : axes[i]);
  } else {
    return;
  }
  // An axis of unknown extent does not repeat: 1 has to be known.
  Array bias = {fresh(), "", pickFloat(), shape};
  std::string text = memrefs ? "memref<" : "tensor<";
  text += makeShape(shape, /*mayReopen=*/false);
  bias.type = text + getElementName(bias.kind).str() + ">";
  Parameter parameter;
  parameter.array = bias;
  parameters.push_back(parameter);
  scoring.bias = formatv("\n      bias({0} : {1})", bias.name, bias.type);
}

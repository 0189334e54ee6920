//===- Arguments.cpp - A run's arrays in memory -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace lattn;
using namespace lattn::sweep;

/// The tile's part of query, key or value, in the case's layout.
static Numbers slice(const Case &c, const Numbers &whole, const Problem &p,
                     bool isQuery) {
  int64_t group = p.tile.kvHeads ? p.tile.heads / p.tile.kvHeads : 1;
  int64_t heads = isQuery ? p.tile.heads : p.tile.kvHeads;
  int64_t length = isQuery ? p.tile.queries : p.tile.keys;
  int64_t firstHead = isQuery ? p.first[1] : p.first[1] / group;
  int64_t firstRow = isQuery ? p.first[2] : p.first[3];
  int64_t size = whole.shape[3];
  Numbers tile;
  tile.kind = whole.kind;
  tile.axes = whole.axes;
  tile.shape = {p.tile.batch, heads, length, size};
  if (c.bnhd) {
    std::swap(tile.axes[1], tile.axes[2]);
    std::swap(tile.shape[1], tile.shape[2]);
  }
  tile.values.resize(p.tile.batch * heads * length * size);
  for (int64_t b = 0; b < p.tile.batch; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t row = 0; row < length; ++row)
        for (int64_t d = 0; d < size; ++d) {
          double value =
              whole.at({p.first[0] + b, firstHead + h, firstRow + row, d});
          (c.bnhd ? tile.at({b, row, h, d}) : tile.at({b, h, row, d})) = value;
        }
  return tile;
}

namespace {
struct ArgumentList {
  const Run &run;
  Random random;
  std::vector<Argument> arguments = {};

  void add(std::string name, const Numbers &numbers) {
    Argument argument;
    argument.name = std::move(name);
    argument.array.emplace(numbers.kind, numbers.axes, numbers.shape,
                           numbers.values, run.strides, random);
    arguments.push_back(std::move(argument));
  }
  void add(std::string name, const std::optional<Numbers> &numbers) {
    if (numbers)
      add(std::move(name), *numbers);
  }
  void addScalar(std::string name, int64_t value, std::string type) {
    Argument argument;
    argument.name = std::move(name);
    argument.integer = value;
    argument.scalarType = std::move(type);
    arguments.push_back(std::move(argument));
  }
  void addOutput(std::string name, ElementKind kind, std::string axes,
                 llvm::ArrayRef<int64_t> shape) {
    Argument argument;
    argument.name = std::move(name);
    argument.array.emplace(kind, std::move(axes), shape,
                           llvm::ArrayRef<double>(), run.strides, random);
    argument.isOutput = true;
    arguments.push_back(std::move(argument));
  }
};
} // namespace

std::vector<Argument> sweep::makeArguments(const Case &c, const Run &run,
                                           const Problem &p) {
  ArgumentList list{run, Random(run.seed, 1)};
  list.add("query", slice(c, p.query, p, /*isQuery=*/true));
  list.add("key", slice(c, p.key, p, /*isQuery=*/false));
  list.add("value", slice(c, p.value, p, /*isQuery=*/false));
  list.add("bias", p.bias);
  list.add("key_mask", p.mask);
  list.add("kv_lens", p.lens);
  if (c.offset == Offset::Scalar)
    list.addScalar("offset", p.offset->values[0], "i64");
  else
    list.add("offset", p.offset);
  list.add("sink", p.sink);
  if (c.origin)
    for (int64_t i = 0; i < 4; ++i)
      list.addScalar("origin" + std::to_string(i), p.first[i], "index");
  if (p.dropout) {
    auto bits = llvm::bit_cast<int32_t>(static_cast<float>(p.dropout->p));
    list.addScalar("dropout0", bits, "f32");
    list.addScalar("dropout1", p.dropout->seed, "i64");
    list.addScalar("dropout2", p.dropout->offset, "i64");
    if (c.origin)
      list.addScalar("dropout3", p.whole.heads, "i64");
  }
  for (auto [i, capture] : llvm::enumerate(p.captures))
    list.add("capture" + std::to_string(i), capture);
  if (!c.memrefs)
    return std::move(list.arguments);
  const Shape &s = p.tile;
  llvm::SmallVector<int64_t> shape = {s.batch, s.heads, s.queries, c.valueDim};
  if (c.bnhd)
    std::swap(shape[1], shape[2]);
  list.addOutput("output", c.kind, getOutputAxes(c), shape);
  if (c.lse)
    list.addOutput("lse", c.getAccumulator(), "BHN",
                   {s.batch, s.heads, s.queries});
  return std::move(list.arguments);
}

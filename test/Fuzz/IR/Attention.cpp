//===- Attention.cpp - attention and online_attention with all options ----===//
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

static constexpr int64_t kHuge = int64_t(1) << 40;

std::string Generator::makeWindow() {
  auto reach = [&] {
    return random.pick<int64_t>({0, 1, 2, 3, 7, 15, 16, 17, 40, 64, kHuge});
  };
  std::vector<std::string> fields;
  auto add = [&](const char *name, int64_t value) {
    fields.push_back(formatv("{0} = {1}", name, value));
  };
  if (random.oneIn(2))
    add("left", reach());
  if (random.oneIn(2))
    add("right", random.oneIn(3) ? 0 : reach());
  if (random.oneIn(3)) {
    int64_t bucket = random.pick<int64_t>(
        {1, 2, 3, 4, 7, 8, 16, 17, 32, 50, 64, kHuge / 8, kHuge});
    add("bucket", bucket);
    int64_t most = std::min<int64_t>(kHuge / bucket - 1, 4);
    if (random.oneIn(2))
      add("back", random.between(0, most));
    if (random.oneIn(2))
      add("forward", random.between(0, most));
  }
  return "window = #lattn.window<" + llvm::join(fields, ", ") + ">";
}

std::string Generator::makeScale() {
  double norm = 1 / std::sqrt(double(extents[0].at('D')));
  double scale = random.pick({0.0, -norm, 1.5 * norm, norm * norm});
  if (wild && random.oneIn(2))
    scale = random.pick({1e30, -1e300, 5e-324, 1.7e308, -0.0});
  return formatv("scale = {0:E17} : f64", scale);
}

void Generator::addMasks(const Dims &dims, Scoring &scoring) {
  Axis batch = {'B', around[0]}, keys = {dims.keys, around[3]};
  auto add = [&](const char *name, const Array &array) {
    scoring.masks +=
        formatv("\n      {0}({1} : {2})", name, array.name, array.type);
  };
  if (random.oneIn(4))
    add("key_mask", addArray(ElementKind::Bool, {batch, keys}));
  if (random.oneIn(4))
    add("kv_lens",
        addArray(random.oneIn(2) ? ElementKind::I32 : ElementKind::I64, {batch},
                 -2, std::min<int64_t>(getMaxExtent(keys), 200) + 3));
}

Scoring Generator::makeScoring(const Dims &dims, bool needsOffset) {
  Scoring scoring;
  bool isTile = random.oneIn(6);
  for (int64_t &extra : around)
    extra = isTile ? random.below(4) : 0;
  addBias(dims, scoring);
  addMasks(dims, scoring);
  if (needsOffset || isTile || random.oneIn(3)) {
    int64_t reach = random.pick<int64_t>({0, 20, 100, kHuge, int64_t(1) << 60});
    Array offset = {"", "i64", ElementKind::I64, {}};
    if (random.oneIn(2))
      offset = addArray(ElementKind::I64, {{'B', around[0]}}, -reach, reach);
    else
      offset.name = addScalar("i64", -reach, reach);
    scoring.offset =
        formatv("\n      offset({0} : {1})", offset.name, offset.type);
  }
  if (isTile) {
    std::vector<std::string> first;
    for (int64_t extra : around)
      first.push_back(constant(random.between(0, extra), "index"));
    scoring.origin = "\n      origin(" + llvm::join(first, ", ") + ")";
  }
  if (random.oneIn(2))
    scoring.attributes.push_back(makeWindow());
  if (random.oneIn(5))
    scoring.attributes.push_back("causal");
  if (random.oneIn(3))
    scoring.attributes.push_back(makeScale());
  if (random.oneIn(2))
    addRegion(dims, scoring);
  return scoring;
}

static std::string makeAttributes(const Scoring &scoring) {
  if (scoring.attributes.empty())
    return "";
  return " {" + llvm::join(scoring.attributes, ", ") + "}";
}

/// (B, heads, length, size), or in the other layout.
std::vector<Axis> Generator::makeAxes(char heads, char length, char size) {
  std::vector<Axis> axes = {{'B'}, {heads}, {length}, {size}};
  if (bnhd)
    std::swap(axes[1], axes[2]);
  return axes;
}

static std::string makeInput(const char *name, const Array &array) {
  return formatv("{0}({1} : {2})", name, array.name, array.type);
}

Array Generator::emitAttention(const Dims &dims, const Array &query,
                               const Array &key, const Array &value) {
  ++attentions;
  Scoring scoring = makeScoring(dims, /*needsOffset=*/false);
  std::string sink, dropout;
  if (random.oneIn(6))
    sink = "\n      " +
           makeInput("sink", addArray(pickFloat(), {{dims.heads, around[1]}}));
  if (random.oneIn(60)) {
    hasDropout = true;
    std::string p = fresh(), seed = addScalar("i64", 0, 1000);
    line(p + " = arith.constant 0.5 : f32");
    dropout =
        formatv("\n      dropout({0}, {1}, {1} : f32, i64, i64)", p, seed);
  }
  Array like = query;
  like.axes.back().letter = 0; // D is not V, even where they are equal
  Array output =
      addDestination(kind, makeAxes(dims.heads, dims.queries, dims.valueSize),
                     open.count(dims.valueSize) ? like : query);
  bool hasLse = random.oneIn(3);
  std::vector<Array> destinations = {output};
  if (hasLse)
    destinations.push_back(addDestination(
        getAccumulator(), {{'B'}, {dims.heads}, {dims.queries}}, query));
  if (bnhd)
    scoring.attributes.push_back("layout = #lattn.layout<bnhd>");

  std::string name = fresh(), outs;
  for (const Array &array : destinations)
    outs += (outs.empty() ? "" : ", ") + array.name + " : " + array.type;
  line((memrefs ? "" : name + (hasLse ? ":2 = " : " = ")) + "lattn.attention " +
       makeInput("query", query) + "\n      " + makeInput("key", key) +
       "\n      " + makeInput("value", value) + scoring.bias + scoring.masks +
       scoring.offset + sink + dropout + scoring.origin + scoring.captures +
       "\n      outs(" + outs + ")" + makeAttributes(scoring) + scoring.region);
  if (memrefs)
    return output;
  if (hasLse)
    results.push_back({name + "#1", destinations[1].type, destinations[1].kind,
                       destinations[1].axes});
  output.name = hasLse ? name + "#0" : name;
  return output;
}

/// The keys in two steps of online_attention, then finalize.
void Generator::emitOnline() {
  hasOnline = true;
  ++attentions;
  ElementKind acc = getAccumulator();
  Dims dims;
  bnhd = false;
  Array query = addArray(kind, makeAxes('H', 'N', 'D'));
  std::vector<Array> state = {addArray(acc, makeAxes('H', 'N', 'V')),
                              addArray(acc, {{'B'}, {'H'}, {'N'}}),
                              addArray(acc, {{'B'}, {'H'}, {'N'}}, 1, 5)};
  for (int64_t step = random.between(1, 2); step > 0; --step) {
    Array key = addArray(kind, makeAxes('K', 'M', 'D'));
    Array value = addArray(kind, makeAxes('K', 'M', 'V'));
    Scoring scoring = makeScoring(dims, /*needsOffset=*/true);
    std::vector<std::string> names, types;
    for (const Array &array : state) {
      names.push_back(array.name);
      types.push_back(array.type);
    }
    std::string name = fresh();
    line((memrefs ? "" : name + ":3 = ") + "lattn.online_attention " +
         makeInput("query", query) + "\n      " + makeInput("key", key) +
         "\n      " + makeInput("value", value) + scoring.bias + scoring.masks +
         scoring.offset + scoring.origin + scoring.captures + "\n      outs(" +
         llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + ")" +
         makeAttributes(scoring) + scoring.region);
    for (unsigned i = 0; i < 3 && !memrefs; ++i)
      state[i].name = name + "#" + std::to_string(i);
  }
  Array output = addDestination(kind, makeAxes('H', 'N', 'V'), state[0]);
  std::string name = fresh();
  line(formatv("{0}lattn.finalize ins({1}, {2}, {3} : {4}, {5}, {6})\n      "
               "outs({7} : {8}) {{value_axis = 3 : i64}",
               memrefs ? "" : name + " = ", state[0].name, state[1].name,
               state[2].name, state[0].type, state[1].type, state[2].type,
               output.name, output.type));
  if (memrefs)
    return;
  output.name = name;
  results = state;
  results.push_back(output);
}

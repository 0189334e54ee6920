//===- Generator.cpp - Extents, arguments and options of a program --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "lattn/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

static int64_t pickLength(Random &random) {
  return random.pick<int64_t>({0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 48, 49,
                               random.between(1, 70), random.between(1, 140)});
}

static int64_t pickHeadSize(Random &random) {
  return random.pick<int64_t>(
      {1, 2, 3, 4, 5, 8, 8, 16, 16, 17, 31, 32, 33, 64, 80, 127, 128, 256});
}

static int64_t pickExtreme(Random &random) {
  return random.pick<int64_t>({0, 1, 2, 1 << 16, (int64_t(1) << 31) - 1,
                               int64_t(1) << 31, int64_t(1) << 32,
                               int64_t(1) << 40, int64_t(1) << 62,
                               std::numeric_limits<int64_t>::max()});
}

void Generator::chooseExtents() {
  for (std::map<char, int64_t> &extent : extents) {
    int64_t kvHeads = random.pick<int64_t>({1, 1, 1, 2, 2, 3, 4});
    int64_t group = random.pick<int64_t>({1, 1, 1, 2, 2, 3, 4});
    if (random.oneIn(40))
      kvHeads = 0;
    extent = {{'B', random.pick<int64_t>({1, 1, 1, 2, 2, 3})},
              {'H', kvHeads * group},
              {'K', kvHeads},
              {'N', pickLength(random)},
              {'M', pickLength(random)},
              {'D', pickHeadSize(random)},
              {'V', pickHeadSize(random)}};
    if (random.oneIn(40))
      extent['B'] = 0;
    if (random.oneIn(2))
      extent['V'] = extent['D'];
    if (random.oneIn(60))
      extent['V'] = 0;
    constexpr double most = 3e5; // multiplications
    while (double(extent['B']) * extent['H'] * extent['N'] * extent['M'] *
               (extent['D'] + extent['V']) >
           most)
      (extent['N'] > extent['M'] ? extent['N'] : extent['M']) /= 2;
    if (wild && random.oneIn(5))
      extent[random.pick({'B', 'N', 'M', 'D', 'V'})] = pickExtreme(random);
  }
  switch (random.below(4)) {
  case 0:
    break;
  case 1:
    open = {'N', 'M'};
    break;
  case 2:
    open = {'B', 'H', 'K', 'N', 'M'};
    break;
  default:
    for (char letter : StringRef("BHKNMDV"))
      if (random.oneIn(letter == 'D' || letter == 'V' ? 6 : 2))
        open.insert(letter);
    // Either is what the other follows from.
    if (open.count('H') != open.count('K'))
      open.insert({'H', 'K'});
  }
  for (auto &[letter, extent] : extents[1])
    if (!open.count(letter))
      extent = extents[0][letter];
}

int64_t Generator::getExtent(Axis axis, unsigned run) const {
  if (!axis.letter)
    return axis.size;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return std::min(extents[run].at(axis.letter), most - axis.size) + axis.size;
}

int64_t Generator::getMaxExtent(Axis axis) const {
  return std::max(getExtent(axis, 0), getExtent(axis, 1));
}

bool Generator::isClosed(ArrayRef<Axis> axes) const {
  return llvm::none_of(axes,
                       [&](Axis axis) { return open.count(axis.letter); });
}

//===----------------------------------------------------------------------===//
// Types and arguments
//===----------------------------------------------------------------------===//

std::string Generator::makeShape(ArrayRef<Axis> axes, bool mayReopen) {
  std::string text;
  for (Axis axis : axes) {
    bool isOpen = open.count(axis.letter);
    // What one operand's type leaves open another's may say.
    if (mayReopen && !isOpen && random.oneIn(12))
      isOpen = true;
    text += (isOpen ? "?" : std::to_string(getExtent(axis, 0))) + "x";
  }
  return text;
}

std::string Generator::makeType(ElementKind element, ArrayRef<Axis> axes,
                                bool mayReopen) {
  std::string text = memrefs ? "memref<" : "tensor<";
  text += makeShape(axes, mayReopen) + getElementName(element).str();
  if (memrefs && !axes.empty() && random.oneIn(2)) {
    std::vector<std::string> unknown(axes.size(), "?");
    text += ", strided<[" + llvm::join(unknown, ", ") + "], offset: ?>";
  }
  return text + ">";
}

std::string Generator::constant(int64_t value, StringRef type) {
  std::string name = fresh();
  line(name + " = arith.constant " + llvm::Twine(value) + " : " + type);
  return name;
}

std::string Generator::addScalar(StringRef type, int64_t low, int64_t high) {
  if (random.oneIn(3))
    return constant(random.between(low, high), type);
  Parameter parameter;
  parameter.array = {fresh(),
                     type.str(),
                     type == "i1"    ? ElementKind::Bool
                     : type == "i32" ? ElementKind::I32
                                     : ElementKind::I64,
                     {}};
  parameter.isScalar = true;
  parameter.low = low;
  parameter.high = high;
  parameters.push_back(parameter);
  return parameter.array.name;
}

Array Generator::addParameter(ElementKind element, std::vector<Axis> axes,
                              int64_t low, int64_t high) {
  Array array = {fresh(), makeType(element, axes), element, std::move(axes)};
  Parameter parameter;
  parameter.array = array;
  parameter.low = low;
  parameter.high = high;
  parameters.push_back(parameter);
  return array;
}

std::vector<Input> Generator::makeInputs(unsigned run) const {
  std::vector<Input> inputs;
  for (const Parameter &parameter : parameters) {
    Input input;
    input.kind = parameter.array.kind;
    input.low = parameter.low;
    input.high = parameter.high;
    for (Axis axis : parameter.array.axes)
      input.shape.push_back(getExtent(axis, run));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static bool hostHas(StringRef feature) {
  static const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup(feature);
}

void Generator::chooseOptions() {
  if (wild && random.oneIn(4)) {
    auto odd = [&](int64_t usual) {
      return random.oneIn(2)
                 ? usual
                 : random.pick<int64_t>({-1, 1, 3, 17, 4096, int64_t(1) << 40,
                                         INT64_MAX, INT64_MIN});
    };
    options.queryTile = odd(0);
    options.keyTile = odd(0);
    options.parts = odd(1);
    options.cpu = random.pick({"", "generic", "skylake-avx512", "znver4",
                               "sapphirerapids", "i486", "no-such-cpu"});
    options.attributes = random.pick(
        {"", "", "-avx2", "-sse", "+avx512f", "avx2", ",", "+no-such-feature"});
    return;
  }
  options.cpu = random.pick({"", "", "x86-64", "x86-64-v3"});
  if (!hostHas("sse2") || (options.cpu == "x86-64-v3" && !hostHas("avx2")))
    options.cpu.clear();
  if (options.cpu.empty() && hostHas("avx2"))
    options.attributes = random.pick({"", "", "", "-avx2", "-fma"});
  options.queryTile = random.pick<int64_t>({0, 0, 0, 8, 16, 32, 48});
  options.keyTile = random.pick<int64_t>({0, 0, 0, 1, 7, 24, 96});
  options.parts = random.pick<int64_t>({0, 0, 1, 1, 2, 3, 7});
  // A tile of queries is whole vectors.
  llvm::Expected<TargetInfo> target =
      getTargetInfo(options.cpu, options.attributes);
  if (!target)
    llvm::report_fatal_error(target.takeError());
  options.queryTile =
      llvm::alignTo(options.queryTile,
                    target->getLanes(8 * getElementSize(getAccumulator())));
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

TestProgram Generator::make() {
  kind = random.pick({ElementKind::F32, ElementKind::F32, ElementKind::F16,
                      ElementKind::BF16, ElementKind::F64});
  memrefs = random.oneIn(3);
  chooseExtents();
  chooseOptions();
  emitBody();

  std::vector<std::string> declared, names, types;
  for (const Parameter &parameter : parameters)
    declared.push_back(parameter.array.name + ": " + parameter.array.type);
  for (const Array &result : results) {
    names.push_back(result.name);
    types.push_back(result.type);
  }
  TestProgram program;
  program.text =
      aliases + "func.func @main(" + llvm::join(declared, ",\n    ") + ")";
  if (!types.empty())
    program.text += " -> (" + llvm::join(types, ", ") + ")";
  program.text += " {\n" + body + "  return";
  if (!types.empty())
    program.text +=
        " " + llvm::join(names, ", ") + " : " + llvm::join(types, ", ");
  program.text += "\n}\n";
  program.options = options;
  program.tolerance = std::pow(4.0, attentions);
  if (wild)
    return program;
  // lattn-to-llvm takes online_attention as lattn-tile makes it only.
  if (hasDropout || hasOnline)
    return program;
  program.valid = true;
  program.runs.push_back(makeInputs(0));
  if (!open.empty())
    program.runs.push_back(makeInputs(1));
  return program;
}

TestProgram fuzz::generate(Random &random, bool wild) {
  return Generator(random, wild).make();
}

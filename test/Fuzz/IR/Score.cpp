//===- Score.cpp - Random score regions -----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A region that is compared must not magnify the rounding of its score:
// numbers are exact (functions of coordinates and captures, which every
// pipeline has to get bit by bit) or carry a bound of their size and slope,
// and only exact ones decide anything. A wild region may hold what it likes.

#include "Generator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lattn;
using namespace lattn::fuzz;
using llvm::formatv;
using llvm::StringRef;
using llvm::Twine;

namespace {
struct Number {
  std::string name;
  bool exact = false;
  double bound = 1, slope = 0;
};

class RegionBuilder {
public:
  RegionBuilder(Random &random, StringRef type) : random(random), type(type) {
    floats.push_back({"%s", false, 6, 1});
    ints = {"%b", "%h", "%q", "%k"};
  }
  std::string emit(const Twine &op, StringRef resultType) {
    std::string name = "%x" + std::to_string(next++);
    text += (name + " = " + op + " : " + resultType + "\n").str();
    return name;
  }
  std::string emitFloat(const Twine &op) { return emit(op, type); }
  std::string emitInt(const Twine &op) { return emit(op, "i32"); }
  std::string constant(const Twine &value, StringRef ofType) {
    return emit("arith.constant " + value, ofType);
  }
  void addInt();
  void addBool();
  void addFromInt();
  void addFloat();
  void addWild();
  std::string finish();

  Random &random;
  StringRef type;
  std::vector<Number> floats;
  std::vector<std::string> ints, bools;
  std::string text;

private:
  template <typename T> T pick(const std::vector<T> &from) {
    return from[random.below(from.size())];
  }
  void keep(const Twine &op, double bound, double slope, bool exact = false) {
    if (bound <= 30 && slope <= 4)
      floats.push_back({emitFloat(op), exact, bound, slope});
  }
  Number bounded(const Number &x);
  unsigned next = 0;
};
} // namespace

void RegionBuilder::addInt() {
  std::string x = pick(ints), y = pick(ints);
  std::string c = constant(Twine(random.pick({1, 2, 3, 5, 8, 13, 31})), "i32");
  if (!bools.empty() && random.oneIn(4)) {
    ints.push_back(
        emitInt("arith.select " + pick(bools) + ", " + x + ", " + y));
    return;
  }
  // The second operand of these is a constant that is not 0.
  static constexpr StringRef byConstant[] = {
      "divsi",     "divui", "remsi", "remui", "floordivsi",
      "ceildivsi", "shrsi", "shrui", "shli",  "andi"};
  static constexpr StringRef byAny[] = {"addi",  "subi",  "muli",  "minsi",
                                        "maxsi", "minui", "maxui", "andi",
                                        "ori",   "xori"};
  bool isConstant = random.oneIn(2);
  StringRef op = isConstant ? byConstant[random.below(std::size(byConstant))]
                            : byAny[random.below(std::size(byAny))];
  ints.push_back(
      emitInt("arith." + op + " " + x + ", " + (isConstant ? c : y)));
}

void RegionBuilder::addBool() {
  static constexpr const char *predicates[] = {
      "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  std::vector<Number> exact;
  llvm::copy_if(floats, std::back_inserter(exact),
                [](const Number &x) { return x.exact; });
  if (!exact.empty() && random.oneIn(3)) {
    bools.push_back(emit(formatv("arith.cmpf {0}, {1}, {2}",
                                 random.pick({"olt", "oge", "une", "ueq"}),
                                 pick(exact).name, pick(exact).name)
                             .str(),
                         type));
    return;
  }
  bools.push_back(
      emitInt(formatv("arith.cmpi {0}, {1}, {2}",
                      predicates[random.below(std::size(predicates))],
                      pick(ints), pick(ints))
                  .str()));
  if (random.oneIn(3))
    bools.push_back(
        emit(formatv("arith.{0} {1}, {2}", random.pick({"andi", "ori", "xori"}),
                     pick(bools), pick(bools))
                 .str(),
             "i1"));
}

void RegionBuilder::addFromInt() {
  std::string low =
      emitInt("arith.andi " + pick(ints) + ", " + constant("15", "i32"));
  std::string x =
      emit("arith." + Twine(random.pick({"sitofp ", "uitofp "})) + low,
           "i32 to " + type.str());
  floats.push_back(
      {emitFloat("arith.mulf " + x + ", " + constant("0.125", type)), true, 2,
       0});
}

/// x / 8 of a size below 8, by tanh.
Number RegionBuilder::bounded(const Number &x) {
  std::string eight = constant("8.0", type);
  std::string y = emitFloat("arith.divf " + x.name + ", " + eight);
  y = emitFloat("math.tanh " + y);
  return {emitFloat("arith.mulf " + y + ", " + eight), false, 8, x.slope};
}

void RegionBuilder::addFloat() {
  Number x = pick(floats), y = pick(floats);
  bool exact = x.exact && y.exact;
  std::string two = x.name + ", " + y.name;
  double slope = x.slope + y.slope;
  switch (random.below(16)) {
  case 0:
    return keep("arith.addf " + two, x.bound + y.bound, slope, exact);
  case 1:
    return keep("arith.subf " + two, x.bound + y.bound, slope, exact);
  case 2:
    return keep("arith.mulf " + two, x.bound * y.bound,
                x.slope * y.bound + y.slope * x.bound, exact);
  case 3:
    return keep(
        Twine("arith.") +
            random.pick({"maximumf ", "minimumf ", "maxnumf ", "minnumf "}) +
            two,
        std::max(x.bound, y.bound), std::max(x.slope, y.slope), exact);
  case 4:
    return keep(Twine("math.") +
                    random.pick({"tanh ", "sin ", "cos ", "erf "}) + x.name,
                1, 1.2 * x.slope);
  case 5:
    return keep("math.absf " + x.name, x.bound, x.slope, x.exact);
  case 6:
    return keep("arith.negf " + x.name, x.bound, x.slope, x.exact);
  case 7: {
    std::string square = emitFloat("arith.mulf " + x.name + ", " + x.name);
    std::string sum =
        emitFloat("arith.addf " + square + ", " + constant("1.0", type));
    return keep(Twine("math.") + random.pick({"sqrt ", "rsqrt "}) + sum,
                x.bound + 1, x.slope);
  }
  case 8: {
    std::string y = emitFloat("math.tanh " + x.name);
    return keep(Twine("math.") + random.pick({"exp ", "exp2 ", "expm1 "}) + y,
                3, 3 * x.slope);
  }
  case 9: {
    std::string size = emitFloat("math.absf " + x.name);
    if (random.oneIn(2))
      return keep("math.log1p " + size, 4, x.slope);
    std::string sum =
        emitFloat("arith.addf " + size + ", " + constant("2.0", type));
    return keep(Twine("math.") + random.pick({"log ", "log2 ", "log10 "}) + sum,
                6, x.slope);
  }
  case 10:
    return keep("math.atan " + x.name, 1.6, x.slope);
  case 11: {
    Number z = pick(floats);
    return keep("math.fma " + two + ", " + z.name, x.bound * y.bound + z.bound,
                x.slope * y.bound + y.slope * x.bound + z.slope,
                exact && z.exact);
  }
  case 12:
    if (bools.empty())
      return;
    return keep("arith.select " + pick(bools) + ", " + two,
                std::max(x.bound, y.bound), std::max(x.slope, y.slope), exact);
  case 13:
    if (x.exact)
      return keep(Twine("math.") +
                      random.pick({"floor ", "ceil ", "trunc ", "roundeven "}) +
                      x.name,
                  x.bound + 1, 0, true);
    return;
  case 14:
    return keep("arith.divf " + x.name + ", " + constant("3.0", type),
                x.bound / 3, x.slope / 3, x.exact);
  default:
    floats.push_back(bounded(x));
  }
}

/// Ops that the verifier takes, whatever they compute.
void RegionBuilder::addWild() {
  // $f, $i, $b: operands; $T: the float type. Then what comes out.
  static constexpr std::pair<StringRef, char> ops[] = {
      {"arith.fptosi $f : $T to i32", 'i'},
      {"arith.fptoui $f : $T to i32", 'i'},
      {"arith.divsi $i, $i : i32", 'i'},
      {"arith.remui $i, $i : i32", 'i'},
      {"arith.shli $i, $i : i32", 'i'},
      {"arith.extui $b : i1 to i32", 'i'},
      {"arith.extsi $b : i1 to i32", 'i'},
      {"arith.trunci $i : i32 to i1", 'b'},
      {"arith.cmpf ult, $f, $f : $T", 'b'},
      {"arith.cmpf ord, $f, $f fastmath<nnan> : $T", 'b'},
      {"arith.divf $f, $f fastmath<fast> : $T", 'f'},
      {"arith.remf $f, $f : $T", 'f'},
      {"arith.mulf $f, $f fastmath<contract> : $T", 'f'},
      {"arith.select $b, $f, $f : $T", 'f'},
      {"arith.select $b, $b, $b : i1", 'b'},
      {"arith.uitofp $b : i1 to $T", 'f'},
      {"math.exp $f : $T", 'f'},
      {"math.log $f : $T", 'f'},
      {"math.powf $f, $f : $T", 'f'},
      {"math.fpowi $f, $i : $T, i32", 'f'},
      {"math.ipowi $i, $i : i32", 'i'},
      {"math.fma $f, $f, $f : $T", 'f'},
      {"math.copysign $f, $f : $T", 'f'},
      {"math.atan2 $f, $f : $T", 'f'},
      {"math.cbrt $f : $T", 'f'},
      {"math.tan $f : $T", 'f'},
      {"math.asin $f : $T", 'f'},
      {"math.acosh $f : $T", 'f'},
      {"math.sinh $f : $T", 'f'},
      {"math.erfc $f : $T", 'f'},
      {"math.round $f : $T", 'f'},
      {"math.clampf $f to [$f, $f] : $T", 'f'},
      {"math.isnan $f : $T", 'b'},
      {"math.isfinite $f : $T", 'b'},
      {"math.ctlz $i : i32", 'i'},
      {"math.cttz $i : i32", 'i'},
      {"math.ctpop $i : i32", 'i'},
      {"math.absi $i : i32", 'i'},
      {"arith.bitcast $i : i32 to f32", '-'},
      {"arith.index_cast $i : i32 to index", '-'},
      {"arith.index_castui $i : i32 to index", '-'},
      {"arith.extsi $i : i32 to i64", '-'},
      {"arith.trunci $i : i32 to i7", '-'},
      {"arith.constant 1.0 : f128", '-'},
      {"arith.constant 0.5 : f8E4M3FN", '-'},
      {"arith.constant 170141183460469231731687303715884105727 : i128", '-'},
  };
  auto [op, result] = ops[random.below(std::size(ops))];
  if (op.contains("$b") && bools.empty())
    addBool();
  std::string filled;
  for (size_t i = 0; i < op.size(); ++i) {
    if (op[i] != '$') {
      filled += op[i];
      continue;
    }
    switch (op[++i]) {
    case 'f':
      filled += pick(floats).name;
      break;
    case 'i':
      filled += pick(ints);
      break;
    case 'b':
      filled += pick(bools);
      break;
    default:
      filled += type;
    }
  }
  std::string name = "%w" + std::to_string(next++);
  text += name + " = " + filled + "\n";
  if (result == 'f')
    floats.push_back({name});
  else if (result == 'i')
    ints.push_back(name);
  else if (result == 'b')
    bools.push_back(name);
}

std::string RegionBuilder::finish() {
  Number result = pick(floats);
  if (random.oneIn(2))
    result = {emitFloat("arith.addf %s, " + result.name), false,
              result.bound + 6, result.slope + 1};
  if (result.bound > 20)
    result = bounded(result);
  if (!bools.empty() && random.oneIn(3)) {
    std::string low =
        constant(type == "f64" ? "0xFFF0000000000000" : "0xFF800000", type);
    result.name = emitFloat("arith.select " + pick(bools) + ", " + result.name +
                            ", " + low);
  }
  return text + "lattn.yield " + result.name + " : " + type.str() + "\n}";
}

/// Reads of captured arrays, each index a coordinate or a few bits of an
/// integer.
static void addRead(RegionBuilder &b, const Array &array, StringRef name,
                    bool isMemRef) {
  static constexpr StringRef coordinates = "bhqk";
  std::vector<std::string> indices;
  for (const Axis &axis : array.axes) {
    std::string index;
    if (axis.letter) {
      // Captures name coordinates, not letters of extents; see addRegion.
      index = std::string("%") + coordinates[axis.letter - '0'];
    } else {
      index = b.emitInt("arith.andi " + b.ints[b.random.below(b.ints.size())] +
                        ", " + b.constant(Twine(axis.size - 1), "i32"));
    }
    indices.push_back(b.emit("arith.index_cast " + index, "i32 to index"));
  }
  std::string at = "[" + llvm::join(indices, ", ") + "]";
  std::string x =
      b.emit(Twine(isMemRef ? "memref.load " : "tensor.extract ") + name + at,
             array.type);
  std::string element = getElementName(array.kind).str(), to = b.type.str();
  switch (array.kind) {
  case ElementKind::I32:
    b.ints.push_back(x);
    return;
  case ElementKind::Bool:
    b.bools.push_back(x);
    return;
  case ElementKind::I8:
    b.ints.push_back(b.emit("arith.extsi " + x, "i8 to i32"));
    return;
  case ElementKind::I64:
    b.ints.push_back(b.emit("arith.trunci " + x, "i64 to i32"));
    return;
  default:
    if (element != to)
      x = b.emit(
          (array.kind == ElementKind::F64 ? "arith.truncf " : "arith.extf ") +
              x,
          element + " to " + to);
    b.floats.push_back({x, true, 5, 0});
  }
}

void Generator::addRegion(const Dims &dims, Scoring &scoring) {
  std::string type = getElementName(getAccumulator()).str();
  RegionBuilder b(random, type);
  const Axis coordinates[] = {{'B', around[0]},
                              {dims.heads, around[1]},
                              {dims.queries, around[2]},
                              {dims.keys, around[3]}};
  std::vector<Array> captures;
  for (int64_t i = random.pick({0, 0, 1, 1, 2, 3}); i > 0; --i) {
    std::vector<Axis> axes, names;
    for (int64_t rank = random.pick({0, 1, 1, 2, 2, 3}); rank > 0; --rank) {
      if (random.oneIn(3)) {
        axes.push_back({0, int64_t(1) << random.below(5)});
        names.push_back(axes.back());
      } else {
        int64_t at = random.below(4);
        axes.push_back(coordinates[at]);
        names.push_back({char('0' + at), 0});
      }
    }
    ElementKind element =
        random.pick({kind, getAccumulator(), ElementKind::F32, ElementKind::F16,
                     ElementKind::BF16, ElementKind::I32, ElementKind::I64,
                     ElementKind::I8, ElementKind::Bool});
    Array array = addArray(element, axes);
    scoring.captures += (captures.empty() ? "" : ", ") + array.name;
    captures.push_back(array);
    array.axes = names;
    addRead(b, array, "%c" + std::to_string(captures.size() - 1), memrefs);
  }
  std::string arguments;
  std::vector<std::string> types;
  for (auto [i, array] : llvm::enumerate(captures)) {
    arguments += formatv(", %c{0}: {1}", i, array.type);
    types.push_back(array.type);
  }
  if (!captures.empty())
    scoring.captures = "\n      captures(" + scoring.captures + " : " +
                       llvm::join(types, ", ") + ")";
  bool wildOps = wild && random.oneIn(2);
  for (int64_t i = random.below(14); i > 0; --i) {
    switch (random.below(8)) {
    case 0:
    case 1:
      b.addInt();
      break;
    case 2:
      b.addBool();
      break;
    case 3:
      b.addFromInt();
      break;
    default:
      if (wildOps)
        b.addWild();
      else
        b.addFloat();
    }
  }
  scoring.region = " score {\n^bb0(%s: " + type +
                   ", %b: i32, %h: i32, %q: i32, %k: i32" + arguments + "):\n" +
                   b.finish();
}

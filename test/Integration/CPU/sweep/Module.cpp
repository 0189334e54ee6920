//===- Module.cpp - A case as MLIR text -------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Axes by letter: B, H, K (kv heads), N, M, D, V as in the specification; b, h,
// n, m the larger op's; 1 an axis that repeats; # one of fixed extent.

#include "Module.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using namespace lattn::sweep;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isOpen(const Case &c, char axis) {
  // Of the larger op's extents the module knows nothing.
  if (c.origin && llvm::StringRef("bhnm").contains(axis))
    return c.extents != Extents::Static;
  switch (llvm::toUpper(axis)) {
  case 'N':
  case 'M':
    return c.extents != Extents::Static;
  case 'B':
  case 'H':
  case 'K':
    return c.extents == Extents::Outer || c.extents == Extents::All;
  case 'D':
  case 'V':
    return c.extents == Extents::All;
  default:
    return false;
  }
}

static std::string makeType(const Case &c, ElementKind kind,
                            llvm::StringRef axes, llvm::ArrayRef<int64_t> shape,
                            bool memref) {
  std::string text = memref ? "memref<" : "tensor<";
  for (auto [axis, extent] : llvm::zip_equal(axes, shape))
    text += (isOpen(c, axis) ? "?" : std::to_string(extent)) + "x";
  // As MLIR spells it, not as files do.
  text += kind == ElementKind::Bool ? "i1" : getElementName(kind).str();
  if (memref) {
    std::vector<std::string> open(axes.size(), "?");
    text += ", strided<[" + llvm::join(open, ", ") + "], offset: ?>";
  }
  return text + ">";
}

static std::string makeType(const Case &c, const Argument &argument) {
  if (!argument.array)
    return argument.scalarType;
  const Array &array = *argument.array;
  return makeType(c, array.getKind(), array.getAxes(), array.getShape(),
                  c.memrefs);
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

static std::string makeWindow(const reference::Window &w) {
  std::vector<std::string> fields;
  auto add = [&](const char *name, std::optional<int64_t> value) {
    if (value)
      fields.push_back(formatv("{0} = {1}", name, *value));
  };
  add("left", w.left);
  add("right", w.right);
  add("bucket", w.bucket);
  if (w.bucket && w.back)
    add("back", w.back);
  if (w.bucket && w.forward)
    add("forward", w.forward);
  if (fields.empty())
    return "";
  return "window = #lattn.window<" + llvm::join(fields, ", ") + ">";
}

static std::string makeAttributes(const Case &c) {
  std::vector<std::string> attributes;
  if (std::string window = makeWindow(c.window); !window.empty())
    attributes.push_back(window);
  if (c.causal)
    attributes.push_back("causal");
  if (c.scale)
    attributes.push_back(formatv("scale = {0:E17} : f64", *c.scale));
  if (c.bnhd)
    attributes.push_back("layout = #lattn.layout<bnhd>");
  if (c.bias == Bias::Mod)
    attributes.push_back(
        "bias_map = affine_map<(b, h, q, k) -> (h, (q - k) mod 7)>");
  if (c.bias == Bias::FloorDiv)
    attributes.push_back("bias_map = affine_map<(b, h, q, k) -> ((k - q) "
                         "floordiv 4 + 128, q ceildiv 3)>");
  // Where the cost model would not: heads are small here.
  if (c.isEmulated && c.options.bf16 != "dot")
    attributes.push_back("schedule = #lattn.schedule<products = amx>");
  else if (c.isMixed)
    attributes.push_back("schedule = #lattn.schedule<lanes = mixed>");
  return attributes.empty() ? "" : " {" + llvm::join(attributes, ", ") + "}";
}

static std::string makeRead(const Case &c, llvm::StringRef name,
                            llvm::StringRef indices, llvm::StringRef type) {
  return formatv("{0} %{1}[{2}] : {3}\n",
                 c.memrefs ? "memref.load" : "tensor.extract", name, indices,
                 type);
}

/// Lines of a region of which $T is the accumulator type.
static std::string makeScoreBody(const Case &c,
                                 llvm::ArrayRef<std::string> types) {
  switch (c.score) {
  case Score::Softcap:
    return "%c = arith.constant 3.0 : $T\n"
           "%x = arith.divf %s, %c : $T\n"
           "%t = math.tanh %x : $T\n"
           "%r = arith.mulf %t, %c : $T\n";
  case Score::Alibi:
    return "%hi = arith.index_cast %h : i32 to index\n%slope = " +
           makeRead(c, "c0", "%hi", types[0]) +
           "%d = arith.subi %k, %q : i32\n"
           "%x = arith.sitofp %d : i32 to $T\n"
           "%y = arith.mulf %slope, %x : $T\n"
           "%r = arith.addf %s, %y : $T\n";
  case Score::Table:
    return "%qi = arith.index_cast %q : i32 to index\n"
           "%ki = arith.index_cast %k : i32 to index\n%x = " +
           makeRead(c, "c0", "%qi, %ki", types[0]) +
           "%r = arith.addf %s, %x : $T\n";
  case Score::Documents:
    return "%qi = arith.index_cast %q : i32 to index\n"
           "%ki = arith.index_cast %k : i32 to index\n"
           "%low = arith.constant " +
           std::string(c.kind == ElementKind::F64 ? "0xFFF0000000000000"
                                                  : "0xFF800000") +
           " : $T\n%x = " + makeRead(c, "c0", "%qi", types[0]) +
           "%y = " + makeRead(c, "c1", "%ki", types[1]) +
           "%same = arith.cmpi eq, %x, %y : i32\n"
           "%r = arith.select %same, %s, %low : $T\n";
  case Score::Constant:
    return "%r = arith.constant 0.25 : $T\n";
  default:
    return "%three = arith.constant 3 : i32\n"
           "%one = arith.constant 1.0 : $T\n"
           "%eighth = arith.constant 0.125 : $T\n"
           "%sum = arith.addi %b, %h : i32\n"
           "%low = arith.andi %sum, %three : i32\n"
           "%x = arith.sitofp %low : i32 to $T\n"
           "%y = math.fma %x, %eighth, %one : $T\n"
           "%r = arith.mulf %s, %y : $T\n";
  }
}

static std::string makeScore(const Case &c,
                             llvm::ArrayRef<std::string> captureTypes) {
  if (c.score == Score::None)
    return "";
  std::string text =
      " score {\n^bb0(%s: $T, %b: i32, %h: i32, %q: i32, %k: i32";
  for (auto [i, type] : llvm::enumerate(captureTypes))
    text += formatv(", %c{0}: {1}", i, type);
  text += "):\n" + makeScoreBody(c, captureTypes) + "lattn.yield %r : $T\n}";
  llvm::StringRef kind = getElementName(c.getAccumulator());
  for (size_t at; (at = text.find("$T")) != std::string::npos;)
    text.replace(at, 2, kind);
  return text;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// Empty tensors for the destinations; their names and types go to `outs`.
static std::string makeEmpties(const Case &c, const Argument &query,
                               const Argument &value,
                               std::vector<std::string> &types) {
  std::string text;
  std::string queryType = makeType(c, query), valueType = makeType(c, value);
  auto addEmpty = [&](const char *name, ElementKind kind,
                      llvm::StringRef axes) {
    llvm::SmallVector<int64_t> shape;
    std::vector<std::string> sizes;
    for (char axis : axes) {
      bool ofValue = axis == 'V';
      const Array &from = ofValue ? *value.array : *query.array;
      size_t i = from.getAxes().find(axis);
      shape.push_back(from.getShape()[i]);
      if (!isOpen(c, axis))
        continue;
      std::string id = formatv("{0}{1}", name, i + (ofValue ? 4 : 0));
      text += formatv("  %i_{0} = arith.constant {1} : index\n"
                      "  %d_{0} = tensor.dim %{2}, %i_{0} : {3}\n",
                      id, i, ofValue ? "value" : "query",
                      ofValue ? valueType : queryType);
      sizes.push_back("%d_" + id);
    }
    types.push_back(makeType(c, kind, axes, shape, /*memref=*/false));
    text += formatv("  %{0} = tensor.empty({1}) : {2}\n", name,
                    llvm::join(sizes, ", "), types.back());
  };
  addEmpty("output", c.kind, getOutputAxes(c));
  if (c.lse)
    addEmpty("lse", c.getAccumulator(), "BHN");
  return text;
}

std::string sweep::makeModule(const Case &c,
                              llvm::ArrayRef<Argument> arguments) {
  std::vector<std::string> parameters, operands, origin, captures, captureTypes,
      dropout, dropoutTypes, outs;
  for (const Argument &argument : arguments) {
    std::string type = makeType(c, argument), name = "%" + argument.name;
    parameters.push_back(name + ": " + type);
    if (argument.isOutput) {
      outs.push_back(type);
    } else if (llvm::StringRef(argument.name).starts_with("origin")) {
      origin.push_back(name);
    } else if (llvm::StringRef(argument.name).starts_with("dropout")) {
      dropout.push_back(name);
      dropoutTypes.push_back(type);
    } else if (llvm::StringRef(argument.name).starts_with("capture")) {
      captures.push_back(name);
      captureTypes.push_back(type);
    } else {
      operands.push_back(formatv("{0}({1} : {2})", argument.name, name, type));
    }
  }
  std::string text =
      "func.func @attention(" + llvm::join(parameters, ", ") + ")";
  std::string empties;
  if (!c.memrefs) {
    empties = makeEmpties(c, arguments[0], arguments[2], outs);
    text += " -> (" + llvm::join(outs, ", ") + ")";
  }
  text += " {\n" + empties + "  ";
  if (!c.memrefs)
    text += c.lse ? "%r:2 = " : "%r = ";
  text += "lattn.attention " + llvm::join(operands, "\n      ");
  if (!dropout.empty())
    text += "\n      dropout(" + llvm::join(dropout, ", ") + " : " +
            llvm::join(dropoutTypes, ", ") + ")";
  if (!origin.empty())
    text += "\n      origin(" + llvm::join(origin, ", ") + ")";
  if (!captures.empty())
    text += "\n      captures(" + llvm::join(captures, ", ") + " : " +
            llvm::join(captureTypes, ", ") + ")";
  text += "\n      outs(%output : " + outs[0];
  if (c.lse)
    text += ", %lse : " + outs[1];
  text += ")" + makeAttributes(c) + makeScore(c, captureTypes) + "\n  return";
  if (!c.memrefs)
    text += std::string(c.lse ? " %r#0, %r#1" : " %r") + " : " +
            llvm::join(outs, ", ");
  return text + "\n}\n";
}

//===- KernelText.cpp - An attention kernel as MLIR -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include <cstdio>
#include <vector>

using namespace lattn::python;

namespace {

/// An argument of the function: "%name : type".
struct Argument {
  std::string name, type;
};

class Text {
public:
  explicit Text(const KernelKey &key);
  std::string get() const;

private:
  std::string makeAttributes() const;
  std::string makeScore() const;
  /// Adds an argument and returns "%name : type".
  std::string add(const char *name, int32_t type,
                  const std::vector<int64_t> &sizes);
  void addOperand(const char *name, int32_t type,
                  const std::vector<int64_t> &sizes);

  /// Adds an argument that the region knows as `name`.
  void addCapture(const char *argument, const std::string &name, int32_t type,
                  const std::vector<int64_t> &sizes);
  void addCaptures();

  const KernelKey &key;
  std::string aliases, operands, arguments, outs;
  std::string captured, capturedTypes, regionArguments;
};

} // namespace

static constexpr int64_t kAny = -1;

static std::string makeType(int32_t type, const std::vector<int64_t> &sizes) {
  std::string text = "memref<", strides;
  for (int64_t size : sizes) {
    text += (size == kAny ? "?" : std::to_string(size)) + "x";
    strides += strides.empty() ? "?" : ", ?";
  }
  return text + lattnElementTypeGetName(static_cast<LattnElementType>(type)) +
         ", strided<[" + strides + "], offset: ?>>";
}

/// As MLIR reads it back exactly.
static std::string makeFloat(double value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.17e", value);
  return text;
}

//===----------------------------------------------------------------------===//
// The op's parts
//===----------------------------------------------------------------------===//

std::string Text::makeAttributes() const {
  std::string window, text;
  auto add = [&](const char *name, int64_t value) {
    if (value != KernelKey::kNone)
      window += (window.empty() ? "" : ", ") + std::string(name) + " = " +
                std::to_string(value);
  };
  add("left", key.left);
  add("right", key.right);
  add("bucket", key.bucket);
  if (key.bucket != KernelKey::kNone) {
    add("back", key.back);
    add("forward", key.forward);
  }
  text = "layout = #lattn.layout<" + std::string(key.isBnhd ? "bnhd" : "bhnd") +
         ">";
  if (!window.empty())
    text += ", window = #lattn.window<" + window + ">";
  if (key.isCausal)
    text += ", causal";
  if (key.hasScale)
    text += ", scale = " + makeFloat(key.scale) + " : f64";
  return " {" + text + "}";
}

/// softcap * tanh(s / softcap), the program, then the mask.
std::string Text::makeScore() const {
  bool hasCap = key.softcap != 0;
  if (!hasCap && !key.program && key.maskType == KernelKey::kNone)
    return "";
  std::string t = lattnElementTypeGetName(getAccumulator(key.type));
  std::string text = " score {\n^bb0(" + std::string(hasCap ? "%raw" : "%s") +
                     ": " + t + ", %b: i32, %h: i32, %i: i32, %j: i32" +
                     regionArguments + "):\n";
  if (hasCap)
    text += "%cap = arith.constant " + makeFloat(key.softcap) + " : " + t +
            "\n%quotient = arith.divf %raw, %cap : " + t +
            "\n%tanh = math.tanh %quotient : " + t +
            "\n%s = arith.mulf %tanh, %cap : " + t + "\n";
  std::string score = "%s";
  if (key.program) {
    text += key.program->text + "\n";
    score = key.program->result;
  }
  if (key.maskType != KernelKey::kNone) {
    text += "%bi = arith.index_cast %b : i32 to index\n"
            "%hi = arith.index_cast %h : i32 to index\n" +
            std::string(key.maskIsOneRow
                            ? "%ii = arith.constant 0 : index\n"
                            : "%ii = arith.index_cast %i : i32 to index\n") +
            "%ji = arith.index_cast %j : i32 to index\n"
            "%m = memref.load %pairs[%bi, %hi, %ii, %ji] : !pairs\n";
    std::string maskName =
        lattnElementTypeGetName(static_cast<LattnElementType>(key.maskType));
    std::string added = "%m";
    if (key.maskType == LattnBool) {
      text += "%low = arith.constant " +
              std::string(t == "f64" ? "0xFFF0000000000000" : "0xFF800000") +
              " : " + t + "\n%masked = arith.select %m, " + score +
              ", %low : " + t + "\n";
    } else {
      if (maskName != t) {
        text += "%wide = arith.extf %m : " + maskName + " to " + t + "\n";
        added = "%wide";
      }
      text += "%masked = arith.addf " + score + ", " + added + " : " + t + "\n";
    }
    score = "%masked";
  }
  return text + "lattn.yield " + score + " : " + t + "\n}";
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

std::string Text::add(const char *name, int32_t type,
                      const std::vector<int64_t> &sizes) {
  std::string text = std::string("%") + name + ": " + makeType(type, sizes);
  arguments += (arguments.empty() ? "" : ",\n    ") + text;
  return text;
}

void Text::addOperand(const char *name, int32_t type,
                      const std::vector<int64_t> &sizes) {
  operands += std::string("\n    ") + name + "(" + add(name, type, sizes) + ")";
}

void Text::addCapture(const char *argument, const std::string &name,
                      int32_t type, const std::vector<int64_t> &sizes) {
  add(argument, type, sizes);
  captured += (captured.empty() ? "%" : ", %") + std::string(argument);
  capturedTypes += (capturedTypes.empty() ? "!" : ", !") + name;
  regionArguments += ", %" + name + ": !" + name;
  aliases += "!" + name + " = " + makeType(type, sizes) + "\n";
}

void Text::addCaptures() {
  if (key.maskType != KernelKey::kNone)
    addCapture("mask", "pairs", key.maskType,
               {kAny, kAny, key.maskIsOneRow ? 1 : kAny, kAny});
  if (key.program) {
    for (size_t i = 0; i < key.program->types.size(); ++i)
      addCapture(("captured" + std::to_string(i)).c_str(),
                 "c" + std::to_string(i), key.program->types[i],
                 std::vector<int64_t>(key.program->ranks[i], kAny));
    if (key.program->readsLast)
      addCapture("extents", "last", LattnI32, {kAny});
  }
  if (!captured.empty())
    operands += "\n    captures(" + captured + " : " + capturedTypes + ")";
}

Text::Text(const KernelKey &key) : key(key) {
  int64_t any = kAny, one = 1;
  auto arrayOf = [&](int64_t heads, int64_t rows,
                     int64_t width) -> std::vector<int64_t> {
    if (!key.isOneQuery)
      return {any, any, any, width};
    return key.isBnhd ? std::vector<int64_t>{any, rows, heads, width}
                      : std::vector<int64_t>{any, heads, rows, width};
  };
  addOperand("query", key.type, arrayOf(key.heads, one, key.headSize));
  addOperand("key", key.type, arrayOf(key.kvHeads, any, key.headSize));
  addOperand("value", key.type, arrayOf(key.kvHeads, any, key.valueSize));
  if (key.biasType != KernelKey::kNone)
    addOperand("bias", key.biasType,
               {any, any, key.biasIsOneRow ? one : any, any});
  if (key.hasKeyMask)
    addOperand("key_mask", LattnBool, {any, any});
  if (key.hasLengths)
    addOperand("kv_lens", key.lengthsType, {any});
  if (key.hasOffset && key.offsetType != KernelKey::kNone) {
    addOperand("offset", key.offsetType, {any});
  } else if (key.hasOffset) {
    arguments += ",\n    %offset: i64";
    operands += "\n    offset(%offset : i64)";
  }
  if (key.sinkType != KernelKey::kNone)
    addOperand("sink", key.sinkType, {any});
  if (key.hasDropout) {
    arguments += ",\n    %p: f32, %seed: i64, %counter: i64";
    operands += "\n    dropout(%p, %seed, %counter : f32, i64, i64)";
  }
  addCaptures();
  outs = add("output", key.type, arrayOf(key.heads, one, key.valueSize));
  if (key.hasLse)
    outs += ", " + add("lse", getAccumulator(key.type),
                       {any, key.isOneQuery ? key.heads : any,
                        key.isOneQuery ? one : any});
}

std::string Text::get() const {
  return aliases + "func.func @attention(" + arguments +
         ") {\n  lattn.attention" + operands + "\n    outs(" + outs + ")" +
         makeAttributes() + makeScore() + "\n  return\n}\n";
}

std::string lattn::python::makeKernelText(const KernelKey &key) {
  return Text(key).get();
}

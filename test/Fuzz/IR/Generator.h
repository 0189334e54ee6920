//===- Generator.h - Writes the modules of the IR fuzzer --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_FUZZ_GENERATOR_H
#define LATTN_TEST_FUZZ_GENERATOR_H

#include "Program.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

namespace lattn::fuzz {

/// The extent of `letter` in a run (B, H, K for kv heads, N, M, D, V) plus
/// `size`; without a letter just `size`.
struct Axis {
  char letter = 0;
  int64_t size = 0;
};

/// A value of the program.
struct Array {
  std::string name, type;
  ElementKind kind = ElementKind::F32;
  std::vector<Axis> axes;
};

/// The letters of one attention: self-attention has the same one twice.
struct Dims {
  char heads = 'H', kvHeads = 'K', queries = 'N', keys = 'M', size = 'D',
       valueSize = 'V';
};

/// The operands and attributes that attention and online_attention share.
struct Scoring {
  std::string bias, masks, offset, origin, captures, region;
  std::vector<std::string> attributes;
};

class Generator {
public:
  Generator(Random &random, bool wild) : random(random), wild(wild) {}
  TestProgram make();

private:
  struct Parameter {
    Array array;
    bool isScalar = false;
    int64_t low = 0, high = 1;
  };

  // Generator.cpp
  void chooseExtents();
  void chooseOptions();
  int64_t getExtent(Axis axis, unsigned run) const;
  int64_t getMaxExtent(Axis axis) const;
  bool isClosed(llvm::ArrayRef<Axis> axes) const;
  std::string makeShape(llvm::ArrayRef<Axis> axes, bool mayReopen);
  std::string makeType(ElementKind kind, llvm::ArrayRef<Axis> axes,
                       bool mayReopen = true);
  std::string fresh() { return "%v" + std::to_string(next++); }
  void line(const llvm::Twine &text) { body += ("  " + text + "\n").str(); }
  std::string constant(int64_t value, llvm::StringRef type);
  std::string addScalar(llvm::StringRef type, int64_t low, int64_t high);
  Array addParameter(ElementKind kind, std::vector<Axis> axes, int64_t low,
                     int64_t high);
  std::vector<Input> makeInputs(unsigned run) const;
  ElementKind getAccumulator() const {
    return kind == ElementKind::F64 ? ElementKind::F64 : ElementKind::F32;
  }
  ElementKind pickFloat() { return random.oneIn(2) ? kind : getAccumulator(); }

  // Arrays.cpp
  Array addArray(ElementKind kind, std::vector<Axis> axes, int64_t low = 0,
                 int64_t high = 1);
  Array addView(ElementKind kind, llvm::ArrayRef<Axis> axes, int64_t low,
                int64_t high);
  Array addDestination(ElementKind kind, std::vector<Axis> axes,
                       const Array &like);

  // Attention.cpp
  std::vector<Axis> makeAxes(char heads, char length, char size);
  std::string makeWindow();
  std::string makeScale();
  Scoring makeScoring(const Dims &dims, bool needsOffset);
  void addMasks(const Dims &dims, Scoring &scoring);
  Array emitAttention(const Dims &dims, const Array &query, const Array &key,
                      const Array &value);
  void emitOnline();

  // Bias.cpp
  void addBias(const Dims &dims, Scoring &scoring);
  std::string makeIndex(unsigned depth, llvm::ArrayRef<Axis> dims, int64_t &low,
                        int64_t &high);

  // Score.cpp
  void addRegion(const Dims &dims, Scoring &scoring);

  // Matmul.cpp
  void emitMatmul(const Array &x);

  // Wrap.cpp
  void emitBody();
  Array emitElementwise(const Array &x);
  Array emitLoop(const Dims &dims, const Array &query, const Array &key,
                 const Array &value);
  Array emitIf(const Dims &dims, const Array &query, const Array &key,
               const Array &value);

  Random &random;
  bool wild;
  ElementKind kind = ElementKind::F32;
  bool memrefs = false, bnhd = false;
  std::map<char, int64_t> extents[2]; // by run
  std::set<char> open;                // not known when compiled
  int64_t around[4] = {};             // of the larger op, where one is a tile
  std::vector<Parameter> parameters;
  std::vector<Array> results;
  std::string body, aliases;
  unsigned next = 0, attentions = 0;
  bool hasDropout = false, hasOnline = false;
  CompileOptions options;
};

} // namespace lattn::fuzz

#endif // LATTN_TEST_FUZZ_GENERATOR_H

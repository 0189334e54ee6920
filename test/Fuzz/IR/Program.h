//===- Program.h - What the IR fuzzer compiles and runs ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_FUZZ_PROGRAM_H
#define LATTN_TEST_FUZZ_PROGRAM_H

#include "../../Integration/CPU/sweep/Random.h"
#include "lattn/Execution/Program.h"

namespace lattn::fuzz {

using sweep::Random;

/// How to fill an argument: floats are normal, integers in [low, high].
struct Input {
  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  int64_t low = 0, high = 1;
};

enum class Origin { Generated, TextMutant, IRMutant };

struct TestProgram {
  std::string text;
  Origin origin = Origin::Generated;
  CompileOptions options; // of the fast pipeline
  /// Arguments of @main, by run; none: it is not run.
  std::vector<std::vector<Input>> runs;
  /// Both pipelines have to take it.
  bool valid = false;
  /// How often results were rounded, one after the other.
  double tolerance = 1;
};

/// Program `index` of `seed`, whatever other programs are made. One in
/// `executeOneIn` of the generated ones is made to run.
TestProgram makeProgram(uint64_t seed, int64_t index, int64_t executeOneIn);

/// A program of `random`'s choice; `wild` ones need not be runnable: extreme
/// extents and options, any op in score regions.
TestProgram generate(Random &random, bool wild);

/// `text` with a few tokens or lines changed.
std::string mutateText(llvm::StringRef text, Random &random);

} // namespace lattn::fuzz

#endif // LATTN_TEST_FUZZ_PROGRAM_H

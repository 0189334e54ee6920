//===- Options.h - What lattn-run is asked to do ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNNER_OPTIONS_H
#define LATTN_RUNNER_OPTIONS_H

#include "lattn/Measure/Measurement.h"
#include <optional>
#include <string>
#include <vector>

namespace lattn {

struct RunOptions {
  std::string file = "-"; // '-' is stdin
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> shapes; // I:1x8x4096x64
  std::optional<uint64_t> seed;
  std::string output, expect;
  std::string picture; // an .svg of what `explain` prints; empty: none
  std::optional<double> rtol, atol;
  bool verifyLoops = false, explain = false, tune = false;
  bool json = false;   // one object on standard output instead of tables
  int64_t threads = 0; // 0: the default
  MeasureOptions measure;
  CompileOptions compile;
};

/// Reads the command line. Values of options that are not valid are errors.
/// Ends the process for --help and --version.
llvm::Expected<RunOptions> parseCommandLine(int argc, char **argv);

} // namespace lattn

#endif // LATTN_RUNNER_OPTIONS_H

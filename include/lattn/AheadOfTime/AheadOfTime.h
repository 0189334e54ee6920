//===- AheadOfTime.h - What lattn-compile does ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_AHEADOFTIME_AHEADOFTIME_H
#define LATTN_AHEADOFTIME_AHEADOFTIME_H

#include "lattn/Execution/Program.h"

namespace lattn {

/// What to write for a module: an object file with functions of C's calling
/// convention, a shared library of it, a C header for either, or optimised LLVM
/// IR as text. For a GPU: its kernels as text or as machine code.
enum class Emit { Object, Shared, Header, LLVMIR, PTX, Cubin };

inline bool isForGPU(Emit emit) {
  return emit == Emit::PTX || emit == Emit::Cubin;
}

struct AheadOfTimeOptions {
  std::string file = "-"; // '-' is stdin
  std::string output;     // '-' is stdout
  Emit emit = Emit::Object;
  CompileOptions compile;   // for the host; for a GPU, `raise` alone
  std::string chip;         // for a GPU: "sm_80"
  std::string gpuOptions;   // of lattn-to-nvvm: "key-tile=64 stages=3"
  std::string launchRecord; // the launch record's file; empty: none
};

/// Reads the command line. Values of options that are not valid are errors.
/// Ends the process for --help and --version.
llvm::Expected<AheadOfTimeOptions> parseAheadOfTimeOptions(int argc,
                                                           char **argv);

/// Compiles the file and writes the output, whole or not at all.
llvm::Error compileAheadOfTime(const AheadOfTimeOptions &options);

} // namespace lattn

#endif // LATTN_AHEADOFTIME_AHEADOFTIME_H

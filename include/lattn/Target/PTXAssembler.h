//===- PTXAssembler.h - From PTX to machine code, by ptxas ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// NVIDIA's assembler is a separate program, which is searched for when it is
// needed. Without it lattn still makes PTX, which drivers take.

#ifndef LATTN_TARGET_PTXASSEMBLER_H
#define LATTN_TARGET_PTXASSEMBLER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace lattn {

/// What ptxas reports about one kernel.
struct PTXKernelReport {
  std::string name;
  int64_t registers = 0;                           // of a thread
  int64_t stackBytes = 0;                          // of a thread
  int64_t spillStoreBytes = 0, spillLoadBytes = 0; // of a thread
  int64_t sharedBytes = 0;                         // of a block, static
  int64_t barriers = 0;
};

struct PTXReport {
  std::vector<PTXKernelReport> kernels;
  /// Warnings, and advice with a number: "(C7510) Potential Performance Loss:
  /// ...".
  std::vector<std::string> warnings;

  const PTXKernelReport *find(llvm::StringRef kernel) const;
};

/// Reads what `ptxas -v` prints.
PTXReport parsePTXReport(llvm::StringRef text);

/// The path of `program`, "ptxas" or another program of the toolkit: `given` if
/// it is not empty, else $LATTN_PTXAS for ptxas, else the first in PATH,
/// $CUDA_HOME/bin, /usr/local/cuda/bin and the packages of the Python
/// environment $VIRTUAL_ENV. The error says where it looked.
llvm::Expected<std::string> findCUDATool(llvm::StringRef program,
                                         llvm::StringRef given = {});

struct PTXAssemblerOptions {
  std::string path;                   // of ptxas; empty: searched for
  std::vector<std::string> arguments; // besides -v, -O3, the chip, the files
};

struct AssembledPTX {
  std::string cubin;
  PTXReport report;
};

/// Assembles `ptx` to machine code for `chip`, such as "sm_90a". Errors have
/// ptxas' text.
llvm::Expected<AssembledPTX>
assemblePTX(llvm::StringRef ptx, llvm::StringRef chip,
            const PTXAssemblerOptions &options = {});

} // namespace lattn

#endif // LATTN_TARGET_PTXASSEMBLER_H

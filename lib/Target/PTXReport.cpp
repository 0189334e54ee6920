//===- PTXReport.cpp - What ptxas says of kernels -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace lattn;
using llvm::StringRef;

const PTXKernelReport *PTXReport::find(StringRef kernel) const {
  auto it = llvm::find_if(kernels, [&](const PTXKernelReport &report) {
    return report.name == kernel;
  });
  return it == kernels.end() ? nullptr : &*it;
}

/// What is quoted first in `line`.
static StringRef getQuoted(StringRef line) {
  return line.split('\'').second.split('\'').first;
}

/// The number before `unit` in a list such as "Used 8 registers, 512 bytes
/// smem"; 0 where there is none.
static int64_t getNumber(StringRef line, StringRef unit) {
  llvm::SmallVector<StringRef> parts;
  line.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    if (!part.consume_back(unit))
      continue;
    part = part.rtrim();
    int64_t number;
    if (!part.substr(part.rfind(' ') + 1).getAsInteger(10, number))
      return number;
  }
  return 0;
}

static bool isWarning(StringRef line) {
  StringRef number = line.split("(C").second;
  return line.starts_with("ptxas warning") ||
         (!number.empty() && llvm::isDigit(number.front()));
}

PTXReport lattn::parsePTXReport(StringRef text) {
  PTXReport report;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // Functions that are no kernels have properties, too.
  bool ofKernel = false;
  for (StringRef line : lines) {
    if (isWarning(line))
      report.warnings.push_back(line.split(": ").second.trim().str());
    if (line.contains("Compiling entry function")) {
      report.kernels.emplace_back().name = getQuoted(line).str();
      continue;
    }
    if (report.kernels.empty())
      continue;
    PTXKernelReport &kernel = report.kernels.back();
    if (line.contains("Function properties for ")) {
      StringRef name = line.rsplit(' ').second.trim(" '");
      ofKernel = name == kernel.name;
    } else if (ofKernel && line.contains("bytes stack frame")) {
      kernel.stackBytes = getNumber(line, "bytes stack frame");
      kernel.spillStoreBytes = getNumber(line, "bytes spill stores");
      kernel.spillLoadBytes = getNumber(line, "bytes spill loads");
    } else if (line.contains("Used ")) {
      kernel.registers = getNumber(line, "registers");
      kernel.barriers = getNumber(line, "barriers");
      kernel.sharedBytes = getNumber(line, "bytes smem");
    }
  }
  return report;
}

//===- Table.cpp - Numbers and rows of reports ----------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Table.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::formatv;

std::string lattn::formatNumber(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.*g", digits, value);
  return text;
}

std::string lattn::formatPercent(double share) {
  return formatNumber(share * 100, 3) + " %";
}

std::string lattn::formatSeconds(double seconds) {
  if (seconds >= 1)
    return formatNumber(seconds) + " s";
  if (seconds >= 1e-3)
    return formatNumber(seconds * 1e3) + " ms";
  return formatNumber(seconds * 1e6, 3) + " us";
}

std::string lattn::formatBytes(int64_t bytes) {
  if (bytes >= int64_t(1) << 20)
    return formatNumber(bytes / 1048576.0) + " MiB";
  if (bytes >= 1024)
    return formatNumber(bytes / 1024.0) + " KiB";
  return std::to_string(bytes) + " B";
}

void lattn::printRow(llvm::raw_ostream &os, llvm::StringRef label,
                     const std::string &value) {
  // Bold on a terminal, where the tool allows colours.
  os.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true)
      << formatv("{0,-22}", label);
  os.resetColor() << ' ' << value << '\n';
}

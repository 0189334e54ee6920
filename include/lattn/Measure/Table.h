//===- Table.h - Numbers and rows of reports --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_MEASURE_TABLE_H
#define LATTN_MEASURE_TABLE_H

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace lattn {

/// Like printf's %.*g.
std::string formatNumber(double value, int digits = 4);
/// "80 %", "12.3 ms", "1.5 MiB".
std::string formatPercent(double share);
std::string formatSeconds(double seconds);
std::string formatBytes(int64_t bytes);

/// One row of a table: a label and a value.
void printRow(llvm::raw_ostream &os, llvm::StringRef label,
              const std::string &value);

} // namespace lattn

#endif // LATTN_MEASURE_TABLE_H

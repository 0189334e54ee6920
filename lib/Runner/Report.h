//===- Report.h - What lattn-run prints -------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_REPORT_H
#define LATTN_LIB_RUNNER_REPORT_H

#include "Compare.h"
#include "lattn/Explain/Explain.h"

namespace lattn {

/// The data of a run for its report.
struct Report {
  const RunOptions &options;
  const Signature &signature; // results: with the arguments that were written
  llvm::ArrayRef<NumpyArray> arguments, results;
  const Measurement &measurement;
  const TargetInfo &target;
  mlir::func::FuncOp entry;
  llvm::ArrayRef<AttentionWork> works;
  Rates rates;
  std::vector<ComparedResult> compared;
  int64_t failedChecks = 0;

  bool agrees() const;
};

/// Prints shapes, times and rates, which every reader wants first.
void printSummary(const Report &report, llvm::raw_ostream &os);

/// --explain: prints what was compiled, and what bounds it.
void printDetails(const Report &report, llvm::raw_ostream &os);

/// --format=json: all data. docs/tutorial/lattn-run.md has the keys.
llvm::json::Object describeReport(const Report &report);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_REPORT_H

//===- Explain.h - What was compiled and what it can reach ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXPLAIN_EXPLAIN_H
#define LATTN_EXPLAIN_EXPLAIN_H

#include "lattn/Explain/Work.h"
#include "lattn/Measure/Measurement.h"
#include "llvm/Support/JSON.h"

namespace lattn {

/// Of all ops together.
double getUsefulFlops(llvm::ArrayRef<AttentionWork> works,
                      llvm::ArrayRef<MatmulWork> matmuls);

/// What a run computed in its time, matrix products included. 0: not known.
struct Rates {
  double usefulFlops = 0;    // of a run
  double flops = 0;          // useful, a second
  double bytes = 0;          // a second at least, where memory bounds the run
  bool isUpperBound = false; // masks or lengths are computed
  bool isComplete = true;    // false: some work has an unknown shape
  PeakKind kind = PeakKind::F32;
  double peak = 0;  // measured FLOP/s
  double bound = 0; // what the work allows, a share of the peak

  Rates(llvm::ArrayRef<AttentionWork> works, llvm::ArrayRef<MatmulWork> matmuls,
        bool isComplete, const Measurement &measurement, const Peak *peak);
  bool hasReached() const { return flops > 0 && bound > 0; }
  Reached getReached() const { return Reached(flops, peak, bound); }
};
/// The rate and the shares of peak and bound, where they are known.
void printRates(const Rates &rates, llvm::raw_ostream &os);
/// What they are compared with, for the long table.
void printPeak(const Rates &rates, llvm::raw_ostream &os);

using Row = std::pair<std::string, std::string>;
/// What an attention op is, costs and can reach, as labels and values.
std::vector<Row> explainWork(const AttentionWork &work,
                             const TargetInfo &target);

/// --explain: a table for each attention op.
void printExplanation(llvm::ArrayRef<AttentionWork> works,
                      const TargetInfo &target, llvm::raw_ostream &os);

/// The same as explainWork, for programs.
llvm::json::Object describeWork(const AttentionWork &work,
                                const TargetInfo &target);

/// The same where there is no attention to explain: what there is.
void printOps(mlir::func::FuncOp entry, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_EXPLAIN_EXPLAIN_H

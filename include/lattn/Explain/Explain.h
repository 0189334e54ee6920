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

/// The useful operations of all ops together.
double getUsefulFlops(llvm::ArrayRef<AttentionWork> works,
                      llvm::ArrayRef<MatmulWork> matmuls);

/// The rates that a run reached, matrix products included. 0 means not known.
struct Rates {
  double usefulFlops = 0;    // in a run
  double flops = 0;          // useful, per second
  double bytes = 0;          // at least, per second, if memory bounds the run
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
/// The peak to which the long table compares them.
void printPeak(const Rates &rates, llvm::raw_ostream &os);

using Row = std::pair<std::string, std::string>;
/// The properties, cost and bound of an attention op, as labels and values.
std::vector<Row> explainWork(const AttentionWork &work,
                             const TargetInfo &target);

/// --explain: a table for each attention op.
void printExplanation(llvm::ArrayRef<AttentionWork> works,
                      const TargetInfo &target, llvm::raw_ostream &os);

/// The rows of explainWork as JSON.
llvm::json::Object describeWork(const AttentionWork &work,
                                const TargetInfo &target);

/// For a function without attention: prints the ops that it has.
void printOps(mlir::func::FuncOp entry, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_EXPLAIN_EXPLAIN_H

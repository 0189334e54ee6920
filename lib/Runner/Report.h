//===- Report.h - Tables about a run ----------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_REPORT_H
#define LATTN_LIB_RUNNER_REPORT_H

#include "Measurement.h"
#include "Work.h"

namespace lattn {

/// Like printf's %.*g.
std::string formatNumber(double value, int digits = 4);
/// "12.3 ms", "1.5 MiB".
std::string formatSeconds(double seconds);
std::string formatBytes(int64_t bytes);

/// One row of a table: a label and a value.
void printRow(llvm::raw_ostream &os, llvm::StringRef label,
              const std::string &value);

/// Arguments and results, time and memory.
void printReport(const Signature &signature,
                 llvm::ArrayRef<NumpyArray> arguments,
                 llvm::ArrayRef<NumpyArray> results,
                 const Measurement &measurement, llvm::raw_ostream &os);

/// Of all ops together.
double getUsefulFlops(llvm::ArrayRef<AttentionWork> works,
                      llvm::ArrayRef<MatmulWork> matmuls);

/// What a rate is of the measured peak and of its bound; 0: not known.
struct Reached {
  double bound, ofPeak = 0, ofBound = 0;

  /// `bound` is a share of the peak, above 1 where work has a higher one.
  Reached(double rate, double peak, double bound)
      : bound(bound), ofPeak(peak > 0 ? rate / peak : 0),
        ofBound(bound > 0 ? ofPeak / bound : 0) {}
  bool isBeyondPeak() const { return ofPeak > 1.02 * std::max(1.0, bound); }
  /// More than can be: the measurement of the rate or of the peak was
  /// disturbed.
  bool isDisturbed() const { return isBeyondPeak() || ofBound > 1.05; }
  /// "80 % of peak, 90 % of the bound (89 % of peak)", and whether that can be.
  std::string describe() const;
};

/// What was computed, matrix products included, as a share of the peak (null:
/// not measured) and of what the work allows.
void printRates(llvm::ArrayRef<AttentionWork> works,
                llvm::ArrayRef<MatmulWork> matmuls, bool complete,
                const Measurement &measurement, const Peak *peak,
                llvm::raw_ostream &os);

using Row = std::pair<std::string, std::string>;
/// What an attention op is, costs and can reach, as labels and values.
std::vector<Row> explainWork(const AttentionWork &work,
                             const TargetInfo &target);

/// --explain: a table for each attention op.
void printExplanation(llvm::ArrayRef<AttentionWork> works,
                      const TargetInfo &target, llvm::raw_ostream &os);

/// The same where there is no attention to explain: what there is.
void printOps(mlir::func::FuncOp entry, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_REPORT_H

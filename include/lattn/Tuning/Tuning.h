//===- Tuning.h - Search of tile sizes --------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TUNING_TUNING_H
#define LATTN_TUNING_TUNING_H

#include "lattn/Explain/TileChoices.h"
#include "llvm/Support/JSON.h"
#include <limits>

namespace lattn {

/// Tile sizes, and the least time of a program with them.
struct TileTrial {
  TileSizes sizes;
  double seconds = std::numeric_limits<double>::infinity();
  double bound = 0; // of that program, as a share of the peak
};

/// The search for one kernel; the first trial is the cost model's.
struct KernelTuning {
  std::string kernel;
  std::vector<TileTrial> trials;
  size_t chosen = 0;

  const TileTrial &getModel() const { return trials.front(); }
  const TileTrial &getChosen() const { return trials[chosen]; }
};

/// The kernels of `entry` and the sizes to try.
llvm::Expected<std::vector<KernelTuning>>
findTrials(mlir::func::FuncOp entry, const CompileOptions &options);

using CompileFunction =
    llvm::function_ref<llvm::Expected<Program>(const CompileOptions &)>;

/// Detects measurements that cannot be right.
struct TuningJudge {
  double flops = 0; // useful, in a run; 0: not known, all may be right
  /// Measures the peak once more and returns the highest FLOP/s so far.
  llvm::function_ref<double()> samplePeak;
  /// The bound of a program compiled with these options, as a share of the
  /// peak.
  llvm::function_ref<llvm::Expected<double>(const CompileOptions &)> getBound;
};

/// Times all trials, kernel by kernel, on `arguments`, and chooses sizes. A
/// time that cannot be right is measured again a few times; then it is an
/// error.
llvm::Error runTrials(std::vector<KernelTuning> &kernels,
                      CompileFunction compile,
                      llvm::MutableArrayRef<NumpyArray> arguments,
                      const CompileOptions &options, bool showProgress,
                      const TuningJudge &judge);

/// Prints a table for each kernel. `flops` and `peak` (FLOP/s) are for the
/// shares; 0: not printed.
void printTuning(llvm::ArrayRef<KernelTuning> kernels, double flops,
                 double peak, llvm::raw_ostream &os);

/// The same as JSON.
llvm::json::Array describeTuning(llvm::ArrayRef<KernelTuning> kernels,
                                 double flops, double peak);

/// Stores the chosen sizes in the cache's folder, and prints where.
llvm::Error storeTuning(llvm::ArrayRef<KernelTuning> kernels,
                        const CompileOptions &options, llvm::raw_ostream &os);

} // namespace lattn

#endif // LATTN_TUNING_TUNING_H

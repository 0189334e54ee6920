//===- Measurement.h - What running a function took -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_MEASURE_MEASUREMENT_H
#define LATTN_MEASURE_MEASUREMENT_H

#include "lattn/Execution/Invocation.h"

namespace lattn {

struct MeasureOptions {
  bool benchmark = false; // after one run that does not count
  int64_t repetitions = 10;
  bool progress = false; // on standard error, where it is a terminal
};

struct Measurement {
  double compileSeconds = 0;      // MLIR text to program
  bool fromCache = false;         // and nothing was compiled
  std::vector<double> runSeconds; // sorted; a single one without --benchmark
  int64_t scratchBytes = 0, resultBytes = 0;
  int64_t threads = 1;
  std::string device; // what it ran on, if not on threads

  double getMedian() const { return runSeconds[runSeconds.size() / 2]; }
};

/// Copies of the arguments that a call writes to. They are put back before the
/// next call, so that each call sees the same values.
class Originals {
public:
  static llvm::Expected<Originals>
  create(llvm::MutableArrayRef<NumpyArray> arguments);
  /// To be called after a call.
  void restore();

private:
  llvm::MutableArrayRef<NumpyArray> arguments;
  std::vector<NumpyArray> copies;
  llvm::SmallVector<bool> written; // as the first call showed
};

/// Calls `program`, several times for a benchmark, and returns the results of
/// the last call. Arguments that the code does not write to are unchanged. The
/// others are as the last call left them.
llvm::Expected<std::vector<NumpyArray>>
measure(const Program &program, llvm::MutableArrayRef<NumpyArray> arguments,
        const MeasureOptions &options, Measurement &measurement);

/// The arguments in the form that calls take.
llvm::SmallVector<NumpyArray *>
getPointers(llvm::MutableArrayRef<NumpyArray> arrays);

/// A dense copy.
llvm::Expected<NumpyArray> copyArray(const NumpyArray &array);
llvm::Expected<std::vector<NumpyArray>>
copyArrays(llvm::ArrayRef<NumpyArray> arrays);

/// Seconds since some moment.
double getSeconds();

} // namespace lattn

#endif // LATTN_MEASURE_MEASUREMENT_H

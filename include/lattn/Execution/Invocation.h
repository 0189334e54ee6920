//===- Invocation.h - Calls of a program with arrays of the host -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_INVOCATION_H
#define LATTN_EXECUTION_INVOCATION_H

#include "lattn/Execution/Program.h"

namespace lattn {

class CallMemory;

/// Calls of one program with the same arguments: on the arrays themselves, or
/// on copies of them in the memory of the program's GPU. The program and the
/// arrays outlive it.
class Invocation {
public:
  static llvm::Expected<Invocation>
  create(const Program &program, llvm::ArrayRef<NumpyArray *> arguments);
  Invocation(Invocation &&);
  ~Invocation();

  /// Compiles the kernels of a GPU that it needs. `run` does so otherwise.
  llvm::Error prepare();
  /// Runs to its end and returns the seconds that it took; for a GPU these are
  /// the GPU's own. Replaces the results of an earlier run. On the host the
  /// function writes to the arrays. On a GPU, each run gets fresh copies of
  /// them.
  llvm::Expected<double> run();
  /// Copies of the results of the last run as dense arrays. Arrays that the
  /// function writes to have the values that it left in them.
  llvm::Expected<std::vector<NumpyArray>> getResults();
  void releaseResults();

  /// Bytes of the results that the code allocated.
  int64_t getResultBytes() const;
  /// The most bytes that the code had allocated at one time in the last run.
  int64_t getPeakBytes() const;

private:
  explicit Invocation(const Program &program);
  llvm::Error addArgument(const ValueInfo &info, NumpyArray &array,
                          bool isWritten);
  llvm::Expected<NumpyArray> copyResult(const ValueInfo &info,
                                        const char *field);

  const Program *program;
  /// Descriptors, 8 bytes a field, by argument.
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<int64_t> resultStruct;
  std::vector<void *> pointers;
  std::unique_ptr<CallMemory> memory; // refers to these
};

} // namespace lattn

#endif // LATTN_EXECUTION_INVOCATION_H

//===- CallMemory.h - Where the arrays of a call are ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_JIT_CALLMEMORY_H
#define LATTN_LIB_EXECUTION_JIT_CALLMEMORY_H

#include "lattn/Execution/Program.h"

namespace lattn {

/// The memory of calls of one program, on the host or on a GPU, and how calls
/// run.
class CallMemory {
public:
  virtual ~CallMemory() = default;

  /// The address at which code finds `array`.
  virtual llvm::Expected<void *> addArgument(NumpyArray &array,
                                             bool isWritten) = 0;
  /// Runs the code to its end, and returns the seconds that count.
  virtual llvm::Expected<double> run(void **pointers) = 0;
  /// `bytes` of a result at `from`. `copy` holds them if they must be copied.
  virtual llvm::Expected<const char *> read(const char *from, int64_t bytes,
                                            AlignedBuffer &copy) = 0;
  /// Puts the values that the code wrote into the caller's arrays.
  virtual llvm::Error takeWritten() = 0;
  virtual void releaseResults() = 0;

  virtual int64_t getResultBytes() const = 0;
  int64_t getPeakBytes() const { return peakBytes; }

protected:
  int64_t peakBytes = 0; // in the last run
};

/// The memory of the program's GPU.
llvm::Expected<std::unique_ptr<CallMemory>>
createDeviceMemory(const Program &program);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_JIT_CALLMEMORY_H

//===- CUDACallable.h - Compiled functions of arrays on a GPU ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_CUDACALLABLE_H
#define LATTN_EXECUTION_CUDACALLABLE_H

#include "lattn/Execution/Callable.h"

namespace lattn {

class CUDAKernels;

/// Where a call's work is queued and its memory comes from. Nobody waits for
/// the work.
struct CUDACallContext {
  uint64_t stream = 0; // CUstream
  /// Memory of the GPU at an address, 0 where there is none.
  llvm::function_ref<uint64_t(size_t bytes)> allocate;
  llvm::function_ref<void(uint64_t address)> release;
};

/// A function whose body runs on the host and launches kernels on one GPU. Any
/// number of threads may call it.
class CUDACallable {
public:
  /// As Callable::compileText, for the GPU `ordinal`, from the cache where it
  /// can be. Machine code is ptxas'; without ptxas the driver compiles. An
  /// error while `stream` is captured.
  static llvm::Expected<CUDACallable> compileText(llvm::StringRef text,
                                                  llvm::StringRef bufferName,
                                                  llvm::StringRef entry,
                                                  CompileOptions options,
                                                  int ordinal, uint64_t stream);
  CUDACallable(CUDACallable &&);
  ~CUDACallable();

  const Signature &getSignature() const { return signature; }
  /// As Callable::call, with arrays on the GPU.
  llvm::Error call(void **pointers, const CUDACallContext &context) const;

private:
  CUDACallable();
  Signature signature;
  std::unique_ptr<CUDAKernels> kernels;
  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
};

} // namespace lattn

#endif // LATTN_EXECUTION_CUDACALLABLE_H

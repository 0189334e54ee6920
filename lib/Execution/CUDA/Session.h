//===- Session.h - Runs of a program with arrays of the host ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_SESSION_H
#define LATTN_LIB_EXECUTION_CUDA_SESSION_H

#include "KernelRun.h"
#include "lattn/Runtime/CUDA/Memory.h"

namespace lattn {

/// A program's kernels, a stream, and what its code allocates.
class CUDASession : public KernelRun {
public:
  static llvm::Expected<std::unique_ptr<CUDASession>>
  create(const cuda::DeviceRef &device, const std::string &ptx,
         const std::string &chip);

  /// Calls `packed`, frees what an earlier call allocated, and waits. Returns
  /// the GPU's seconds.
  llvm::Expected<double> run(PackedFunction packed, void **pointers);
  /// Frees what the last call allocated.
  void release() { blocks.clear(); }

  /// The block of the last call's that has `address`, or null.
  const cuda::Memory *find(cuda::DevicePointer address) const;
  const cuda::DeviceRef &getDevice() const { return kernels->getDevice(); }
  cuda::StreamHandle getStream() const { return stream.get(); }
  llvm::Error synchronize() { return toError(stream.synchronize()); }

private:
  CUDASession(std::unique_ptr<CUDAKernels> kernels, cuda::Stream stream,
              cuda::Event begin, cuda::Event end)
      : kernels(std::move(kernels)), stream(std::move(stream)),
        begin(std::move(begin)), end(std::move(end)) {}
  cuda::Result<cuda::DevicePointer> allocate(size_t bytes) override;
  void release(cuda::DevicePointer pointer) override { blocks.erase(pointer); }

  std::unique_ptr<CUDAKernels> kernels;
  cuda::Stream stream;
  cuda::Event begin, end;
  std::map<cuda::DevicePointer, cuda::Memory> blocks;
};

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_SESSION_H

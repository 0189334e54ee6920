//===- Session.h - What running code needs of a GPU -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_SESSION_H
#define LATTN_LIB_EXECUTION_CUDA_SESSION_H

#include "lattn/Execution/Jit.h"
#include "lattn/Runtime/CUDA/Memory.h"
#include "lattn/Runtime/CUDA/Module.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include <map>

namespace lattn {

inline llvm::Error toError(const cuda::Error &error) {
  return error ? llvm::createStringError(error.message())
               : llvm::Error::success();
}

/// A program's kernels, its stream, and what its code allocates. The code calls
/// the session that is its thread's.
class CUDASession {
public:
  static llvm::Expected<std::unique_ptr<CUDASession>>
  create(const cuda::DeviceRef &device, const std::string &ptx,
         const std::string &chip);

  /// What code finds by name.
  static std::vector<std::pair<llvm::StringRef, void *>> getSymbols();

  /// Calls `packed`, frees what an earlier call allocated, and waits. Returns
  /// the GPU's seconds.
  llvm::Expected<double> run(void (*packed)(void **), void **pointers);
  /// Frees what the last call allocated.
  void release() { blocks.clear(); }

  /// The block of the last call's that has `address`, or null.
  const cuda::Memory *find(cuda::DevicePointer address) const;
  const cuda::DeviceRef &getDevice() const { return device; }
  cuda::StreamHandle getStream() const { return stream.get(); }
  llvm::Error synchronize() { return toError(stream.synchronize()); }

private:
  CUDASession(cuda::DeviceRef device, cuda::Module module, cuda::Stream stream,
              cuda::Event begin, cuda::Event end);
  static void *allocate(int64_t bytes);
  static void *allocateAligned(int64_t alignment, int64_t bytes);
  static void free(void *pointer);
  static void launch(const char *kernel, int64_t gridX, int64_t gridY,
                     int64_t gridZ, int64_t blockX, int64_t blockY,
                     int64_t blockZ, int32_t sharedBytes, void **parameters);
  const cuda::Kernel *getKernel(const std::string &name, unsigned sharedBytes);
  void fail(cuda::Error other) {
    if (!error)
      error = std::move(other);
  }

  cuda::DeviceRef device;
  cuda::Module module;
  cuda::Stream stream;
  cuda::Event begin, end;
  std::map<std::pair<std::string, unsigned>, cuda::Kernel> kernels;
  std::map<cuda::DevicePointer, cuda::Memory> blocks;
  cuda::Error error; // the first of a call
};

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_SESSION_H

//===- KernelRun.h - What running code needs of a GPU -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H
#define LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H

#include "lattn/Execution/Jit.h"
#include "lattn/Runtime/CUDA/Module.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include "lattn/Runtime/CUDA/TensorMap.h"
#include <map>
#include <mutex>

namespace lattn {

inline llvm::Error toError(const cuda::Error &error) {
  return error ? llvm::createStringError(error.message())
               : llvm::Error::success();
}

/// The GPU `ordinal`.
llvm::Expected<cuda::DeviceRef> openDevice(int ordinal);

/// What to compile for, where the host's code is compiled, too.
std::string getNativeChip(const cuda::DeviceInfo &info);

/// A program's kernels; any number of threads may use them.
class CUDAKernels {
public:
  /// `image` is PTX or machine code.
  static llvm::Expected<std::unique_ptr<CUDAKernels>>
  load(const cuda::DeviceRef &device, llvm::StringRef image,
       const std::string &chip);

  /// The first time the driver has work to do, which must not be while `stream`
  /// is captured.
  cuda::Result<const cuda::Kernel *>
  get(const std::string &name, unsigned sharedBytes, cuda::StreamHandle stream);
  const cuda::DeviceRef &getDevice() const { return device; }

private:
  CUDAKernels(cuda::DeviceRef device, cuda::Module module)
      : device(std::move(device)), module(std::move(module)) {}

  cuda::DeviceRef device;
  cuda::Module module;
  std::mutex mutex;
  std::map<std::pair<std::string, unsigned>, cuda::Kernel> kernels;
};

/// One run of the host's code at a time. The code calls the run that is its
/// thread's.
class KernelRun {
public:
  virtual ~KernelRun() = default;
  /// What code finds by name.
  static std::vector<std::pair<llvm::StringRef, void *>> getSymbols();

  /// Queues what the code does on `stream`; the first error of it.
  cuda::Error run(CUDAKernels &kernels, cuda::StreamHandle stream,
                  PackedFunction packed, void **pointers);

protected:
  virtual cuda::Result<cuda::DevicePointer> allocate(size_t bytes) = 0;
  virtual void release(cuda::DevicePointer pointer) = 0;

private:
  static void *allocateForCode(int64_t bytes);
  static void *allocateAligned(int64_t alignment, int64_t bytes);
  static void freeOfCode(void *pointer);
  static void makeTensorMap(const int64_t *fields, cuda::TensorMap *map);
  static void launch(const char *kernel, int64_t gridX, int64_t gridY,
                     int64_t gridZ, int64_t blockX, int64_t blockY,
                     int64_t blockZ, int32_t sharedBytes, void **parameters);

  CUDAKernels *kernels = nullptr;
  cuda::StreamHandle stream = nullptr;
  cuda::Error error;
};

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H

//===- KernelRun.h - What running code needs of a GPU -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H
#define LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H

#include "lattn/Execution/Cache.h"
#include "lattn/Runtime/CUDA/Module.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include "lattn/Runtime/CUDA/TensorMap.h"
#include <map>
#include <mutex>
#include <set>

namespace lattn {

inline llvm::Error toError(const cuda::Error &error) {
  return error ? llvm::createStringError(error.message())
               : llvm::Error::success();
}

/// The GPU `ordinal`.
llvm::Expected<cuda::DeviceRef> openDevice(int ordinal);

/// The chip to compile for, if the host's code is compiled as well.
std::string getNativeChip(const cuda::DeviceInfo &info);

/// A program's kernels; any number of threads may use them. A kernel is
/// compiled and loaded when a call needs it.
class CUDAKernels {
public:
  CUDAKernels(cuda::DeviceRef device, std::vector<KernelSource> sources,
              CompileOptions options)
      : device(std::move(device)), sources(std::move(sources)),
        options(std::move(options)) {}

  /// Compiles those of `names` that are not loaded, in parallel. This gives the
  /// driver work, which is not allowed while `stream` is captured.
  llvm::Error load(const std::set<std::string> &names,
                   cuda::StreamHandle stream);
  /// A kernel that ran before; else null.
  const cuda::Kernel *find(const std::string &name, unsigned sharedBytes);
  /// A kernel that is loaded. The same holds for the first call of each.
  cuda::Result<const cuda::Kernel *>
  get(const std::string &name, unsigned sharedBytes, cuda::StreamHandle stream);
  const cuda::DeviceRef &getDevice() const { return device; }

private:
  cuda::DeviceRef device;
  std::vector<KernelSource> sources;
  CompileOptions options;
  std::mutex compiling, mutex; // the latter is that of the maps
  std::map<std::string, cuda::Module> modules;
  std::map<std::pair<std::string, unsigned>, cuda::Kernel> kernels;
};

/// A call of the host's code. Its functions find the run of their thread.
class KernelRun {
public:
  /// Of `code`, which takes `pointers`.
  KernelRun(CUDAKernels &kernels, const DeviceCall &call, PackedFunction code,
            void **pointers)
      : kernels(kernels), call(call), code(code), pointers(pointers) {}
  /// The functions that code finds by name.
  static std::vector<std::pair<llvm::StringRef, void *>> getSymbols();

  /// Compiles and loads the kernels that the call needs.
  cuda::Error prepare();
  /// Queues the work of the code, and returns the first error.
  cuda::Error run();

private:
  void execute();
  /// Whether the rest of the code does nothing.
  bool isOver() const { return error || failed; }
  static void *allocateForCode(int64_t bytes);
  static void *allocateAligned(int64_t alignment, int64_t bytes);
  static void freeOfCode(void *pointer);
  static void fail(const char *message);
  static void makeTensorMap(const int64_t *fields, cuda::TensorMap *map);
  static void launch(const char *kernel, int64_t gridX, int64_t gridY,
                     int64_t gridZ, int64_t blockX, int64_t blockY,
                     int64_t blockZ, int32_t sharedBytes, void **parameters);

  CUDAKernels &kernels;
  const DeviceCall &call;
  PackedFunction code;
  void **pointers;
  /// While it is there, nothing is done but to collect the kernels' names.
  std::set<std::string> *wanted = nullptr;
  cuda::Error error;
  bool failed = false; // a check of the code, whose message lattn_fail keeps
};

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_CUDA_KERNELRUN_H

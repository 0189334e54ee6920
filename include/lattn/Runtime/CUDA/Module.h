//===- Module.h - Compiled kernels and how to launch them -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_MODULE_H
#define LATTN_RUNTIME_CUDA_MODULE_H

#include "lattn/Runtime/CUDA/Device.h"

namespace lattn::cuda {

/// The number of blocks, the threads of each, and the blocks of a cluster.
struct LaunchShape {
  unsigned grid[3] = {1, 1, 1};
  unsigned block[3] = {1, 1, 1};
  unsigned cluster[3] = {1, 1, 1};
};

/// The driver's data on a kernel.
struct KernelInfo {
  int registers = 0;
  int staticSharedBytes = 0;
  int localBytes = 0; // of a thread: spilled registers and arrays
  int maxThreads = 0; // of a block
};

struct LoadedModule;

/// A kernel. It keeps its module loaded.
class Kernel {
public:
  const KernelInfo &getInfo() const { return info; }
  const std::string &getName() const { return name; }

  /// Queues the kernel on the caller's stream (null is the legacy stream) and
  /// returns. It does not allocate or wait, so it may be captured in a graph.
  /// `parameters` are pointers to the kernel's parameters. A grid without
  /// blocks does nothing.
  Error launch(const LaunchShape &shape, void **parameters,
               StreamHandle stream) const;

private:
  friend class Module;
  Kernel() = default;
  Error checkShape(const LaunchShape &shape) const;

  std::shared_ptr<const LoadedModule> module;
  std::string name;
  FunctionHandle function = nullptr;
  KernelInfo info;
  unsigned sharedBytes = 0; // dynamic
};

class Module {
public:
  /// Loads PTX text, a cubin or a fat binary. `chip` is the chip that it was
  /// compiled for, such as "sm_90a"; errors name it.
  static Result<Module> load(DeviceRef device, const void *image, size_t size,
                             const std::string &chip = {});

  /// The kernel `name`, each of whose blocks gets `sharedBytes` of dynamic
  /// shared memory.
  Result<Kernel> getKernel(const std::string &name,
                           unsigned sharedBytes = 0) const;

private:
  explicit Module(std::shared_ptr<const LoadedModule> loaded)
      : loaded(std::move(loaded)) {}
  std::shared_ptr<const LoadedModule> loaded;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_MODULE_H

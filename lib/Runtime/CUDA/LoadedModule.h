//===- LoadedModule.h - A module of kernels on a device ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNTIME_CUDA_LOADEDMODULE_H
#define LATTN_LIB_RUNTIME_CUDA_LOADEDMODULE_H

#include "lattn/Runtime/CUDA/Module.h"

namespace lattn::cuda {

struct LoadedModule {
  DeviceRef device;
  std::string chip;
  ModuleHandle handle = nullptr;

  ~LoadedModule() {
    if (!handle)
      return;
    ContextScope scope(*device);
    (void)device->cu().cuModuleUnload(handle);
  }

  /// "for sm_90a; the device 'NAME' is sm_90".
  std::string describe() const {
    std::string text = chip.empty() ? "" : "for " + chip + "; ";
    return text + device->getInfo().describe();
  }
};

} // namespace lattn::cuda

#endif // LATTN_LIB_RUNTIME_CUDA_LOADEDMODULE_H

//===- CallOn.h - Calls of the driver on a device ---------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNTIME_CUDA_CALLON_H
#define LATTN_LIB_RUNTIME_CUDA_CALLON_H

#include "lattn/Runtime/CUDA/Device.h"

namespace lattn::cuda {

/// Calls the driver's function `call` with the context of `device`. Errors call
/// the function `name`.
template <typename Function, typename... Arguments>
Error callOn(const Device &device, Function call, const char *name,
             Arguments... arguments) {
  ContextScope scope(device);
  if (Error error = scope.takeError())
    return error;
  return device.check(call(arguments...), name);
}

} // namespace lattn::cuda

#endif // LATTN_LIB_RUNTIME_CUDA_CALLON_H

//===- Image.h - What a module is loaded from -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNTIME_CUDA_IMAGE_H
#define LATTN_LIB_RUNTIME_CUDA_IMAGE_H

#include "lattn/Runtime/CUDA/Error.h"
#include <cstddef>

namespace lattn::cuda {

/// The driver reads images without knowing their size, so an image that it
/// could read beyond its end is an error here. So is PTX that is newer than the
/// driver, `driverVersion`. Text must end with a zero: if `text` is not empty,
/// it is to be loaded instead.
Error checkImage(const void *image, size_t size, int driverVersion,
                 std::string &text);

/// The first driver that takes PTX of the ISA `major`.`minor`, in the form of
/// cuDriverGetVersion.
int getDriverForPTX(int major, int minor);

} // namespace lattn::cuda

#endif // LATTN_LIB_RUNTIME_CUDA_IMAGE_H

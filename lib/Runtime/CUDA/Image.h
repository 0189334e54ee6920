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

/// The driver reads images without knowing their size: what it could read
/// beyond is an error here. PTX that is newer than the driver, `driverVersion`,
/// is one, too. Text is terminated: `text` is to be loaded where it is not
/// empty.
Error checkImage(const void *image, size_t size, int driverVersion,
                 std::string &text);

/// The first driver that takes PTX of the ISA `major`.`minor`, as
/// cuDriverGetVersion has it.
int getDriverForPTX(int major, int minor);

} // namespace lattn::cuda

#endif // LATTN_LIB_RUNTIME_CUDA_IMAGE_H

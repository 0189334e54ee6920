//===- PackTile.h - Copies of tiles, packed ---------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_PACKTILE_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_PACKTILE_H

#include "KernelBuilder.h"
#include "KernelFunctions.h"

namespace lattn {

/// A view of `matrix` with rows and columns exchanged.
mlir::Value exchangeAxes(KernelBuilder &k, mlir::Value matrix);

/// `tile`, a matrix, typed without its sizes and strides, so that all tiles can
/// share a function.
mlir::Value castToAnyTile(KernelBuilder &k, mlir::Value tile);

/// Copies `source` to the corner of `target` and converts it. `width` is the
/// width of most tiles, in whole vectors.
void copyTile(KernelBuilder &k, KernelFunctions &functions, mlir::Value source,
              mlir::Value target, int64_t width);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_PACKTILE_H

//===- StageRows.h - Rows of keys and values for kernels ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_STAGEROWS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_STAGEROWS_H

#include "KernelBuilder.h"
#include "KernelFunctions.h"

namespace lattn {

/// A tile of keys or values as rows of unit stride of `element`: in place where
/// it is that already, else copied to scratch. Also copied where rows lie a
/// multiple of 4 KiB apart and would fall on each other in L1, unless any
/// distance is good.
mlir::Value stageRows(KernelBuilder &k, KernelFunctions &functions,
                      mlir::Value tile, int64_t maxRows, mlir::Type element,
                      bool anyDistance = false);
/// The same for squares of `rows` x `width`: what a tile lacks of the last is
/// 0.
mlir::Value stageSquares(KernelBuilder &k, KernelFunctions &functions,
                         mlir::Value tile, int64_t maxRows, int64_t rows,
                         int64_t width);

/// Rows [from, to), whole vectors each, to 0.
void clearRows(KernelBuilder &k, mlir::Value rows, mlir::Value from,
               mlir::Value to);

/// `rows` as rows without gaps, and whether they are. Rows at a distance that
/// the code knows share a pointer. Without that, many rows take so many
/// instructions for addresses that FMAs wait. Null where the type says it.
struct DenseRows {
  mlir::Value rows, isDense;
};
DenseRows findDenseRows(KernelBuilder &k, mlir::Value rows);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_STAGEROWS_H

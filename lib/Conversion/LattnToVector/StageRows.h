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

/// A tile of keys or values as rows of unit stride of `element`. If the tile
/// already has this form it is used in place, else it is copied to scratch.
/// Rows that lie a multiple of 4 KiB apart would share a set of L1, so they are
/// copied as well, unless any distance is good.
mlir::Value stageRows(KernelBuilder &k, KernelFunctions &functions,
                      mlir::Value tile, int64_t maxRows, mlir::Type element,
                      bool anyDistance = false);
/// The same for squares of `rows` x `width`. The part of the last one that the
/// tile does not have is 0.
mlir::Value stageSquares(KernelBuilder &k, KernelFunctions &functions,
                         mlir::Value tile, int64_t maxRows, int64_t rows,
                         int64_t width);

/// A copy of the last of `count` rows, which begin at a multiple of
/// `blockRows`, as a block. Its other rows are equal to the last one if
/// `repeatsLast`, else 0. All are undefined if all blocks are whole.
mlir::Value copyLastBlock(KernelBuilder &k, mlir::Value rows, mlir::Value count,
                          int64_t blockRows, bool repeatsLast);
/// The rows of `matrix` from `firstRow` on. `isPartial`: it is the last block,
/// of which only some rows exist.
struct BlockOfRows {
  mlir::Value matrix, firstRow, isPartial;
};
/// The block of `rows` that begins with row `first`. If it goes beyond `count`,
/// it is read from `lastBlock`, which copyLastBlock made.
BlockOfRows chooseBlock(KernelBuilder &k, mlir::Value rows, mlir::Value first,
                        mlir::Value count, mlir::Value lastBlock);

/// Sets rows [from, to), each of whole vectors, to 0.
void clearRows(KernelBuilder &k, mlir::Value rows, mlir::Value from,
               mlir::Value to);

/// `rows` as rows without gaps, and whether they are. Rows at a distance that
/// the code knows share a pointer. Without that, many rows take so many
/// instructions for addresses that FMAs wait. Null if the type already says it.
struct DenseRows {
  mlir::Value rows, isDense;
};
DenseRows findDenseRows(KernelBuilder &k, mlir::Value rows);

/// `rows` as a type that says of their number nothing, and of their distance
/// what it said.
mlir::Value asAnyNumber(KernelBuilder &k, mlir::Value rows);
/// The same for rows of unit stride, at a distance that the type does not tell.
mlir::Value asAnyDistance(KernelBuilder &k, mlir::Value rows);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_STAGEROWS_H

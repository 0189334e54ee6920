//===- TiledRows.h - What a loop over tiles multiplies with -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// Of the loop itself, not of those in it.
llvm::SmallVector<fragment::MultiplyOp> getMultiplies(mlir::scf::ForOp loop);

/// The rows that `multiply` reads in an iteration of `loop`: a subview from the
/// loop's index of a matrix from outside. Null if they are no such.
mlir::memref::SubViewOp getTiledRows(fragment::MultiplyOp multiply,
                                     mlir::scf::ForOp loop);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H

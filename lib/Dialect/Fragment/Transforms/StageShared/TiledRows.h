//===- TiledRows.h - What steps over key tiles multiply with ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace lattn {

/// The products of a step.
llvm::SmallVector<fragment::MultiplyOp> getMultiplies(SweepKeysOp sweep);

/// The rows that `multiply` reads in a step of `sweep`: a subview, from the
/// step's first key on, of a matrix from outside. Null if it reads something
/// else.
mlir::memref::SubViewOp getTiledRows(fragment::MultiplyOp multiply,
                                     SweepKeysOp sweep);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_TILEDROWS_H

//===- DropWeights.h - Dropout of a tile's weights on vectors ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_DROPWEIGHTS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_DROPWEIGHTS_H

#include "KernelBuilder.h"

namespace lattn {

/// Applies `dropout` (p, seed, offset, heads) to `vectors` vectors of each
/// key's row, in each of `weights`. The vectors start at `firstColumn` and
/// belong to the tile's queries from `firstQuery` on.
void dropWeights(KernelBuilder &k, AttentionOpInterface op,
                 mlir::ValueRange dropout, mlir::ValueRange weights,
                 mlir::Value numKeys, mlir::Value firstQuery,
                 mlir::Value firstColumn, int64_t vectors);

/// The same for one query, `row`, whose weights lie in that row of `weights`.
void dropRow(KernelBuilder &k, OnlineAttentionOp op, mlir::Value weights,
             mlir::Value numKeys, mlir::Value row);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_DROPWEIGHTS_H

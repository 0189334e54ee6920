//===- KeptPairs.h - Dropout on fragments -----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_KEPTPAIRS_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_KEPTPAIRS_H

#include "TileMath.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// A tile of i1 of `columns` columns: whether the dropout (p, seed, offset,
/// heads) of the step `op` keeps a pair. Rows of the tile are the step's
/// queries and columns its keys, or, if `rowsAreKeys`, the other way round.
mlir::Value buildKeptPairs(TileMath &math, AttentionOpInterface op,
                           mlir::ValueRange dropout, int64_t columns,
                           bool rowsAreKeys);

/// `tile`, with 0 where such a tile says that a pair is dropped.
mlir::Value dropPairs(TileMath &math, mlir::Value tile, mlir::Value kept);

/// 1 / (1 - p) of such a dropout, by which a sum of weights that it keeps is
/// multiplied; 0 where it keeps none.
mlir::Value buildDropoutScale(TileMath &math, mlir::ValueRange dropout);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_KEPTPAIRS_H

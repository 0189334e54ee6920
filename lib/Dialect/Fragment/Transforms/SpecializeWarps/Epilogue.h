//===- Epilogue.h - Outputs that are stored by tensor maps ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_EPILOGUE_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_EPILOGUE_H

#include "Ring.h"
#include "TMASource.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"

namespace lattn {

/// Where a work tile's output goes. It is written to the shared memory of its
/// queries, which nobody reads any more, and copied on while the next work tile
/// is computed.
struct TMAEpilogue {
  fragment::StoreOp store;
  TMASource dest;
  mlir::Value map;
};

/// Finds the store of the work tile's output, which is made of the tiles
/// `output`, if tensor maps may store it and it fits the shared memory of
/// `queries`.
std::optional<TMAEpilogue> findTMAEpilogue(mlir::gpu::LaunchOp launch,
                                           fragment::TileType output,
                                           const Ring &queries);

/// Replaces the store. The output may use the shared memory of the queries only
/// where `isFree` is true. The tensor map leaves out rows beyond those of the
/// array. If the array has such rows of other heads, threads store them. A
/// thread of each group goes on when the shared memory may be written again.
void storeByTMA(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch,
                TMAEpilogue &output, RingBuilder &rings, const Ring &queries,
                mlir::Value isFree);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_EPILOGUE_H

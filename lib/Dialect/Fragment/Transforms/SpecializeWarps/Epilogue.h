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

/// Where an output of a work tile goes. It is written to the shared memory of
/// `ring`, as that of its queries, which nobody reads any more, and copied on
/// while the next work tile is computed.
struct TMAEpilogue {
  fragment::StoreOp store;
  TMASource dest;
  Ring *ring;
  mlir::Value map;
};

/// Finds the stores of the work tile's outputs that tensor maps may do and that
/// fit the shared memory of one of `residents` each.
llvm::SmallVector<TMAEpilogue>
findTMAEpilogues(mlir::gpu::LaunchOp launch, llvm::ArrayRef<Ring *> residents);

/// Replaces the store. The output may use the ring's shared memory only where
/// `isFree` is true. The tensor map leaves out rows beyond those of the array.
/// If the array has such rows of other heads, threads store them. A thread of
/// each group goes on when the shared memory may be written again.
void storeByTMA(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch,
                TMAEpilogue &output, RingBuilder &rings, mlir::Value isFree);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_EPILOGUE_H

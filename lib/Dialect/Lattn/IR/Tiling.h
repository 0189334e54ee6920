//===- Tiling.h - What the tiling interfaces of several ops share -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_TILING_H
#define LATTN_LIB_DIALECT_LATTN_IR_TILING_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// Whether an extent is at most 1. Tiling by 1 clamps extents so if the loop's
/// bounds are not known.
bool isAtMostOne(mlir::OpFoldResult extent);

/// Extents of a tensor or memref.
llvm::SmallVector<mlir::OpFoldResult>
getMixedExtents(mlir::OpBuilder &b, mlir::Location loc, mlir::Value shaped);

/// The unit-stride slice of a tensor or memref, of the same rank; `slices`
/// collects the op. A slice that covers everything is the value itself.
mlir::Value sliceOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value shaped,
                    llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    llvm::SmallVectorImpl<mlir::Operation *> &slices);

/// The heads of key and value that a tile of query heads reads.
struct HeadTile {
  mlir::OpFoldResult offset, size;
};

/// Fails, with an error on `op`, if no slice of key has exactly the key heads
/// that the tile's heads read.
mlir::FailureOr<HeadTile> getKvHeadTile(mlir::OpBuilder &b, mlir::Operation *op,
                                        mlir::OpFoldResult heads,
                                        mlir::OpFoldResult kvHeads,
                                        mlir::OpFoldResult offset,
                                        mlir::OpFoldResult size);

/// a + b, a - b as folded index values.
mlir::OpFoldResult addIndices(mlir::OpBuilder &b, mlir::Location loc,
                              mlir::OpFoldResult lhs, mlir::OpFoldResult rhs);

/// The origin of the tile of `op` at local coordinates `tile`.
llvm::SmallVector<mlir::Value>
getTileOrigin(mlir::OpBuilder &b, AttentionOpInterface op,
              const mlir::OpFoldResult (&tile)[4]);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_TILING_H

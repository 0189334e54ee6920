//===- WorkTiles.h - A block's loop over its work tiles ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILES_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// The work tiles that a launch's blocks walk through.
struct WorkTiles {
  mlir::Value all;    // of the launch
  mlir::Value tiles;  // of a head
  int64_t rows, step; // of a tile; positions of a step
  /// In shared memory: the order that `orderWorkTiles` gives the block. None if
  /// each work tile has a block.
  mlir::Value order;
};

/// Writes a block's order to shared memory: the words after the first.
/// `countSteps` gives the steps over keys of a tile.
void storeOrder(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch,
                const WorkTiles &workTiles,
                llvm::function_ref<mlir::Value(mlir::Value)> countSteps);

/// A loop over the work tiles of a block.
class WorkTileLoop {
public:
  /// Leaves `b` inside the loop, which is not ended yet.
  WorkTileLoop(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch,
               const WorkTiles &workTiles, mlir::ValueRange inits);

  /// Ends the loop.
  void yield(mlir::OpBuilder &b, mlir::ValueRange next);

  mlir::Value getWorkTile() const { return workTile; }
  /// How many work tiles came before, as i32.
  mlir::Value getNumber() const { return loop.getInductionVar(); }
  mlir::ValueRange getCarried() const {
    return mlir::ValueRange(loop.getRegionIterArgs());
  }
  mlir::Block *getBody() const { return loop.getBody(); }

private:
  mutable mlir::scf::ForOp loop;
  mlir::Value workTile;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_WORKTILES_H

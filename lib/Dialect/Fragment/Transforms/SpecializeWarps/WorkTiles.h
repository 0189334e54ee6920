//===- Items.h - A block's loop over its items ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMS_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// The items of the blocks that walk a launch's.
struct Items {
  mlir::Value all;   // the launch's
  mlir::Value tiles; // of queries: an item is `tile` of a head
  mlir::Value tile;
  /// Keys of the tile, which is where `tile` is replaced by a number.
  int64_t queries, keys; // of a tile and of a step
  /// In shared memory: what `orderItems` tells the block; none where each item
  /// has a block.
  mlir::Value order;
};

/// Writes a block's order to shared memory: the words after the first.
/// `countSteps` gives the steps over keys of a tile.
void storeOrder(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch,
                const Items &items,
                llvm::function_ref<mlir::Value(mlir::Value)> countSteps);

/// A loop over the items of a block.
class ItemLoop {
public:
  /// Leaves `b` in the loop, which has no end yet.
  ItemLoop(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch, const Items &items,
           mlir::ValueRange inits);

  /// Ends the loop.
  void yield(mlir::OpBuilder &b, mlir::ValueRange next);

  mlir::Value getItem() const { return item; }
  /// How many items came before, as i32.
  mlir::Value getNumber() const { return loop.getInductionVar(); }
  mlir::ValueRange getCarried() const {
    return mlir::ValueRange(loop.getRegionIterArgs());
  }
  mlir::Block *getBody() const { return loop.getBody(); }

private:
  mutable mlir::scf::ForOp loop;
  mlir::Value item;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_ITEMS_H

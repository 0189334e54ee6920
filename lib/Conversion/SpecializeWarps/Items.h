//===- Items.h - A block's loop over its items ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_SPECIALIZEWARPS_ITEMS_H
#define LATTN_LIB_CONVERSION_SPECIALIZEWARPS_ITEMS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// A loop over the items of a block, of which there are more than blocks.
class ItemLoop {
public:
  /// The last of all `items` comes first: a causal window shows its queries the
  /// most keys. Blocks take turns from both ends, so that none has the largest
  /// of each round. Leaves `b` in the loop, which has no end yet.
  ItemLoop(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch, mlir::Value items,
           mlir::ValueRange inits);

  /// Ends the loop.
  void yield(mlir::OpBuilder &b, mlir::ValueRange next);

  mlir::Value getItem() const { return item; }
  /// How many items came before, as i32.
  mlir::Value getNumber() const { return loop.getRegionIterArg(0); }
  mlir::ValueRange getCarried() const {
    return mlir::ValueRange(loop.getRegionIterArgs()).drop_front();
  }
  mlir::ValueRange getResults() const {
    return mlir::ValueRange(loop.getResults()).drop_front();
  }
  mlir::Block *getBody() const { return loop.getBody(); }

private:
  mutable mlir::scf::ForOp loop;
  mlir::Value item;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_SPECIALIZEWARPS_ITEMS_H

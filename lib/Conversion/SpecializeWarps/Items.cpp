//===- Items.cpp - A block's loop over its items --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Items.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace lattn;

/// What is the same for all items is computed for each, where it is wanted: no
/// registers hold it while products take all of them.
static void stayInside(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto yes = BoolAttr::get(context, true);
  auto licm = LLVM::LoopLICMAttr::get(context, /*disable=*/yes,
                                      /*versioningDisable=*/BoolAttr());
  loop->setDiscardableAttr(
      "llvm.loop_annotation",
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, {}, {}, licm, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
}

ItemLoop::ItemLoop(OpBuilder &b, gpu::LaunchOp launch, Value items,
                   ValueRange inits) {
  Location loc = launch.getLoc();
  Type i32 = b.getI32Type();
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, i32, value);
  };
  // Registers are few where copies are started.
  Value block = narrow(launch.getBlockIds().x);
  Value blocks = narrow(launch.getGridSizeX()), all = narrow(items);
  SmallVector<Value> carried = {arith::ConstantIntOp::create(b, loc, 0, 32)};
  llvm::append_range(carried, inits);
  if (items == launch.getGridSizeX()) { // each block has one
    Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
    loop = scf::ForOp::create(b, loc, carried[0], one, one, carried);
    b.setInsertionPointToStart(loop.getBody());
    item = launch.getBlockIds().x;
    return;
  }
  loop = scf::ForOp::create(b, loc, block, all, blocks, carried);
  stayInside(loop);
  b.setInsertionPointToStart(loop.getBody());
  Value place = loop.getInductionVar();
  // In odd rounds the block is as far from the round's end as from its start.
  Value end = arith::SubIOp::create(b, loc, place, block);
  end = arith::AddIOp::create(b, loc, end, blocks);
  end = arith::MinSIOp::create(b, loc, end, all);
  Value turned = arith::SubIOp::create(b, loc, end, block);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value straight = arith::AddIOp::create(b, loc, place, one);
  Value isOdd = arith::TruncIOp::create(b, loc, b.getI1Type(), getNumber());
  Value fromEnd = arith::SelectOp::create(b, loc, isOdd, turned, straight);
  fromEnd = arith::SubIOp::create(b, loc, all, fromEnd);
  item = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), fromEnd);
}

void ItemLoop::yield(OpBuilder &b, ValueRange next) {
  Location loc = loop.getLoc();
  b.setInsertionPointToEnd(loop.getBody());
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32);
  Value number = arith::AddIOp::create(b, loc, getNumber(), one);
  SmallVector<Value> all = {number};
  llvm::append_range(all, next);
  scf::YieldOp::create(b, loc, all);
  IRRewriter rewriter(b);
  (void)loop.promoteIfSingleIteration(rewriter);
}

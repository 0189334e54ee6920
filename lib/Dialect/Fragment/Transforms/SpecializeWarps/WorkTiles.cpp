//===- WorkTiles.cpp - A block's loop over its work tiles -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkTiles.h"
#include "WorkTileOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

/// What is the same for all work tiles is computed for each, where it is
/// wanted: no registers hold it while products take all of them.
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

//===----------------------------------------------------------------------===//
// The arithmetic of WorkTileOrder.h as IR
//===----------------------------------------------------------------------===//

namespace {
/// An i32 that is not negative, or an i1.
struct Number {
  OpBuilder *b;
  Location loc;
  Value value;

  Number get(int64_t constant) const {
    return {b, loc, arith::ConstantIntOp::create(*b, loc, constant, 32)};
  }
  template <typename Op> Number compute(Number other) const {
    return {b, loc, b->createOrFold<Op>(loc, value, other.value)};
  }
};

Number operator+(Number x, Number y) { return x.compute<arith::AddIOp>(y); }
Number operator-(Number x, Number y) { return x.compute<arith::SubIOp>(y); }
Number operator*(Number x, Number y) { return x.compute<arith::MulIOp>(y); }
Number operator/(Number x, Number y) { return x.compute<arith::DivUIOp>(y); }
Number operator%(Number x, Number y) { return x.compute<arith::RemUIOp>(y); }
Number operator<(Number x, Number y) {
  return {x.b, x.loc,
          x.b->createOrFold<arith::CmpIOp>(x.loc, arith::CmpIPredicate::slt,
                                           x.value, y.value)};
}
Number operator+(Number x, int64_t y) { return x + x.get(y); }
Number operator-(Number x, int64_t y) { return x - x.get(y); }
Number operator*(Number x, int64_t y) { return x * x.get(y); }
Number operator/(Number x, int64_t y) { return x / x.get(y); }
Number operator%(Number x, int64_t y) { return x % x.get(y); }
Number operator<(Number x, int64_t y) { return x < x.get(y); }

Number choose(Number condition, Number yes, Number no) {
  OpBuilder &b = *condition.b;
  return {&b, condition.loc,
          b.createOrFold<arith::SelectOp>(condition.loc, condition.value,
                                          yes.value, no.value)};
}
Number choose(Number condition, Number yes, int64_t no) {
  return choose(condition, yes, yes.get(no));
}
Number choose(Number condition, int64_t yes, Number no) {
  return choose(condition, no.get(yes), no);
}
} // namespace

/// The members in the order that they have in shared memory, after a word.
static constexpr Number WorkTileOrder<Number>::*kMembers[] = {
    &WorkTileOrder<Number>::tiles, &WorkTileOrder<Number>::begin,
    &WorkTileOrder<Number>::end,   &WorkTileOrder<Number>::front,
    &WorkTileOrder<Number>::back,  &WorkTileOrder<Number>::pairs,
    &WorkTileOrder<Number>::count};

static Number narrow(OpBuilder &b, Location loc, Value value) {
  return {&b, loc,
          b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), value)};
}

void lattn::storeOrder(OpBuilder &b, gpu::LaunchOp launch,
                       const WorkTiles &workTiles,
                       llvm::function_ref<Value(Value)> countSteps) {
  Location loc = launch.getLoc();
  auto number = [&](Value value) { return narrow(b, loc, value); };
  Number tiles = number(workTiles.tiles);
  TileWork<Number> work = {tiles, number(workTiles.all) / tiles, workTiles.rows,
                           workTiles.step};
  WorkTileOrder<Number> order = orderWorkTiles(
      work,
      [&](Number tile) {
        return number(countSteps(b.createOrFold<arith::IndexCastOp>(
            loc, b.getIndexType(), tile.value)));
      },
      number(launch.getBlockIds().x), number(launch.getGridSize().x));
  for (auto [i, member] : llvm::enumerate(kMembers)) {
    Value at = arith::ConstantIndexOp::create(b, loc, 1 + i);
    memref::StoreOp::create(b, loc, (order.*member).value, workTiles.order, at);
  }
}

static Number load(OpBuilder &b, Location loc, const WorkTiles &workTiles,
                   size_t i) {
  Value at = arith::ConstantIndexOp::create(b, loc, 1 + i);
  return {&b, loc, memref::LoadOp::create(b, loc, workTiles.order, at)};
}

static WorkTileOrder<Number> loadOrder(OpBuilder &b, Location loc,
                                       const WorkTiles &workTiles) {
  Number any = {&b, loc, Value()};
  WorkTileOrder<Number> order = {any, any, any, any, any, any, any};
  for (auto [i, member] : llvm::enumerate(kMembers))
    order.*member = load(b, loc, workTiles, i);
  return order;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

WorkTileLoop::WorkTileLoop(OpBuilder &b, gpu::LaunchOp launch,
                           const WorkTiles &workTiles, ValueRange inits) {
  Location loc = launch.getLoc();
  Value zero = arith::ConstantIntOp::create(b, loc, 0, 32);
  Value one = arith::ConstantIntOp::create(b, loc, 1, 32), count = one;
  if (workTiles.order)
    count = load(b, loc, workTiles, std::size(kMembers) - 1).value;
  loop = scf::ForOp::create(b, loc, zero, count, one, inits);
  b.setInsertionPointToStart(loop.getBody());
  workTile = launch.getBlockIds().x;
  if (!workTiles.order)
    return;
  stayInside(loop);
  // Registers are few where copies are started.
  Number place = lattn::getWorkTile(loadOrder(b, loc, workTiles),
                                    Number{&b, loc, loop.getInductionVar()},
                                    narrow(b, loc, launch.getBlockIds().x),
                                    narrow(b, loc, launch.getGridSize().x));
  workTile =
      b.createOrFold<arith::IndexCastUIOp>(loc, b.getIndexType(), place.value);
}

void WorkTileLoop::yield(OpBuilder &b, ValueRange next) {
  if (!next.empty()) { // else it has an end
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loop.getLoc(), next);
  }
  IRRewriter rewriter(b);
  (void)loop.promoteIfSingleIteration(rewriter);
}

//===- Producer.cpp - The role that copies --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Specializer.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

void Specializer::produce(Block *role) {
  b.setInsertionPointToStart(role);
  Value one = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                    launch.getThreadIds().x,
                                    index(output.getThreads()));
  auto leader = scf::IfOp::create(b, loc, one);
  b.setInsertionPointToStart(leader.thenBlock());
  WorkTileLoop tileLoop(b, launch, workTiles, {i32(0), no()});
  Progress before = {tileLoop.getCarried()[0], tileLoop.getCarried()[1]};
  IRMapping mapping;
  mapping.map(workTile.getNumber(), tileLoop.getWorkTile());
  for (Operation *op : tileOps)
    if (addresses.contains(op))
      b.clone(*op, mapping);
  auto at = [&](TMASource source) {
    for (OpFoldResult &offset : source.first)
      if (auto value = dyn_cast<Value>(offset))
        offset = mapping.lookupOrDefault(value);
    return source;
  };
  Value first = mapping.lookupOrDefault(sweep.getFirstKey());
  Value last = mapping.lookupOrDefault(sweep.getEndKey());
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), value);
  };
  auto keys = scf::ForOp::create(b, loc, narrow(first), narrow(last), i32(step),
                                 before.tiles);
  Progress next;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(keys.getBody());
    Value key = keys.getInductionVar(), number = keys.getRegionIterArg(0);
    Value row = arith::IndexCastOp::create(b, loc, b.getIndexType(), key);
    PipelineStage stage = rings->getPipelineStage(number, stages);
    rings->fill(*keyRing, at(keyRing->source), row, stage);
    // The queries before are wanted longer than the first stages of keys.
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, key,
                                          keys.getLowerBound());
    auto once = scf::IfOp::create(b, loc, isFirst);
    b.setInsertionPointToStart(once.thenBlock());
    rings->fill(*queryRing, at(queryRing->source), index(0),
                getQueryStage(before.queries));
    b.setInsertionPointAfter(once);
    rings->fill(*valueRing, at(valueRing->source), row, stage);
    Value another = arith::AddIOp::create(b, loc, number, i32(1));
    scf::YieldOp::create(b, loc, another);
  }
  // Of two rounds only the parities differ.
  next.tiles =
      arith::RemUIOp::create(b, loc, keys.getResult(0), i32(2 * stages));
  next.queries =
      arith::XOrIOp::create(b, loc, before.queries, isAnyTile(first, last));
  tileLoop.yield(b, {next.tiles, next.queries});
}

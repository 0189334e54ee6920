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
                                    index(getConsumerThreads()));
  auto leader = scf::IfOp::create(b, loc, one);
  b.setInsertionPointToStart(leader.thenBlock());
  WorkTileLoop tileLoop(b, launch, workTiles, {i32(0), no()});
  Progress before = {tileLoop.getCarried()[0], tileLoop.getCarried()[1]};
  IRMapping mapping;
  mapping.map(workTile.getNumber(), tileLoop.getWorkTile());
  for (Operation *op : tileOps)
    if (addresses.contains(op))
      b.clone(*op, mapping);
  auto copy = [&](const Ring &ring, const IRMapping &at, Value barriers,
                  PipelineStage stage) {
    TMASource source = ring.source;
    for (OpFoldResult &offset : source.first)
      if (auto value = dyn_cast<Value>(offset))
        offset = at.lookupOrDefault(value);
    rings->copy(ring, source, barriers, stage.stage);
  };
  auto fill = [&](const Ring &ring, const IRMapping &at, PipelineStage stage) {
    rings->open(ring, stage);
    copy(ring, at, ring.full, stage);
  };
  Value first = mapping.lookupOrDefault(sweep.getFirstKey());
  Value last = mapping.lookupOrDefault(sweep.getEndKey());
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), value);
  };
  auto steps = scf::ForOp::create(b, loc, narrow(first), narrow(last),
                                  i32(step), before.tiles);
  Progress next;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(steps.getBody());
    Value at = steps.getInductionVar(), number = steps.getRegionIterArg(0);
    IRMapping inStep = mapping;
    inStep.map(
        sweep.getKey(),
        arith::IndexCastOp::create(b, loc, b.getIndexType(), at).getResult());
    for (StreamRing &stream : streams)
      for (Operation *finder : stream.finders)
        if (!inStep.contains(finder))
          b.clone(*finder, inStep);
    PipelineStage stage = rings->getPipelineStage(number, stages);
    for (StreamRing &stream : streams) {
      if (stream.ring.follows)
        continue;
      fill(stream.ring, inStep, stage);
      for (StreamRing &other : streams)
        if (other.ring.follows && &getLeader(other) == &stream)
          copy(other.ring, inStep, stream.ring.full, stage);
      if (&stream != &streams.front())
        continue;
      // The residents before are wanted longer than the first stages.
      Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            at, steps.getLowerBound());
      auto once = scf::IfOp::create(b, loc, isFirst);
      b.setInsertionPointToStart(once.thenBlock());
      for (Resident &resident : residents)
        fill(resident.ring, mapping, getResidentStage(before.residents));
      b.setInsertionPointAfter(once);
    }
    Value another = arith::AddIOp::create(b, loc, number, i32(1));
    scf::YieldOp::create(b, loc, another);
  }
  // Of two rounds only the parities differ.
  next.tiles =
      arith::RemUIOp::create(b, loc, steps.getResult(0), i32(2 * stages));
  next.residents =
      arith::XOrIOp::create(b, loc, before.residents, isAnyTile(first, last));
  tileLoop.yield(b, {next.tiles, next.residents});
}

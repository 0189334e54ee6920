//===- Consumer.cpp - The role that computes ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Specializer.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::MultiplyOp;
using fragment::TileType;
using fragment::WarpgroupMultiplyOp;
using fragment::WarpgroupWaitOp;

/// Whether the sum starts from nothing.
static bool isZero(Value accumulator) {
  auto splat = accumulator.getDefiningOp<fragment::SplatOp>();
  return splat && matchPattern(splat.getScalar(), m_AnyZeroFloat());
}

/// The first op of the step that uses what `op` results in.
static Operation *getFirstUser(Operation *op) {
  Block *block = op->getBlock();
  Operation *first = block->getTerminator();
  for (Operation *user : op->getUsers()) {
    user = block->findAncestorOpInBlock(*user);
    if (user->isBeforeInBlock(first))
      first = user;
  }
  return first;
}

/// What a step reads of `use`. Who is first waits for it.
Value Specializer::enter(OpOperand &use, Value tilesBefore) {
  StreamRing &stream = getStream(use), &leader = getLeader(stream);
  PipelineStage at =
      getPipelineStage(sweep.getKey(), sweep.getFirstKey(), tilesBefore);
  if (!std::exchange(leader.isThere, true))
    rings->waitFor(leader.ring.full, at);
  return rings->getTiles(stream.ring, at.stage);
}

/// Gives the sums that a step computes before its first product registers of
/// their own there: ptxas would wait for products before it copies them.
static void takeRegisters(OpBuilder &b, ArrayRef<MultiplyOp> multiplies) {
  MultiplyOp first = multiplies.front();
  b.setInsertionPoint(first);
  for (MultiplyOp multiply : multiplies) {
    Value sum = multiply.getAccumulator();
    Operation *op = sum.getDefiningOp();
    if (!op || isZero(sum) || op->getBlock() != first->getBlock() ||
        !op->isBeforeInBlock(first))
      continue;
    auto wait = WarpgroupWaitOp::create(b, multiply.getLoc(), sum,
                                        /*pending=*/0);
    multiply.getAccumulatorMutable().assign(wait.getResult(0));
  }
}

/// Lets what a step reads read the rings, in the order of the step, and starts
/// its products where they stand.
SmallVector<Specializer::Started>
Specializer::startProducts(Value tilesBefore) {
  takeRegisters(b, getMultiplies(sweep));
  SmallVector<Started> started;
  for (Operation &op : llvm::make_early_inc_range(sweep.getBody().front())) {
    b.setInsertionPoint(&op);
    if (auto load = dyn_cast<LoadOp>(op);
        load && load.getType().getPart() == fragment::Part::Operand) {
      OpOperand &use = load.getSourceMutable();
      auto tiles = fragment::LoadTMATilesOp::create(b, loc, load.getType(),
                                                    enter(use, tilesBefore));
      readBy(getStream(use), tiles);
      load.replaceAllUsesWith(tiles.getResult());
      load.erase();
      continue;
    }
    if (auto load = dyn_cast<LoadOp>(op); load && load.getType().isColumn()) {
      load.getSourceMutable().assign(
          enter(load.getSourceMutable(), tilesBefore));
    }
    auto multiply = dyn_cast<MultiplyOp>(op);
    if (!multiply)
      continue;
    Value right = enter(multiply.getRightMutable(), tilesBefore);
    Value left = multiply.getLeft(), sum = multiply.getAccumulator();
    if (Ring *resident = getResident(left))
      left = rings->getTiles(*resident, index(0));
    auto product = WarpgroupMultiplyOp::create(
        b, loc, multiply.getType(), left, right, isZero(sum) ? Value() : sum,
        multiply.getLeft().getType().getColumns(), multiply.getTransposed());
    started.push_back({multiply, product});
  }
  return started;
}

/// Turns the products of a step into ones by groups of warps, which read the
/// rings. Each is waited for where its result is used first, while later ones
/// run. A stage is released when all products that read it are done. Those of
/// vectors are when all of the step are: by then each lane has read its part.
void Specializer::convertStep(Value tilesBefore) {
  SmallVector<Started> started = startProducts(tilesBefore);
  Operation *lastWait = nullptr;
  for (auto [i, product] : llvm::enumerate(started)) {
    Operation *user = getFirstUser(product.multiply);
    auto later = ArrayRef(started).drop_front(i + 1);
    int64_t pending = llvm::count_if(later, [&](const Started &other) {
      return other.op->isBeforeInBlock(user);
    });
    b.setInsertionPoint(user);
    SmallVector<Value> waited = {product.op};
    if (isa<TileType>(product.op.getLeft().getType()))
      waited.push_back(product.op.getLeft()); // read until then
    auto wait = WarpgroupWaitOp::create(b, loc, waited, pending);
    readBy(getStream(product.multiply.getRightMutable()), wait);
    product.multiply.replaceAllUsesWith(wait.getResult(0));
    lastWait = wait;
  }
  for (StreamRing &stream : streams)
    if (stream.ring.isVector())
      readBy(stream, lastWait);
  for (StreamRing &stream : streams) {
    if (!stream.last)
      continue;
    b.setInsertionPointAfter(stream.last);
    Value stage =
        getPipelineStage(sweep.getKey(), sweep.getFirstKey(), tilesBefore)
            .stage;
    rings->release(stream.ring, stage);
  }
  for (Started &product : started)
    product.multiply.erase();
}

/// Records that nothing reads `stream` behind `op`.
void Specializer::readBy(const StreamRing &stream, Operation *op) {
  StreamRing &leader = getLeader(stream);
  if (!leader.last || leader.last->isBeforeInBlock(op))
    leader.last = op;
}

/// Notes in shared memory that this work tile is to be done again, in the bit
/// of its number, which one of 32 has: no register is held for it, and nobody
/// waits.
void Specializer::takeRepeatOut(const WorkTileLoop &tileLoop) {
  b.setInsertionPoint(again);
  Value isNaN;
  for (Value tile : again.getState()) {
    if (cast<TileType>(tile.getType()).getPart() != fragment::Part::Accumulator)
      continue;
    Value mayBe = fragment::HasNaNOp::create(b, loc, b.getI1Type(), tile);
    isNaN =
        isNaN ? arith::OrIOp::create(b, loc, isNaN, mayBe).getResult() : mayBe;
  }
  auto note = scf::IfOp::create(b, loc, isNaN);
  b.setInsertionPointToStart(note.thenBlock());
  Value bit = arith::AndIOp::create(b, loc, tileLoop.getNumber(), i32(31));
  bit = arith::ShLIOp::create(b, loc, i32(1), bit);
  memref::AtomicRMWOp::create(b, loc, arith::AtomicRMWKind::ori, bit, noted,
                              index(0));
  again.replaceAllUsesWith(again.getState());
  again.erase();
}

/// A loop over the work tiles that were noted: by now nothing is on its way to
/// shared memory, which serves as for earlier GPUs.
void Specializer::repeat() {
  if (!epilogues
           .empty()) // on their way to where the work tiles are stored again
    NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, 0, /*read=*/UnitAttr());
  fragment::createTileBarrier(b, loc, getConsumerThreads());
  Value seen = memref::LoadOp::create(b, loc, noted, index(0));
  auto ifAny = [&](Value bits) {
    Value any =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, bits, i32(0));
    auto choice = scf::IfOp::create(b, loc, any);
    b.setInsertionPointToStart(choice.thenBlock());
  };
  ifAny(seen);
  WorkTileLoop tileLoop(b, launch, workTiles, {});
  Value bit = arith::AndIOp::create(b, loc, tileLoop.getNumber(), i32(31));
  bit = arith::ShLIOp::create(b, loc, i32(1), bit);
  ifAny(arith::AndIOp::create(b, loc, seen, bit));
  // What the one before read is not needed any more.
  fragment::createTileBarrier(b, loc, getConsumerThreads());
  IRMapping mapping;
  mapping.map(workTile.getNumber(), tileLoop.getWorkTile());
  bool isBetween = false; // the sweep and what repeats it
  for (Operation *op : tileOps) {
    isBetween = (isBetween || op == sweep) && op != again;
    if (op == again) {
      Block &body = again.getBody().front();
      for (Operation &inner : body.without_terminator())
        b.clone(inner, mapping);
      for (auto [result, value] : llvm::zip_equal(
               again.getResults(), body.getTerminator()->getOperands()))
        mapping.map(result, mapping.lookupOrDefault(value));
      continue;
    }
    if (!isBetween)
      b.clone(*op, mapping);
  }
  tileLoop.yield(b, {});
}

void Specializer::consume(Block *role) {
  b.setInsertionPointToStart(role);
  WorkTileLoop tileLoop(b, launch, workTiles, {i32(0), no()});
  Progress before = {tileLoop.getCarried()[0], tileLoop.getCarried()[1]};
  if (again) {
    b.setInsertionPointToEnd(role);
    repeat();
  }
  for (Operation *op : tileOps)
    op->moveBefore(tileLoop.getBody(), tileLoop.getBody()->end());
  workTile.getNumberMutable().assign(tileLoop.getWorkTile());
  if (again)
    takeRepeatOut(tileLoop);
  Value first = sweep.getFirstKey(), last = sweep.getEndKey();
  b.setInsertionPoint(sweep);
  Value any = isAnyTile(first, last);
  auto guard = scf::IfOp::create(b, loc, any);
  b.setInsertionPointToStart(guard.thenBlock());
  for (Resident &resident : residents)
    rings->waitFor(resident.ring.full, getResidentStage(before.residents));
  convertStep(before.tiles);
  b.setInsertionPointAfter(sweep);
  for (TMAEpilogue &epilogue : epilogues)
    storeByTMA(b, launch, epilogue, *rings, any);
  for (Resident &resident : residents) {
    rings->release(resident.ring, index(0), any);
    resident.load.erase();
  }
  b.setInsertionPointToEnd(tileLoop.getBody());
  Progress next = advance(first, last, any, before);
  tileLoop.yield(b, {next.tiles, next.residents});
}

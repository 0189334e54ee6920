//===- Consumer.cpp - The role that computes ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StageShared/TiledRows.h"
#include "Specializer.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;
using fragment::MultiplyOp;
using fragment::WarpgroupMultiplyOp;
using fragment::WarpgroupWaitOp;

/// A product with a tile of keys or of values, which is waited for, and then
/// its stage released.
void Specializer::convert(MultiplyOp multiply, Value tilesBefore) {
  bool isKey = multiply.getTransposed();
  const Ring &ring = isKey ? *keyRing : *valueRing;
  b.setInsertionPoint(multiply);
  PipelineStage at =
      getPipelineStage(sweep.getKey(), sweep.getFirstKey(), tilesBefore);
  rings->waitFor(ring.full, at);
  Value left =
      isKey ? rings->getTMATiles(*queryRing, index(0)) : multiply.getLeft();
  int64_t inner = multiply.getLeft().getType().getColumns();
  Value product = WarpgroupMultiplyOp::create(
      b, loc, multiply.getType(), left, rings->getTMATiles(ring, at.stage),
      isKey ? Value() : multiply.getAccumulator(), inner, isKey);
  SmallVector<Value> waited = {product};
  if (!isKey) // its registers are read until then
    waited.push_back(left);
  auto wait = WarpgroupWaitOp::create(b, loc, waited, /*pending=*/0);
  rings->release(ring, at.stage);
  multiply.replaceAllUsesWith(wait.getResult(0));
  multiply.erase();
}

/// Notes in shared memory that this work tile is to be done again, in the bit
/// of its number, which one of 32 has: no register is held for it, and nobody
/// waits.
void Specializer::takeRepeatOut(const WorkTileLoop &tileLoop) {
  b.setInsertionPoint(again);
  Value isNaN = fragment::HasNaNOp::create(b, loc, b.getI1Type(),
                                           again.getState().front());
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
  if (tmaEpilogue) // on their way to where the work tiles are stored again
    NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, 0, /*read=*/UnitAttr());
  fragment::createTileBarrier(b, loc, output.getThreads());
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
  fragment::createTileBarrier(b, loc, output.getThreads());
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
  rings->waitFor(queryRing->full, getQueryStage(before.queries));
  for (MultiplyOp multiply : getMultiplies(sweep))
    convert(multiply, before.tiles);
  b.setInsertionPointAfter(sweep);
  if (tmaEpilogue)
    storeByTMA(b, launch, *tmaEpilogue, *rings, *queryRing, any);
  rings->release(*queryRing, index(0), any);
  query->erase();
  b.setInsertionPointToEnd(tileLoop.getBody());
  Progress next = advance(first, last, any, before);
  tileLoop.yield(b, {next.tiles, next.queries});
}

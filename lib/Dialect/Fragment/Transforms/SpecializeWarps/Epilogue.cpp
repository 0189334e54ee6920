//===- Epilogue.cpp - Outputs that are stored by tensor maps --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;
using fragment::kGroupRows;
using fragment::kGroupThreads;
using fragment::StoreOp;
using fragment::TileType;

/// Whether TMA tiles hold no column of the array that is not the matrix's.
static bool areColumnsWhole(Value matrix, const TMASource &source) {
  int64_t columns = cast<MemRefType>(matrix.getType()).getDimSize(1);
  return !ShapedType::isDynamic(columns) &&
         (columns % kTMATileColumns == 0 ||
          columns == source.getType().getDimSize(*source.columnAxis));
}

/// Whether what `store` writes fits the shared memory of `ring`.
static bool fits(StoreOp store, const Ring &ring) {
  TileType tile = store.getSource().getType();
  return !ring.isVector() && tile.getRows() == ring.rows &&
         tile.getColumns() <= ring.tiles * kTMATileColumns &&
         getElementTypeOrSelf(store.getDest().getType()) ==
             ring.source.getType().getElementType();
}

SmallVector<TMAEpilogue> lattn::findTMAEpilogues(gpu::LaunchOp launch,
                                                 ArrayRef<Ring *> residents) {
  SmallVector<Ring *> free(residents);
  SmallVector<TMAEpilogue> epilogues;
  for (auto store : launch.getBody().front().getOps<StoreOp>()) {
    if (store.getSource().getType().isRow())
      continue;
    auto *ring =
        llvm::find_if(free, [&](Ring *ring) { return fits(store, *ring); });
    if (ring == free.end())
      continue;
    std::string reason;
    FailureOr<TMASource> dest = findTMASource(store.getDest(), launch, reason);
    if (failed(dest) || !areColumnsWhole(store.getDest(), *dest))
      continue;
    epilogues.push_back({store, *dest, *ring, Value()});
    free.erase(ring);
  }
  return epilogues;
}

/// Whether a TMA tile's rows beyond the matrix's are beyond the array's too.
static Value areRowsWhole(OpBuilder &b, Location loc, Value matrix,
                          const TMASource &dest, int64_t rows) {
  auto equal = [&](Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
  };
  Value size = memref::DimOp::create(b, loc, matrix, 0);
  Value all = arith::ConstantIndexOp::create(b, loc, rows);
  Value first =
      getValueOrCreateConstantIndexOp(b, loc, dest.first[dest.rowAxis]);
  Value end = arith::AddIOp::create(b, loc, first, size);
  Value last = memref::DimOp::create(b, loc, dest.array, dest.rowAxis);
  return arith::OrIOp::create(b, loc, equal(size, all), equal(end, last));
}

void lattn::storeByTMA(OpBuilder &b, gpu::LaunchOp launch, TMAEpilogue &output,
                       RingBuilder &rings, Value isFree) {
  const Ring &ring = *output.ring;
  Location loc = launch.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  StoreOp store = output.store;
  TileType tile = store.getSource().getType();
  b.setInsertionPoint(store);
  Value whole =
      areRowsWhole(b, loc, store.getDest(), output.dest, tile.getRows());
  whole = arith::AndIOp::create(b, loc, whole, isFree);
  auto choice = scf::IfOp::create(b, loc, whole, /*else=*/true);
  store->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  b.setInsertionPointToStart(choice.thenBlock());
  fragment::StoreTMATilesOp::create(b, loc, store.getSource(),
                                    rings.getTiles(ring, index(0)));
  NVVM::FenceProxyOp::create(
      b, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  Value thread = launch.getThreadIds().x;
  Value group = arith::DivUIOp::create(b, loc, thread, index(kGroupThreads));
  fragment::createBarrierOfGroup(b, loc, group);
  Value inGroup = arith::RemUIOp::create(b, loc, thread, index(kGroupThreads));
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        inGroup, index(0));
  auto one = scf::IfOp::create(b, loc, isFirst);
  b.setInsertionPointToStart(one.thenBlock());
  TMAStore copy;
  copy.map = output.map;
  copy.row = arith::MulIOp::create(b, loc, group, index(kGroupRows));
  copy.tiles = (tile.getColumns() + kTMATileColumns - 1) / kTMATileColumns;
  copy.rows = kGroupRows;
  copy.tileBytes = ring.rows * kTMATileColumns * 2;
  copy.memory = rings.getMemory();
  copy.offset =
      arith::MulIOp::create(b, loc, copy.row, index(kTMATileColumns * 2));
  copy.offset = arith::AddIOp::create(b, loc, copy.offset, index(ring.offset));
  buildTMAStore(b, loc, output.dest, copy);
  NVVM::CpAsyncBulkCommitGroupOp::create(b, loc);
  NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, 0, /*read=*/b.getUnitAttr());
  b.setInsertionPointAfter(choice);
}

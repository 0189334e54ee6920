//===- StageShared.cpp - Operands of tensor cores in shared memory, ahead -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a step reads, as K and V of a tile of keys, is wanted by all warps of a
// block, and long before it arrives.

#include "Streams.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSTAGESHAREDPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::CopyOp;
using fragment::LoadOp;
using fragment::MultiplyOp;

namespace {
/// Where the stages of a matrix or vector lie in shared memory.
struct Ring {
  int64_t offset; // bytes
  MemRefType stage;
  Value view;                     // of the rows of a step
  SetVector<Operation *> finders; // that find them; none if steps share them
  int64_t getStageBytes() const {
    return stage.getNumElements() * stage.getElementTypeBitWidth() / 8;
  }
};

class Stager {
public:
  Stager(OpBuilder &b, gpu::LaunchOp launch, int64_t stages)
      : b(b), launch(launch), loc(launch.getLoc()), stages(stages) {}
  LogicalResult run();

private:
  using Rings = SmallVector<Ring>;
  FailureOr<Rings> addRings(ArrayRef<Stream> streams, SweepKeysOp sweep);
  LogicalResult stageSweep(SweepKeysOp sweep, bool isFirst, bool withLoads);
  void stageLoad(LoadOp load);
  void waitForLoads(ArrayRef<LoadOp> loads, int64_t pending);
  Ring addRing(Value array, ArrayRef<int64_t> shape, int64_t stages);
  Value getStage(Ring &ring, Value stage);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  void waitFor(int64_t pending) {
    NVVM::CpAsyncWaitGroupOp::create(b, loc, pending);
    fragment::createTileBarrier(b, loc, threads);
  }

  OpBuilder &b;
  gpu::LaunchOp launch;
  Location loc;
  int64_t stages;
  int64_t bytes = 0, threads = 0;
  Value memory;
  SmallVector<LoadOp> loads;
};
} // namespace

Ring Stager::addRing(Value array, ArrayRef<int64_t> shape, int64_t stages) {
  Type element = getElementTypeOrSelf(array.getType());
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  auto stage =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  Ring ring = {bytes, stage, {}, {}};
  bytes += stages * ring.getStageBytes();
  return ring;
}

Value Stager::getStage(Ring &ring, Value stage) {
  Value at =
      b.createOrFold<arith::MulIOp>(loc, stage, index(ring.getStageBytes()));
  at = b.createOrFold<arith::AddIOp>(loc, at, index(ring.offset));
  return memref::ViewOp::create(b, loc, ring.stage, memory, at, ValueRange());
}

/// The rings of what steps read.
FailureOr<Stager::Rings> Stager::addRings(ArrayRef<Stream> streams,
                                          SweepKeysOp sweep) {
  Rings rings;
  for (const Stream &stream : streams) {
    auto finders = findInStep(stream.getView(), sweep);
    if (failed(finders))
      return stream.uses.front()->getOwner()->emitOpError(
          "expected a view of rows to stage, which a step finds by arithmetic "
          "and loads");
    Ring ring = addRing(stream.getView(), stream.shape, stages);
    ring.view = stream.getView();
    ring.finders = std::move(*finders);
    rings.push_back(ring);
  }
  return rings;
}

LogicalResult Stager::stageSweep(SweepKeysOp sweep, bool isFirst,
                                 bool withLoads) {
  int64_t step = sweep.getKeyTile();
  SmallVector<Stream> streams = getStreams(sweep);
  FailureOr<Rings> rings = addRings(streams, sweep);
  if (failed(rings))
    return failure();
  Value first = sweep.getFirstKey(), last = sweep.getEndKey();
  // Starts to copy the tile from `key` on, if there is one.
  auto copy = [&](Value key, Value stage) {
    Value any =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, key, last);
    auto guard = scf::IfOp::create(b, loc, any);
    {
      OpBuilder::InsertionGuard inserted(b);
      b.setInsertionPointToStart(guard.thenBlock());
      Value rows = arith::SubIOp::create(b, loc, last, key);
      rows = arith::MinSIOp::create(b, loc, rows, index(step));
      for (Ring &ring : *rings) {
        IRMapping mapping;
        mapping.map(sweep.getKey(), key);
        mapping.map(sweep.getSize(), rows);
        for (Operation *finder : ring.finders)
          b.clone(*finder, mapping);
        CopyOp::create(b, loc, mapping.lookupOrDefault(ring.view),
                       getStage(ring, stage), threads);
      }
    }
    NVVM::CpAsyncCommitGroupOp::create(b, loc);
  };
  b.setInsertionPoint(sweep);
  if (!isFirst) // what was on its way before must not land later
    waitFor(0);
  for (int64_t ahead = 0; ahead + 1 < stages; ++ahead)
    copy(b.createOrFold<arith::AddIOp>(loc, first, index(ahead * step)),
         index(ahead));
  if (withLoads)
    waitForLoads(loads, stages - 1);
  b.setInsertionPointToStart(&sweep.getBody().front());
  Value key = sweep.getKey();
  Value done = arith::SubIOp::create(b, loc, key, first);
  done = arith::DivUIOp::create(b, loc, done, index(step));
  auto stageAfter = [&](int64_t ahead) -> Value {
    Value at = b.createOrFold<arith::AddIOp>(loc, done, index(ahead));
    return arith::RemUIOp::create(b, loc, at, index(stages));
  };
  // This tile is there, and nobody reads the one before any more.
  waitFor(stages - 2);
  copy(arith::AddIOp::create(b, loc, key, index((stages - 1) * step)),
       stageAfter(stages - 1));
  Value stage = stageAfter(0);
  for (auto [stream, ring] : llvm::zip_equal(streams, *rings))
    for (OpOperand *use : stream.uses)
      use->set(getStage(ring, stage));
  return success();
}

/// Starts to copy what `load` reads.
void Stager::stageLoad(LoadOp load) {
  b.setInsertionPoint(load);
  Ring ring = addRing(load.getSource(), load.getType().getShape(), 1);
  Value stage = getStage(ring, index(0));
  CopyOp::create(b, loc, load.getSource(), stage, threads);
  NVVM::CpAsyncCommitGroupOp::create(b, loc);
  load.getSourceMutable().assign(stage);
}

/// Here what the loads read is there; `pending` later groups need not be.
void Stager::waitForLoads(ArrayRef<LoadOp> loads, int64_t pending) {
  if (loads.empty())
    return;
  waitFor(pending);
  for (LoadOp load : loads) {
    load->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    // Large queries would take the registers of everything else.
    constexpr int64_t mostRegisters = 16;
    fragment::TileType tile = load.getType();
    if (tile.getRowGroups() * tile.getColumns() / 4 <= mostRegisters)
      continue;
    OpBuilder::InsertionGuard guard(b);
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
      b.setInsertionPoint(use.getOwner());
      use.set(b.clone(*load)->getResult(0));
    }
    load.erase();
  }
}

/// Whether `load` is before `sweep`, and wanted in it or later.
static bool isWantedFrom(LoadOp load, SweepKeysOp sweep) {
  Block *block = sweep->getBlock();
  return load->getBlock() == block && load->isBeforeInBlock(sweep) &&
         llvm::all_of(load->getUsers(), [&](Operation *user) {
           return !block->findAncestorOpInBlock(*user)->isBeforeInBlock(sweep);
         });
}

LogicalResult Stager::run() {
  if (!getConstantIntValue(launch.getBlockSizeX()))
    return launch.emitOpError("expected a known number of threads");
  launch.getBody().walk([&](LoadOp load) {
    if (load.getType().getPart() != fragment::Part::Operand)
      return;
    threads = load.getType().getThreads();
    if (!load->getParentOfType<SweepKeysOp>()) // others are streams
      loads.push_back(load);
  });
  SmallVector<SweepKeysOp> sweeps;
  launch.getBody().walk<WalkOrder::PreOrder>([&](SweepKeysOp sweep) {
    if (!getMultiplies(sweep).empty())
      sweeps.push_back(sweep);
  });
  if (sweeps.empty() && loads.empty())
    return success();
  b.setInsertionPointToStart(&launch.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  memory = gpu::DynamicSharedMemoryOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                      MemRefLayoutAttrInterface(), space));
  // Queries come first, but keys need not wait for them.
  bool together = llvm::all_of(loads, [&](LoadOp load) {
    return !sweeps.empty() && isWantedFrom(load, sweeps.front());
  });
  for (LoadOp load : loads) {
    stageLoad(load);
    if (together)
      continue;
    b.setInsertionPointAfter(load);
    waitForLoads(load, 0);
  }
  // Of sweeps over the same keys only one is on its way at a time.
  int64_t first = bytes, most = bytes;
  if (Value before =
          launch.getDynamicSharedMemorySize()) // of specialized warps
    most = std::max(most, getConstantIntValue(before).value_or(0));
  for (SweepKeysOp sweep : sweeps) {
    bytes = first;
    bool isFirst = sweep == sweeps.front();
    if (failed(stageSweep(sweep, isFirst, /*withLoads=*/isFirst && together)))
      return failure();
    most = std::max(most, bytes);
  }
  b.setInsertionPoint(launch);
  Value total = arith::ConstantIntOp::create(b, loc, most, 32);
  launch.getDynamicSharedMemorySizeMutable().assign(total);
  return success();
}

namespace {
struct StageShared : lattn::impl::LattnStageSharedPassBase<StageShared> {
  using Base::Base;
  void runOnOperation() override {
    if (stages < 2 || stages > fragment::kMostStages) {
      emitError(getOperation()->getLoc())
          << "lattn-stage-shared: expected 2 to " << fragment::kMostStages
          << " stages, got " << int64_t(stages);
      return signalPassFailure();
    }
    SmallVector<gpu::LaunchOp> launches;
    getOperation()->walk([&](gpu::LaunchOp op) { launches.push_back(op); });
    OpBuilder b(&getContext());
    for (gpu::LaunchOp launch : launches)
      if (failed(Stager(b, launch, stages).run()))
        return signalPassFailure();
  }
};
} // namespace

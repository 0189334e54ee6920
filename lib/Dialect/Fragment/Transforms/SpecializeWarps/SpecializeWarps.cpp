//===- SpecializeWarps.cpp - Warps that copy, warps that compute ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// On Hopper one thread keeps the copies of a whole block under way: a group of
// warps does that alone, with few registers, and leaves its own to the groups
// that compute. It is ahead of them, also where a block has several work tiles:
// keys of the next arrive while the last of this one are multiplied.

#include "Specializer.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPECIALIZEWARPSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::kGroupThreads;
using fragment::MultiplyOp;

Value Specializer::isAnyTile(Value first, Value last) {
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, last);
}

Specializer::Progress Specializer::advance(Value first, Value last, Value any,
                                           Progress before) {
  Value keys = arith::SubIOp::create(b, loc, last, first);
  keys = arith::IndexCastOp::create(b, loc, b.getI32Type(), keys);
  keys = arith::AddIOp::create(b, loc, keys, i32(step - 1));
  Value tiles = arith::DivUIOp::create(b, loc, keys, i32(step));
  tiles = arith::SelectOp::create(b, loc, any, tiles, i32(0));
  tiles = arith::AddIOp::create(b, loc, before.tiles, tiles);
  Progress next;
  // Of two rounds only the parities differ.
  next.tiles = arith::RemUIOp::create(b, loc, tiles, i32(2 * stages));
  next.residents = arith::XOrIOp::create(b, loc, before.residents, any);
  return next;
}

PipelineStage Specializer::getPipelineStage(Value key, Value first,
                                            Value tilesBefore) {
  Value done = arith::SubIOp::create(b, loc, key, first);
  done = arith::IndexCastOp::create(b, loc, b.getI32Type(), done);
  done = arith::DivUIOp::create(b, loc, done, i32(step));
  done = arith::AddIOp::create(b, loc, done, tilesBefore);
  return rings->getPipelineStage(done, stages);
}

/// Pointers and strides are known at the launch only.
Value Specializer::buildCondition() {
  Value fit;
  auto require = [&](const TMASource &source) {
    Value fits = buildFits(b, loc, source);
    fit = fit ? arith::AndIOp::create(b, loc, fit, fits).getResult() : fits;
  };
  for (Ring *ring : getRings())
    require(ring->source);
  for (TMAEpilogue &epilogue : epilogues)
    require(epilogue.dest);
  return fit;
}

void Specializer::prepareLaunch() {
  b.setInsertionPoint(launch);
  for (Ring *ring : getRings())
    ring->map = createTensorMap(b, loc, ring->source, ring->rows);
  for (TMAEpilogue &epilogue : epilogues)
    epilogue.map = createTensorMap(b, loc, epilogue.dest, fragment::kGroupRows);
  auto shares = getRegisters();
  int64_t most = multiprocessors * (shares ? shares->blocks : 1);
  isPersistent = most && !workTile.getBlockPerTile();
  if (isPersistent)
    launch.getGridSizeXMutable().assign(
        b.createOrFold<arith::MinSIOp>(loc, workTiles.all, index(most)));
  launch.getBlockSizeXMutable().assign(
      index(getConsumerThreads() + kGroupThreads));
  launch.getDynamicSharedMemorySizeMutable().assign(i32(bytes + kWordsBytes));
}

/// Steps over keys of a tile of the first head, and batch.
Value Specializer::countSteps(Value tile) {
  IRMapping mapping;
  for (Value at : workTile.getIndices().drop_back())
    mapping.map(at, index(0));
  mapping.map(workTile.getIndices().back(), tile);
  for (Operation *op : tileOps)
    if (addresses.contains(op) && op != workTile)
      b.clone(*op, mapping);
  Value first = mapping.lookupOrDefault(sweep.getFirstKey());
  Value last = mapping.lookupOrDefault(sweep.getEndKey());
  Value keys = arith::SubIOp::create(b, loc, last, first);
  keys = arith::MaxSIOp::create(b, loc, keys, index(0));
  return arith::CeilDivUIOp::create(b, loc, keys, index(step));
}

/// Tells the block which work tiles it has: one thread does, for all, and no
/// register holds it.
void Specializer::orderWorkTiles(Value words) {
  workTiles.order = words;
  storeOrder(b, launch, workTiles,
             [&](Value tile) { return countSteps(tile); });
}

void Specializer::run() {
  prepareLaunch();
  Block &body = launch.getBody().front();
  for (Operation &op : body.without_terminator())
    tileOps.push_back(&op);
  b.setInsertionPointToStart(&body);
  rings.emplace(b, launch, warps);
  SmallVector<Ring *> leaders = getRings();
  llvm::erase_if(leaders, [](Ring *ring) { return ring->follows; });
  noted = rings->create(leaders, bytes, [&](Value words) {
    if (isPersistent)
      orderWorkTiles(words);
  });
  SmallVector<int64_t> registers;
  if (auto shares = getRegisters())
    registers = {shares->consumer, shares->producer};
  auto roles = fragment::WarpSpecializeOp::create(
      b, loc, {warps, fragment::kGroupWarps}, registers, isPersistent);
  produce(&roles.getRoles()[1].front());
  consume(&roles.getRoles()[0].front());
}

/// Launches that multiply, of those that `reachable` chooses.
static SmallVector<gpu::LaunchOp> getLaunches(fragment::ReachableOp reachable) {
  SmallVector<gpu::LaunchOp> launches;
  for (Operation *user : reachable->getUsers())
    if (auto choice = dyn_cast<scf::IfOp>(user))
      choice.getThenRegion().walk([&](gpu::LaunchOp launch) {
        if (launch.walk([](MultiplyOp) { return WalkResult::interrupt(); })
                .wasInterrupted())
          launches.push_back(launch);
      });
  return launches;
}

namespace {
struct SpecializeWarps
    : lattn::impl::LattnSpecializeWarpsPassBase<SpecializeWarps> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t mostMultiprocessors = 65536;
    if (stages < 2 || stages > fragment::kMostStages || multiprocessors < 0 ||
        multiprocessors > mostMultiprocessors) {
      emitError(getOperation()->getLoc())
          << "lattn-specialize-warps: expected 2 to " << fragment::kMostStages
          << " stages and 0 to " << mostMultiprocessors
          << " multiprocessors, got stages=" << int64_t(stages)
          << " multiprocessors=" << int64_t(multiprocessors);
      return signalPassFailure();
    }
    SmallVector<fragment::ReachableOp> choices;
    getOperation()->walk(
        [&](fragment::ReachableOp op) { choices.push_back(op); });
    OpBuilder b(&getContext());
    for (fragment::ReachableOp op : choices)
      specialize(b, op);
  }

  /// Specializes what `reachable` chooses, if all of it can be.
  void specialize(OpBuilder &b, fragment::ReachableOp reachable) {
    SmallVector<Specializer, 0> specializers;
    bool reaches = true;
    for (gpu::LaunchOp launch : getLaunches(reachable)) {
      specializers.emplace_back(b, launch, stages, multiprocessors);
      std::string reason;
      if (succeeded(specializers.back().analyze(reason)))
        continue;
      launch.emitRemark("tensor maps do not support its arrays, so it uses the "
                        "kernel of earlier GPUs: ")
          << (reason.empty() ? "no loops multiply them" : reason);
      reaches = false;
    }
    Location loc = reachable.getLoc();
    b.setInsertionPoint(reachable);
    Value fits = arith::ConstantIntOp::create(b, loc, reaches, 1);
    for (Specializer &specializer : specializers) {
      if (!reaches)
        break;
      b.setInsertionPoint(reachable);
      fits = arith::AndIOp::create(b, loc, fits, specializer.buildCondition());
      specializer.run();
    }
    reachable.replaceAllUsesWith(fits);
    reachable.erase();
  }
};
} // namespace

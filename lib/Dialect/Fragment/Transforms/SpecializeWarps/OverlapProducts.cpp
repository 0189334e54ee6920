//===- OverlapProducts.cpp - Products beside the softmax of the next tile -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNOVERLAPPRODUCTSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::MapOp;
using fragment::TileType;
using fragment::WarpgroupMultiplyOp;
using fragment::WarpgroupWaitOp;

namespace {
/// What a step over a tile of keys does, in the order in which it does it.
struct Step {
  SmallVector<Operation *> addresses; // of the loop's index
  SmallVector<Operation *> startScores, endScores, releaseKeys;
  SmallVector<Operation *> softmax;
  MapOp rescale; // of the output so far
  SmallVector<Operation *> startOutput, endOutput, releaseValues;
  WarpgroupMultiplyOp output;
};

/// One loop over keys and values, as two that are one step apart.
class Overlapper {
public:
  Overlapper(OpBuilder &b, scf::ForOp loop)
      : b(b), loop(loop), loc(loop.getLoc()) {}
  LogicalResult analyze();
  /// With groups of warps that multiply by ping-pong, if there are several.
  void run(bool pingPong);
  int64_t getGroups() {
    return step.output.getType().getWarps() / fragment::kGroupWarps;
  }

private:
  using Ops = ArrayRef<Operation *>;
  void clone(Ops ops, IRMapping &mapping) {
    for (Operation *op : ops)
      b.clone(*op, mapping);
  }
  IRMapping at(Value key);
  void setPending(Ops waits, IRMapping &mapping, int64_t pending);
  SmallVector<Value> begin(Value key, ValueRange state);
  SmallVector<Value> advance(Value key, ValueRange carried);
  Value end(Value key, Value output, Value weights);

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  Step step;
  bool pingPong = false;
};
} // namespace

static bool touchesTiles(Operation &op) {
  auto isTile = [](Type type) { return isa<TileType>(type); };
  return llvm::any_of(op.getOperandTypes(), isTile) ||
         llvm::any_of(op.getResultTypes(), isTile);
}

LogicalResult Overlapper::analyze() {
  int products = 0;
  SmallVector<Operation *> *part = &step.startScores;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!touchesTiles(op) && isMemoryEffectFree(&op) && !op.getNumRegions()) {
      step.addresses.push_back(&op);
      continue;
    }
    if (auto multiply = dyn_cast<WarpgroupMultiplyOp>(op)) {
      if (++products == 2)
        step.output = multiply;
      part->push_back(&op);
      part = products == 1 ? &step.endScores : &step.endOutput;
      continue;
    }
    if (isa<WarpgroupWaitOp>(op)) {
      part->push_back(&op);
      part = products == 1 ? &step.releaseKeys : &step.releaseValues;
      continue;
    }
    if (part == &step.releaseKeys && touchesTiles(op))
      part = &step.softmax;
    else if (part == &step.softmax && !touchesTiles(op))
      part = &step.startOutput;
    part->push_back(&op);
  }
  if (products != 2 || loop.getNumRegionIterArgs() != 3)
    return failure();
  step.rescale = step.output.getAccumulator().getDefiningOp<MapOp>();
  if (!step.rescale || !step.rescale->hasOneUse() ||
      !llvm::is_contained(step.rescale.getInputs(), loop.getRegionIterArg(0)) ||
      !loop.getRegionIterArg(0).hasOneUse())
    return failure();
  llvm::erase(step.softmax, step.rescale.getOperation());
  return success();
}

/// Where a step at `key` finds what it multiplies.
IRMapping Overlapper::at(Value key) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), key);
  clone(step.addresses, mapping);
  return mapping;
}

/// The scores and the softmax of a tile: the output so far, rescaled, the
/// largest score and the sum of each row, and weights that await their values,
/// which are at `key`.
SmallVector<Value> Overlapper::begin(Value key, ValueRange state) {
  IRMapping mapping = at(key);
  mapping.map(loop.getRegionIterArgs(), state);
  clone(step.startScores, mapping);
  clone(step.endScores, mapping);
  clone(step.releaseKeys, mapping);
  clone(step.softmax, mapping);
  clone(step.rescale.getOperation(), mapping);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  return {mapping.lookup(step.rescale.getResult()),
          mapping.lookup(yield.getOperand(1)),
          mapping.lookup(yield.getOperand(2)),
          mapping.lookup(step.output.getLeft()), key};
}

/// The same for the tile at `key`, while the one before meets its values.
SmallVector<Value> Overlapper::advance(Value key, ValueRange carried) {
  IRMapping mapping = at(key), last = at(carried[4]);
  mapping.map(loop.getRegionIterArgs(), carried.take_front(3));
  last.map(step.output.getAccumulator(), carried[0]);
  last.map(step.output.getLeft(), carried[3]);
  for (Operation *op : step.startScores) {
    if (pingPong && isa<WarpgroupMultiplyOp>(op))
      fragment::PingPongWaitOp::create(b, loc, getGroups());
    b.clone(*op, mapping);
  }
  clone(step.startOutput, last);
  if (pingPong)
    fragment::PingPongArriveOp::create(b, loc, getGroups());
  setPending(step.endScores, mapping, 1);
  clone(step.releaseKeys, mapping);
  clone(step.softmax, mapping);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  Value sum = mapping.lookup(yield.getOperand(2));
  fragment::SettleOp::create(b, loc, sum);
  clone(step.endOutput, last);
  clone(step.releaseValues, last);
  mapping.map(loop.getRegionIterArg(0), last.lookup(yield.getOperand(0)));
  clone(step.rescale.getOperation(), mapping);
  return {mapping.lookup(step.rescale.getResult()),
          mapping.lookup(yield.getOperand(1)), sum,
          mapping.lookup(step.output.getLeft()), key};
}

/// Clones waits that leave `pending` products under way.
void Overlapper::setPending(Ops waits, IRMapping &mapping, int64_t pending) {
  for (Operation *op : waits) {
    Operation *copy = b.clone(*op, mapping);
    if (auto wait = dyn_cast<WarpgroupWaitOp>(copy))
      wait.setPending(pending);
  }
}

/// The last tile's weights meet their values.
Value Overlapper::end(Value key, Value output, Value weights) {
  IRMapping mapping = at(key);
  mapping.map(step.output.getAccumulator(), output);
  mapping.map(step.output.getLeft(), weights);
  clone(step.startOutput, mapping);
  clone(step.endOutput, mapping);
  clone(step.releaseValues, mapping);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  return mapping.lookup(yield.getOperand(0));
}

void Overlapper::run(bool takesTurns) {
  pingPong = takesTurns;
  b.setInsertionPoint(loop);
  Value first = loop.getLowerBound(), stop = loop.getUpperBound();
  Value any =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, first, stop);
  auto choice =
      scf::IfOp::create(b, loc, loop.getResultTypes(), any, /*else=*/true);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, loop.getInits());
  b.setInsertionPointToStart(choice.thenBlock());
  SmallVector<Value> carried = begin(first, loop.getInits());
  Value second = arith::AddIOp::create(b, loc, first, loop.getStep());
  auto steady =
      scf::ForOp::create(b, loc, second, stop, loop.getStep(), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(steady.getBody());
    SmallVector<Value> next =
        advance(steady.getInductionVar(), steady.getRegionIterArgs());
    scf::YieldOp::create(b, loc, next);
  }
  Value output =
      end(steady.getResult(4), steady.getResult(0), steady.getResult(3));
  scf::YieldOp::create(
      b, loc, ValueRange{output, steady.getResult(1), steady.getResult(2)});
  loop.replaceAllUsesWith(choice.getResults());
  loop.erase();
}

/// The roles of a launch's warps; null if there is one role only.
static fragment::WarpSpecializeOp findRoles(gpu::LaunchOp launch) {
  fragment::WarpSpecializeOp found;
  launch.walk([&](fragment::WarpSpecializeOp op) { found = op; });
  return found;
}

/// The first turn is the first group's. It takes one more than the others at
/// the end, so that no barrier is left with arrivals.
static void framePingPong(OpBuilder &b, gpu::LaunchOp launch, Block &consumer,
                          int64_t groups) {
  Location loc = launch.getLoc();
  auto of = [&](arith::CmpIPredicate predicate, int64_t threads) {
    Value limit = arith::ConstantIndexOp::create(b, loc, threads);
    Value isOf = arith::CmpIOp::create(b, loc, predicate,
                                       launch.getThreadIds().x, limit);
    auto choice = scf::IfOp::create(b, loc, isOf);
    b.setInsertionPointToStart(choice.thenBlock());
  };
  b.setInsertionPointToStart(&consumer);
  of(arith::CmpIPredicate::uge, (groups - 1) * fragment::kGroupThreads);
  fragment::PingPongArriveOp::create(b, loc, groups);
  b.setInsertionPointToEnd(&consumer);
  of(arith::CmpIPredicate::ult, fragment::kGroupThreads);
  fragment::PingPongWaitOp::create(b, loc, groups);
}

namespace {
struct OverlapProducts
    : lattn::impl::LattnOverlapProductsPassBase<OverlapProducts> {
  using Base::Base;
  void runOnOperation() override {
    llvm::MapVector<gpu::LaunchOp, SmallVector<SweepKeysOp>> sweeps;
    getOperation()->walk([&](SweepKeysOp sweep) {
      if (!sweep.getBody().getOps<WarpgroupMultiplyOp>().empty())
        sweeps[sweep->getParentOfType<gpu::LaunchOp>()].push_back(sweep);
    });
    for (auto &[launch, ofLaunch] : sweeps)
      overlap(launch, ofLaunch);
  }

  void overlap(gpu::LaunchOp launch, ArrayRef<SweepKeysOp> sweeps) {
    OpBuilder b(&getContext());
    auto roles =
        pingPong && launch ? findRoles(launch) : fragment::WarpSpecializeOp();
    int64_t groups = 0; // that play ping-pong
    for (SweepKeysOp sweep : sweeps) {
      b.setInsertionPoint(sweep);
      SmallVector<LoopLikeOpInterface> loops = sweep.buildLoops(b);
      sweep->replaceAllUsesWith(loops.back()->getResults());
      // Steps at edges are few, and their masks need many registers.
      for (auto [loop, run] : llvm::zip_equal(loops, sweep.getRunKinds())) {
        Overlapper overlapper(b, cast<scf::ForOp>(*loop));
        if (run == SweepRun::Edge || failed(overlapper.analyze()))
          continue;
        bool pingPong = roles && overlapper.getGroups() > 1;
        if (pingPong)
          groups = overlapper.getGroups();
        overlapper.run(pingPong);
      }
      sweep.erase();
    }
    if (groups)
      framePingPong(b, launch, roles.getConsumer().front(), groups);
  }
};
} // namespace

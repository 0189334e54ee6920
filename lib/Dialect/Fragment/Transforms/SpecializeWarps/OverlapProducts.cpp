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
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNOVERLAPPRODUCTSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::TileType;
using fragment::WarpgroupMultiplyOp;
using fragment::WarpgroupWaitOp;

namespace {
using Ops = SmallVector<Operation *>;

/// What a step does. Late products have left operands that the step computes,
/// and the next step adds to their results.
struct Step {
  Ops addresses; // of the loop's index
  /// Up to the last of the other products, and from its wait to the operands of
  /// late products.
  Ops start, compute;
  /// What late products add to, if that is computed of the results before.
  Ops rescale;
  Ops startLate, endLate; // with waits for stages, and releases
  SmallVector<WarpgroupMultiplyOp> late;
};

/// A loop whose late products run beside the next step.
class Overlapper {
public:
  Overlapper(OpBuilder &b, scf::ForOp loop)
      : b(b), loop(loop), loc(loop.getLoc()) {}
  LogicalResult analyze();
  /// With groups of warps that multiply by ping-pong, if there are several.
  void run(bool pingPong);
  int64_t getGroups() {
    return step.late.front().getType().getWarps() / fragment::kGroupWarps;
  }

private:
  void clone(const Ops &ops, IRMapping &mapping) {
    for (Operation *op : ops)
      b.clone(*op, mapping);
  }
  Value getYielded(unsigned i) {
    return loop.getBody()->getTerminator()->getOperand(i);
  }
  LogicalResult findLate();
  bool needsLate(Operation &op);
  LogicalResult sort();
  IRMapping at(Value index);
  IRMapping atLate(ValueRange carried);
  SmallVector<Value> carry(IRMapping &mapping, Value index);
  SmallVector<Value> begin(Value index, ValueRange state);
  SmallVector<Value> advance(Value index, ValueRange carried);
  SmallVector<Value> end(ValueRange carried);
  Value findLastComputed(IRMapping &mapping);

  OpBuilder &b;
  scf::ForOp loop;
  Location loc;
  Step step;
  /// Of each value that the loop carries, the late product that it is the
  /// result of.
  SmallVector<WarpgroupMultiplyOp> resultsOf;
  bool pingPong = false;
};
} // namespace

static bool touchesTiles(Operation &op) {
  auto isTile = [](Type type) { return isa<TileType>(type); };
  return llvm::any_of(op.getOperandTypes(), isTile) ||
         llvm::any_of(op.getResultTypes(), isTile);
}

static bool isLate(Operation &op) {
  auto multiply = dyn_cast<WarpgroupMultiplyOp>(op);
  return multiply && isa<TileType>(multiply.getLeft().getType());
}

/// The late products, and the values that carry their results.
LogicalResult Overlapper::findLate() {
  for (auto multiply : loop.getBody()->getOps<WarpgroupMultiplyOp>())
    if (isLate(*multiply))
      step.late.push_back(multiply);
    else if (!step.late.empty())
      return failure();
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    WarpgroupMultiplyOp &product = resultsOf.emplace_back();
    auto wait = getYielded(i).getDefiningOp<WarpgroupWaitOp>();
    if (wait && getYielded(i) == wait.getResult(0))
      product = wait.getInputs()[0].getDefiningOp<WarpgroupMultiplyOp>();
    if (product && !isLate(*product))
      product = nullptr;
  }
  return success(!step.late.empty() &&
                 llvm::all_of(step.late, [&](WarpgroupMultiplyOp late) {
                   return late.getAccumulator() &&
                          llvm::count(resultsOf, late) == 1;
                 }));
}

/// Whether `op` computes what a late product adds to, of the results before.
bool Overlapper::needsLate(Operation &op) {
  return llvm::any_of(op.getOperands(), [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == loop.getBody() &&
        argument.getArgNumber() > 0)
      return bool(resultsOf[argument.getArgNumber() - 1]);
    return llvm::is_contained(step.rescale, operand.getDefiningOp());
  });
}

/// Puts the step's operations into its parts. Fails if late products read
/// stages that must not be held longer: those of other products are released
/// before.
LogicalResult Overlapper::sort() {
  Ops *part = &step.start;
  bool releases = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    bool isTile = touchesTiles(op);
    if (!isTile && isMemoryEffectFree(&op) && !op.getNumRegions()) {
      step.addresses.push_back(&op);
      continue;
    }
    if (isLate(op)) {
      step.startLate.push_back(&op);
      part = &step.endLate;
      continue;
    }
    if (needsLate(op)) {
      step.rescale.push_back(&op);
      continue;
    }
    if (part == &step.start && isa<WarpgroupWaitOp>(op))
      part = &step.compute;
    bool waits = isa<nvgpu::MBarrierTryWaitParityOp>(op);
    if (part == &step.compute && waits)
      part = &step.startLate;
    releases |= part == &step.compute && !isTile;
    part->push_back(&op);
  }
  return success(releases);
}

LogicalResult Overlapper::analyze() {
  if (failed(findLate()))
    return failure();
  return sort();
}

/// Where a step at `index` finds what it multiplies.
IRMapping Overlapper::at(Value index) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), index);
  clone(step.addresses, mapping);
  return mapping;
}

/// What the next step gets of a step at `index`: for each value that the loop
/// carries what late products add to, or what was computed; the left operands
/// of late products; the index.
SmallVector<Value> Overlapper::carry(IRMapping &mapping, Value index) {
  SmallVector<Value> carried;
  for (auto [i, late] : llvm::enumerate(resultsOf))
    carried.push_back(
        mapping.lookupOrDefault(late ? late.getAccumulator() : getYielded(i)));
  for (WarpgroupMultiplyOp late : step.late)
    carried.push_back(mapping.lookup(late.getLeft()));
  carried.push_back(index);
  return carried;
}

/// Where late products find what `carry` gave them.
IRMapping Overlapper::atLate(ValueRange carried) {
  IRMapping mapping = at(carried.back());
  for (auto [late, value] : llvm::zip(resultsOf, carried))
    if (late)
      mapping.map(late.getAccumulator(), value);
  for (auto [late, left] : llvm::zip_equal(
           step.late, carried.drop_front(resultsOf.size()).drop_back()))
    mapping.map(late.getLeft(), left);
  return mapping;
}

/// The first step, but for its late products.
SmallVector<Value> Overlapper::begin(Value index, ValueRange state) {
  IRMapping mapping = at(index);
  mapping.map(loop.getRegionIterArgs(), state);
  clone(step.start, mapping);
  clone(step.compute, mapping);
  clone(step.rescale, mapping);
  return carry(mapping, index);
}

/// Of the carried tiles that late products do not compute, the last one: sums
/// of weights, which are not negative. None if there is none.
Value Overlapper::findLastComputed(IRMapping &mapping) {
  Operation *last = nullptr;
  Value computed;
  for (auto [i, late] : llvm::enumerate(resultsOf)) {
    Operation *op = getYielded(i).getDefiningOp();
    if (late || !op || (last && op->isBeforeInBlock(last)))
      continue;
    last = op;
    computed = mapping.lookup(getYielded(i));
  }
  return computed;
}

/// The same for the step at `index`, while the late products of the one before
/// run.
SmallVector<Value> Overlapper::advance(Value index, ValueRange carried) {
  IRMapping mapping = at(index), late = atLate(carried);
  mapping.map(loop.getRegionIterArgs(), carried.take_front(resultsOf.size()));
  bool isFirst = true;
  for (Operation *op : step.start) {
    if (pingPong && isa<WarpgroupMultiplyOp>(op) &&
        std::exchange(isFirst, false))
      fragment::PingPongWaitOp::create(b, loc, getGroups());
    b.clone(*op, mapping);
  }
  clone(step.startLate, late);
  if (pingPong)
    fragment::PingPongArriveOp::create(b, loc, getGroups());
  for (Operation *op : step.compute) {
    Operation *copy = b.clone(*op, mapping);
    if (auto wait = dyn_cast<WarpgroupWaitOp>(copy)) // late ones go on
      wait.setPending(wait.getPending() + step.late.size());
  }
  if (Value computed = findLastComputed(mapping))
    fragment::SettleOp::create(b, loc, computed);
  clone(step.endLate, late);
  for (auto [i, product] : llvm::enumerate(resultsOf))
    if (product)
      mapping.map(loop.getRegionIterArg(i), late.lookup(getYielded(i)));
  clone(step.rescale, mapping);
  return carry(mapping, index);
}

/// The late products of the last step: what the loop results in.
SmallVector<Value> Overlapper::end(ValueRange carried) {
  IRMapping late = atLate(carried);
  clone(step.startLate, late);
  clone(step.endLate, late);
  SmallVector<Value> results;
  for (auto [i, product] : llvm::enumerate(resultsOf))
    results.push_back(product ? late.lookup(getYielded(i)) : carried[i]);
  return results;
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
  scf::YieldOp::create(b, loc, end(steady.getResults()));
  loop.replaceAllUsesWith(choice.getResults());
  loop.erase();
}

/// The role that `op` belongs to; null if all warps of its launch have one.
static Region *findRole(Operation *op) {
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion())
    if (isa_and_nonnull<fragment::WarpSpecializeOp>(region->getParentOp()))
      return region;
  return nullptr;
}

/// The first turn is the first group's. It takes one more than the others at
/// the end, so that no barrier is left with arrivals.
static void framePingPong(OpBuilder &b, gpu::LaunchOp launch, Block &role,
                          int64_t groups) {
  Location loc = launch.getLoc();
  auto of = [&](arith::CmpIPredicate predicate, int64_t threads) {
    Value limit = arith::ConstantIndexOp::create(b, loc, threads);
    Value isOf = arith::CmpIOp::create(b, loc, predicate,
                                       launch.getThreadIds().x, limit);
    auto choice = scf::IfOp::create(b, loc, isOf);
    b.setInsertionPointToStart(choice.thenBlock());
  };
  b.setInsertionPointToStart(&role);
  of(arith::CmpIPredicate::uge, (groups - 1) * fragment::kGroupThreads);
  fragment::PingPongArriveOp::create(b, loc, groups);
  b.setInsertionPointToEnd(&role);
  of(arith::CmpIPredicate::ult, fragment::kGroupThreads);
  fragment::PingPongWaitOp::create(b, loc, groups);
}

/// Groups that take turns. With three, one computes its softmax while another
/// multiplies without that, and they are 1 to 4 % faster (docs/GPU.md).
static constexpr int64_t kPlayers = 2;

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
    Region *role = pingPong && launch ? findRole(sweeps.front()) : nullptr;
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
        bool pingPong = role && overlapper.getGroups() == kPlayers;
        if (pingPong)
          groups = overlapper.getGroups();
        overlapper.run(pingPong);
      }
      sweep.erase();
    }
    if (groups)
      framePingPong(b, launch, role->front(), groups);
  }
};
} // namespace

//===- PrefetchTiles.cpp - Rows of the next query tile are asked for ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile's queries and outputs are touched once, in a burst that no hardware
// prefetcher sees coming. Here they are asked for while keys are worked on, a
// few rows with each key tile, so that the requests do not queue up. The kernel
// of a step that takes all keys spreads them itself (lanes = mixed).

#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNPREFETCHTILESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Asks for the row `row` of a matrix, which need not exist.
static void prefetchRow(OpBuilder &b, Location loc, Value matrix, Value row,
                        bool isWrite) {
  constexpr int64_t lineBits = 64 * 8, localityInL2 = 2;
  auto type = cast<MemRefType>(matrix.getType());
  int64_t step = std::max<int64_t>(1, lineBits / type.getElementTypeBitWidth());
  for (int64_t d = 0; d < type.getDimSize(1); d += step) {
    Value column = arith::ConstantIndexOp::create(b, loc, d);
    memref::PrefetchOp::create(b, loc, matrix, ValueRange{row, column}, isWrite,
                               localityInL2, /*isDataCache=*/true);
  }
}

namespace {
/// What a query tile touches that the tile before it did not.
struct Fresh {
  struct Rows {
    Value matrix, first;
    bool isWrite;
  };
  SmallVector<Rows> rows;
  int64_t count; // of each
  int64_t steps; // that ask for them
};
} // namespace

/// The first steps over keys ask for some of the fresh rows each.
static void prefetchIn(SweepKeysOp sweep, const Fresh &fresh) {
  Location loc = sweep.getLoc();
  int64_t share = llvm::divideCeil(fresh.count, fresh.steps);
  OpBuilder b = OpBuilder::atBlockBegin(&sweep.getBody().front());
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value).getResult();
  };
  Value done =
      arith::SubIOp::create(b, loc, sweep.getKey(), sweep.getFirstKey());
  Value step = arith::DivUIOp::create(b, loc, done, index(sweep.getKeyTile()));
  Value first = arith::MulIOp::create(b, loc, step, index(share));
  Value isWanted = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         first, index(fresh.count));
  auto wanted = scf::IfOp::create(b, loc, isWanted);
  b = wanted.getThenBodyBuilder();
  Value end = arith::AddIOp::create(b, loc, first, index(share));
  auto shared = scf::ForOp::create(b, loc, first, end, index(1));
  b.setInsertionPointToStart(shared.getBody());
  for (const Fresh::Rows &rows : fresh.rows) {
    Value row =
        arith::AddIOp::create(b, loc, shared.getInductionVar(), rows.first);
    prefetchRow(b, loc, rows.matrix, row, rows.isWrite);
  }
}

static bool isMatrixOfKnownWidth(Value matrix) {
  auto type = dyn_cast<MemRefType>(matrix.getType());
  return type && type.getRank() == 2 && !type.isDynamicDim(1);
}

/// The one op of its kind in `block`, or null.
template <typename Op> static Op getOnly(Block &block) {
  auto ops = block.getOps<Op>();
  return llvm::hasSingleElement(ops) ? *ops.begin() : Op();
}

/// Whether `value` is there before `sweep`.
static bool isBefore(Value value, SweepKeysOp sweep) {
  Operation *op = value.getDefiningOp();
  return !op || op->getBlock() != sweep->getBlock() ||
         op->isBeforeInBlock(sweep);
}

/// Whether the view `matrix` can be had before `sweep`; moves it there.
static bool hoistView(Value matrix, SweepKeysOp sweep) {
  if (isBefore(matrix, sweep))
    return true;
  auto view = matrix.getDefiningOp<memref::SubViewOp>();
  if (!view || llvm::any_of(view->getOperands(), [&](Value operand) {
        return !isBefore(operand, sweep);
      }))
    return false;
  view->moveBefore(sweep);
  return true;
}

/// The step over keys of `sweep`, or null.
static AttentionOpInterface getStep(SweepKeysOp sweep) {
  Block &body = sweep.getBody().front();
  if (auto step = getOnly<OnlineAttentionOp>(body))
    return step;
  if (auto step = getOnly<AttentionJvpStepOp>(body))
    return step;
  if (auto step = getOnly<AttentionGradStepOp>(body))
    return step;
  return {};
}

/// Keys and values that the next tile is the first to see: hardware prefetches
/// end with each page. Of few keys they are in a cache, or too many at once.
static void addFreshKeys(SweepKeysOp sweep, AttentionOpInterface step,
                         int64_t seenKeys, Fresh &fresh) {
  constexpr int64_t manyKeys = 192;
  WindowAttrInterface window = step.getEffectiveWindow();
  if (seenKeys < manyKeys || !window || !getHalo(window).after)
    return;
  SmallVector<Value> all = {step.getKey(), step.getValue()};
  if (auto jvp = dyn_cast<AttentionJvpStepOp>(step.getOperation()))
    for (Value tangent : {jvp.getDKey(), jvp.getDValue()})
      if (tangent)
        all.push_back(tangent);
  for (Value rows : all) {
    auto view = rows.getDefiningOp<memref::SubViewOp>();
    if (view && isMatrixOfKnownWidth(view.getSource()) &&
        sweep.isDefinedOutsideOfLoop(view.getSource()))
      fresh.rows.push_back(
          {view.getSource(), sweep.getEndKey(), /*isWrite=*/false});
  }
}

/// The rows that are written after `sweep`, as views from before it; none if
/// that of lattn.finalize is not such a view. linalg writes derivatives.
static SmallVector<Value> getOutputs(SweepKeysOp sweep,
                                     AttentionOpInterface step) {
  SmallVector<Value> outputs;
  auto canPrefetch = [&](Value output) {
    return isMatrixOfKnownWidth(output) && hoistView(output, sweep);
  };
  if (!isa<AttentionGradStepOp>(step.getOperation())) {
    auto finalize = getOnly<FinalizeOp>(*sweep->getBlock());
    if (!finalize || !canPrefetch(finalize.getOutput()))
      return outputs;
    outputs.push_back(finalize.getOutput());
  }
  if (isa<OnlineAttentionOp>(step.getOperation()))
    return outputs;
  for (auto derivative : sweep->getBlock()->getOps<linalg::GenericOp>())
    for (Value output : derivative.getOutputs())
      if (sweep->isBeforeInBlock(derivative) && canPrefetch(output))
        outputs.push_back(output);
  return outputs;
}

/// The rows that are packed before `sweep`, and those that linalg reads there.
static SetVector<Value> getInputs(SweepKeysOp sweep) {
  SetVector<Value> inputs;
  for (auto pack : sweep->getBlock()->getOps<PackQueryOp>())
    inputs.insert(pack.getQuery());
  for (auto sums : sweep->getBlock()->getOps<linalg::GenericOp>())
    if (sums->isBeforeInBlock(sweep))
      inputs.insert_range(
          llvm::make_filter_range(sums.getInputs(), [](Value rows) {
            return isMatrixOfKnownWidth(rows) &&
                   rows.getDefiningOp<memref::SubViewOp>();
          }));
  return inputs;
}

/// Whether a step that takes all keys asks for rows itself, spread over its
/// work: one step of a sweep would ask for all at once.
static bool spreadsAhead(AttentionOpInterface step) {
  auto online = dyn_cast<OnlineAttentionOp>(step.getOperation());
  std::optional<ScheduleAttr> schedule =
      online ? online.getSchedule() : std::nullopt;
  return schedule && schedule->getLanes() == Lanes::Mixed;
}

namespace {
struct PrefetchTiles : lattn::impl::LattnPrefetchTilesPassBase<PrefetchTiles> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<SweepKeysOp> sweeps; // a walk would follow views that move
    getOperation()->walk([&](SweepKeysOp op) { sweeps.push_back(op); });
    for (SweepKeysOp sweep : sweeps)
      prefetch(sweep);
  }

  void prefetch(SweepKeysOp sweep) {
    constexpr int64_t mostSteps = 4, kMany = 4096; // keys without bounds
    AttentionOpInterface step = getStep(sweep);
    if (!step || !getOnly<SweepKeysOp>(*sweep->getBlock()))
      return;
    SmallVector<PackQueryOp> packs(sweep->getBlock()->getOps<PackQueryOp>());
    SetVector<Value> inputs = getInputs(sweep);
    SmallVector<Value> outputs = getOutputs(sweep, step);
    if (packs.empty() || outputs.empty() ||
        !llvm::all_of(inputs, isMatrixOfKnownWidth))
      return;
    int64_t count =
        cast<ShapedType>(packs[0].getPacked().getType()).getDimSize(1);
    WindowAttrInterface window = step.getEffectiveWindow();
    int64_t seenKeys =
        window ? getMostSeenKeys(window, count).value_or(kMany) : kMany;
    int64_t steps = std::clamp<int64_t>(
        llvm::divideCeil(seenKeys, sweep.getKeyTile()), 1, mostSteps);
    if (steps == 1 && spreadsAhead(step)) {
      cast<OnlineAttentionOp>(step.getOperation())
          .getAheadMutable()
          .assign({packs[0].getQuery(), outputs[0]});
      return;
    }
    OpBuilder b(sweep);
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, sweep.getLoc(), value)
          .getResult();
    };
    Fresh fresh = {{}, count, steps};
    for (Value input : inputs)
      fresh.rows.push_back({input, index(count), /*isWrite=*/false});
    for (Value output : outputs)
      fresh.rows.push_back({output, index(0), /*isWrite=*/true});
    addFreshKeys(sweep, step, seenKeys, fresh);
    prefetchIn(sweep, fresh);
  }
};
} // namespace

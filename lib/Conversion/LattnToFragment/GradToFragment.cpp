//===- GradToFragment.cpp - Gradients of attention as fragments -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A block sums the gradients of one tile: of queries, while it sweeps keys, or
// of keys, while it sweeps queries. The tile's rows are those of all products.
// In the second case the scores are transposed, so that weights and gradients
// of scores are left operands in either case, and never leave the registers.

#include "GradToFragment.h"
#include "GradStep.h"
#include "KeptPairs.h"
#include "StepToFragment.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::Part;
using fragment::TileType;

/// The step of a sweep; null if it has none.
static AttentionGradStepOp getStep(SweepKeysOp sweep) {
  auto steps = sweep.getBody().getOps<AttentionGradStepOp>();
  return steps.empty() ? AttentionGradStepOp() : *steps.begin();
}

static int64_t getWidth(Value array) {
  return llvm::alignTo(cast<ShapedType>(array.getType()).getDimSize(1), 16);
}

namespace {
/// Converts what one block computes: a sweep, whose results are copied to the
/// gradients.
class GradConverter : TileMath {
public:
  GradConverter(OpBuilder &b, SweepKeysOp sweep, int64_t warps, int64_t rows)
      : TileMath(b, sweep.getLoc(), warps, rows), sweep(sweep),
        step(getStep(sweep)) {}
  LogicalResult run();

private:
  LogicalResult findWanted();
  void loadResident(AttentionGradStepOp step);
  bool isOfScores() { return wanted.front() == kScoreGradients; }
  SmallVector<Value> zeros();
  SmallVector<Value> convertSweep(bool isRepeated);
  LogicalResult store(ValueRange sums);
  LogicalResult eraseSweep();

  SweepKeysOp sweep;
  AttentionGradStepOp step;
  bool rowsAreKeys = false;
  SmallVector<unsigned> wanted; // result of the step of each sum
  ResidentRows resident;
};
} // namespace

/// The gradients of scores, (key, query), that `next` adds to the sweep's only
/// state, (query, key); null if it does something else.
static Value getAddedScores(SweepKeysOp sweep, Value next) {
  auto sum = next.getDefiningOp<linalg::GenericOp>();
  if (!sum || sum.getNumDpsInputs() != 1 || sweep.getState().size() != 1 ||
      sum.getOutputs()[0] != sweep.getState()[0])
    return {};
  SmallVector<AffineMap> maps = sum.getIndexingMapsArray();
  Block &body = sum.getRegion().front();
  bool adds = llvm::hasNItems(body, 2) && isa<arith::AddFOp>(body.front());
  bool swaps = maps[1].isIdentity() && maps[1].getNumDims() == 2 &&
               maps[0] == AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0},
                                                       sum.getContext());
  return adds && swaps ? sum.getInputs()[0] : Value();
}

/// Which result of the step each sum is.
LogicalResult GradConverter::findWanted() {
  for (Value next : sweep.getBody().front().getTerminator()->getOperands()) {
    Value scores = getAddedScores(sweep, next);
    auto result = dyn_cast<OpResult>(scores ? scores : next);
    bool isSum = result && result.getOwner() == step &&
                 (scores ? result.getResultNumber() == kScoreGradients
                         : result.getResultNumber() < 3);
    if (!isSum)
      return sweep.emitOpError("expected it to yield sums of its step's "
                               "gradients");
    wanted.push_back(result.getResultNumber());
    rowsAreKeys |= wanted.back() == 1 || wanted.back() == 2;
  }
  return success();
}

/// Loads the rows of `step` here.
void GradConverter::loadResident(AttentionGradStepOp step) {
  auto load = [&](Value rows) -> Value {
    Type element = getElementTypeOrSelf(rows.getType());
    return LoadOp::create(b, loc, type(Part::Operand, getWidth(rows), element),
                          rows);
  };
  bool needsSecond = llvm::any_of(wanted, [](unsigned i) { return i != 2; });
  if (rowsAreKeys) {
    resident.first = load(step.getKey());
    if (needsSecond)
      resident.second = load(step.getValue());
    return;
  }
  resident.first = load(step.getQuery());
  resident.second = load(step.getDOutput());
  resident.exponents = toExponents(
      *this, step, LoadOp::create(b, loc, rowType(f32), step.getLse()));
  resident.rowSums = LoadOp::create(b, loc, rowType(f32), step.getRowSums());
}

SmallVector<Value> GradConverter::zeros() {
  SmallVector<Value> sums;
  for (unsigned result : wanted) {
    int64_t width =
        isOfScores() ? sweep.getKeyTile() : getWidth(step.getResult(result));
    sums.push_back(fragment::SplatOp::create(
        b, loc, type(Part::Accumulator, width, f32), constant(b, 0.0)));
  }
  return sums;
}

/// The sums of the sweep, on fragments.
SmallVector<Value> GradConverter::convertSweep(bool isRepeated) {
  SmallVector<Value> bounds(sweep.getBounds());
  SmallVector<SweepRun> runs = sweep.getRunKinds();
  int64_t positions = sweep.getKeyTile();
  if (isRepeated) {
    bounds = {bounds.front(), bounds.back()};
    runs = {SweepRun::Edge};
    positions = kRepeatPositions;
  }
  return lattn::convertSweep(
      b, sweep, bounds, runs, positions, zeros(),
      [&](AttentionOpInterface inner, SweepKeysOp converted) {
        auto step = cast<AttentionGradStepOp>(inner.getOperation());
        if (isOfScores()) // of another batch or head
          loadResident(step);
        return buildGradStep(*this, step, converted, resident, isRepeated,
                             wanted, converted.getState());
      });
}

/// Writes each sum, scaled, where its result is copied to.
LogicalResult GradConverter::store(ValueRange sums) {
  int64_t headDim = cast<ShapedType>(step.getQuery().getType()).getDimSize(1);
  double scale = *getStaticScale(step, headDim);
  for (auto [result, sum, number] :
       llvm::zip_equal(sweep.getResults(), sums, wanted)) {
    auto copy = result.hasOneUse()
                    ? dyn_cast<linalg::CopyOp>(*result.user_begin())
                    : linalg::CopyOp();
    if (!copy)
      return sweep.emitOpError("expected its results to be copied to the "
                               "gradients");
    b.setInsertionPoint(copy);
    Value factor = constant(b, scale), scaled = sum;
    if (number == kScoreGradients)
      factor = Value();
    if (number == 2)
      factor = step.getDropout().empty()
                   ? Value()
                   : buildDropoutScale(*this, step.getDropout());
    if (factor)
      scaled = map(cast<TileType>(sum.getType()), {sum},
                   [&](OpBuilder &nested, ValueRange args) {
                     return arith::MulFOp::create(nested, loc, args[2], factor)
                         .getResult();
                   });
    Value dest = copy.getOutputs()[0];
    auto stored =
        fragment::StoreOp::create(b, loc, dest.getType(), scaled, dest);
    copy.getResult(0).replaceAllUsesWith(stored.getResult());
    copy.erase();
  }
  return success();
}

LogicalResult GradConverter::run() {
  if (failed(findWanted()))
    return failure();
  b.setInsertionPoint(sweep);
  if (isOfScores()) { // what is hidden is a step at an edge, and adds 0
    if (failed(store(convertSweep(/*isRepeated=*/false))))
      return failure();
    return eraseSweep();
  }
  loadResident(step);
  // 0 * NaN of what is hidden: see the forward kernel's repeatIfWrong.
  auto repeat = fragment::RepeatIfNaNOp::create(
      b, loc, convertSweep(/*isRepeated=*/false));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
    fragment::YieldOp::create(b, loc, convertSweep(/*isRepeated=*/true));
  }
  if (failed(store(repeat.getResults())))
    return failure();
  return eraseSweep();
}

LogicalResult GradConverter::eraseSweep() {
  SmallVector<Value> starts(sweep.getInits());
  sweep.erase();
  for (Value start : starts)
    if (Operation *fill = start.getDefiningOp(); fill && fill->use_empty())
      fill->erase();
  return success();
}

LogicalResult lattn::convertGradTile(OpBuilder &b, SweepKeysOp sweep,
                                     int64_t warps) {
  AttentionGradStepOp step = getStep(sweep);
  if (!step)
    return success();
  ScheduleAttr schedule = step.getScheduleAttr();
  if (!schedule || !schedule.getQueryTile())
    return step.emitOpError("expected a schedule with a query tile, which "
                            "lattn-choose-gpu-tiles gives");
  int64_t rows = *schedule.getQueryTile();
  if (warps == 0)
    warps = std::max<int64_t>(1, rows / 16);
  if (rows % (16 * warps))
    return step.emitOpError()
           << "expected a multiple of " << 16 * warps << " rows a tile for "
           << warps << " warps, got " << rows;
  return GradConverter(b, sweep, warps, rows).run();
}

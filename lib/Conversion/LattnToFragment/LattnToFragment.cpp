//===- LattnToFragment.cpp - Attention tiles as fragments -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each forall that `lattn-tile=gpu` made: what it carried as tensors, the state
// of the online softmax, becomes tiles that the block's threads hold.

#include "GradToFragment.h"
#include "KeptPairs.h"
#include "StepToFragment.h"
#include "lattn/Conversion/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace lattn {
#define GEN_PASS_DEF_CONVERTLATTNTOFRAGMENTPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::Part;
using fragment::TileType;

namespace {
constexpr double kLn2 = 0.6931471805599453;

/// Converts the tile of one forall.
class TileConverter : TileMath {
public:
  TileConverter(OpBuilder &b, FinalizeOp finalize, SweepKeysOp sweep,
                int64_t warps, int64_t queryRows)
      : TileMath(b, finalize.getLoc(), warps, queryRows), finalize(finalize),
        sweep(sweep) {}
  LogicalResult run();

private:
  LogicalResult convertState();
  bool holdsHiddenKeys();
  SmallVector<Value> startState(bool anyScore);
  Value spoilLarge(Value acc, Value max, Value sum);
  void repeatIfWrong();
  void convertSweep(ValueRange bounds, ArrayRef<SweepRun> runs, int64_t keyTile,
                    StepForm form);
  Value isScore(OpBuilder &nested, Value repeated);
  Value isNoScore(OpBuilder &nested, Value max);
  Value getLargestScore(Value max, Value repeated);
  Value getStateFactor(Value max, Value score, Value repeated);
  Value getOutputFactor(Value factor, Value sum);
  Value multiplyRows(Value tile, Value row);
  void convertFinalize();
  void eraseTensors();
  Value inFirstColumn(Value sum);
  OnlineAttentionOp getStep() {
    return *sweep.getBody().getOps<OnlineAttentionOp>().begin();
  }

  FinalizeOp finalize;
  SweepKeysOp sweep;
  /// acc, max, sums of columns; after the sweep sums of rows, and 1 where max
  /// is a score instead of an exponent of 2.
  SmallVector<Value> state;
  SmallVector<Operation *> starts; // what they were as tensors
  Value query;
};
} // namespace

static int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The state that the sweep starts from: its largest score is that of a sink,
/// or -inf.
SmallVector<Value> TileConverter::startState(bool anyScore) {
  int64_t valueDim =
      cast<ShapedType>(finalize.getAcc().getType()).getDimSize(1);
  SmallVector<Value> scalars;
  for (Operation *fill : starts)
    scalars.push_back(cast<linalg::FillOp>(fill).getInputs()[0]);
  if (!anyScore) {
    // NaN stays NaN.
    Value exponent = toExponent(b, scalars[1], llvm::numbers::log2e);
    scalars[1] =
        arith::MaximumFOp::create(b, loc, exponent, constant(b, kNoScore));
  }
  TileType acc = type(Part::Accumulator, roundUp(valueDim, 16), f32);
  return {fragment::SplatOp::create(b, loc, acc, scalars[0]),
          fragment::SplatOp::create(b, loc, rowType(f32), scalars[1]),
          inFirstColumn(scalars[2])};
}

/// What the sweep starts from, and the queries.
LogicalResult TileConverter::convertState() {
  b.setInsertionPoint(sweep);
  for (Value value : sweep.getInits()) {
    auto fill = value.getDefiningOp<linalg::FillOp>();
    if (!fill)
      return finalize.emitOpError("expected a state that starts from fills");
    starts.push_back(fill);
  }
  state = startState(/*anyScore=*/false);
  auto rows = cast<RankedTensorType>(getStep().getQuery().getType());
  query = fragment::LoadOp::create(b, loc,
                                   type(Part::Operand,
                                        roundUp(rows.getDimSize(1), 16),
                                        rows.getElementType()),
                                   getStep().getQuery());
  return success();
}

/// `sum` of each row, as sums of columns.
Value TileConverter::inFirstColumn(Value sum) {
  return map(sumType(), {}, [&](OpBuilder &nested, ValueRange args) {
    Value first =
        arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, args[1],
                              arith::ConstantIndexOp::create(nested, loc, 0));
    return arith::SelectOp::create(nested, loc, first, sum,
                                   constant(nested, 0.0))
        .getResult();
  });
}

/// Whether `op` is done if tensor maps reach all arrays.
static bool isCopiedByTensorMaps(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto choice = dyn_cast_if_present<scf::IfOp>(op->getParentOp());
        choice &&
        choice.getCondition().getDefiningOp<fragment::ReachableOp>() &&
        choice.getThenRegion().isAncestor(op->getParentRegion()))
      return true;
  return false;
}

/// Whether a tile in shared memory holds keys that some query does not see, or
/// gives no weight.
/// Tensor maps copy whole tiles, up to the end of the array; other copies end
/// where the sweep does.
bool TileConverter::holdsHiddenKeys() {
  if (getStep().getEffectiveWindow() || getStep().getKeyMask() ||
      !getStep().getDropout().empty())
    return true;
  if (!isCopiedByTensorMaps(sweep))
    return false;
  auto keys = getStep().getKey().getDefiningOp<tensor::ExtractSliceOp>();
  if (!keys)
    return true;
  FailureOr<bool> endsWithArray = ValueBoundsConstraintSet::areEqual(
      sweep.getEndKey(), {keys.getSource(), 0});
  return failed(endsWithArray) || !*endsWithArray;
}

LogicalResult TileConverter::run() {
  if (failed(convertState()))
    return failure();
  convertSweep(sweep.getBounds(), sweep.getRunKinds(), sweep.getKeyTile(), {});
  repeatIfWrong();
  convertFinalize();
  eraseTensors();
  return success();
}

/// The output so far, but NaN in rows whose largest score is too large for an
/// exponent of 2, or whose sum is NaN.
Value TileConverter::spoilLarge(Value acc, Value max, Value sum) {
  Value spoiled =
      map(rowType(f32), {max, sum}, [&](OpBuilder &nested, ValueRange args) {
        Value size = math::AbsFOp::create(nested, loc, args[2]);
        Value large =
            arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::UGT, size,
                                  constant(nested, kLargestExponent));
        Value nothing = multiply(nested, args[3], 0.0);
        Value nan = constant(nested, NAN);
        Value marked =
            arith::SelectOp::create(nested, loc, large, nan, nothing);
        return arith::SelectOp::create(nested, loc, isNoScore(nested, args[2]),
                                       nothing, marked)
            .getResult();
      });
  return map(
      cast<TileType>(acc.getType()), {acc, spoiled},
      [&](OpBuilder &nested, ValueRange args) {
        return arith::AddFOp::create(nested, loc, args[2], args[3]).getResult();
      });
}

/// Everything is done again where the output or a sum is NaN, for 0 * NaN is
/// NaN, or where scores are too large. A check in each step would cost all of
/// them. Large scores below the last maximum do no harm: the correction makes 0
/// of what they add, or NaN if that is infinite.
void TileConverter::repeatIfWrong() {
  auto mark = [&](double repeated) -> Value {
    return fragment::SplatOp::create(b, loc, rowType(f32),
                                     constant(b, repeated));
  };
  state[2] = fragment::ReduceOp::create(b, loc, rowType(f32),
                                        fragment::Kind::Add, state[2]);
  state[0] = spoilLarge(state[0], state[1], state[2]);
  state.push_back(mark(0));
  auto repeat = fragment::RepeatIfNaNOp::create(b, loc, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&repeat.getBody().emplaceBlock());
  state = startState(/*anyScore=*/true);
  convertSweep({sweep.getFirstKey(), sweep.getEndKey()}, SweepRun::Edge,
               kRepeatPositions,
               {/*anyScore=*/true, /*skipZeros=*/holdsHiddenKeys()});
  state[2] = fragment::ReduceOp::create(b, loc, rowType(f32),
                                        fragment::Kind::Add, state[2]);
  state.push_back(mark(1));
  fragment::YieldOp::create(b, loc, state);
  state = SmallVector<Value>(repeat.getResults());
}

/// The sweep on fragments.
void TileConverter::convertSweep(ValueRange bounds, ArrayRef<SweepRun> runs,
                                 int64_t keyTile, StepForm form) {
  state = lattn::convertSweep(
      b, sweep, bounds, runs, keyTile, state,
      [&](AttentionOpInterface step, SweepKeysOp converted) {
        return buildStep(*this, cast<OnlineAttentionOp>(step.getOperation()),
                         converted, query, form);
      });
}

/// Whether `repeated` says that a row's maximum is a score.
Value TileConverter::isScore(OpBuilder &nested, Value repeated) {
  return arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, repeated,
                               constant(nested, 1.0));
}

Value TileConverter::isNoScore(OpBuilder &nested, Value max) {
  return arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ, max,
                               constant(nested, kNoScore));
}

/// The largest score of each row, -inf where there is none.
Value TileConverter::getLargestScore(Value max, Value repeated) {
  return map(
      rowType(f32), {max, repeated}, [&](OpBuilder &nested, ValueRange args) {
        Value score = arith::SelectOp::create(
            nested, loc, isNoScore(nested, args[2]),
            constant(nested, -INFINITY), multiply(nested, args[2], kLn2));
        return arith::SelectOp::create(nested, loc, isScore(nested, args[3]),
                                       args[2], score)
            .getResult();
      });
}

/// What to multiply a state that is relative to the exponent `max` with, to
/// make it relative to `score`: 2^(max - log2(e) score), which is near 1.
Value TileConverter::getStateFactor(Value max, Value score, Value repeated) {
  constexpr float high = llvm::numbers::log2e;
  return map(rowType(f32), {max, score, repeated},
             [&](OpBuilder &nested, ValueRange args) {
               Value rest =
                   fma(nested, args[3], constant(nested, -high), args[2]);
               rest = fma(nested, args[3],
                          constant(nested, high - llvm::numbers::log2e), rest);
               Value stays =
                   arith::OrIOp::create(nested, loc, isNoScore(nested, args[2]),
                                        isScore(nested, args[4]));
               return arith::SelectOp::create(nested, loc, stays,
                                              constant(nested, 1.0),
                                              exp2(nested, rest))
                   .getResult();
             });
}

/// `factor`, with that of dropout, or 0 in rows whose `sum` is 0.
Value TileConverter::getOutputFactor(Value factor, Value sum) {
  Value ofDropout;
  if (ValueRange dropout = getStep().getDropout(); !dropout.empty())
    ofDropout = buildDropoutScale(*this, dropout);
  return map(rowType(f32), {factor, sum},
             [&](OpBuilder &nested, ValueRange args) {
               Value zero = constant(nested, 0.0), factor = args[2];
               if (ofDropout)
                 factor = arith::MulFOp::create(nested, loc, factor, ofDropout);
               Value none = arith::CmpFOp::create(
                   nested, loc, arith::CmpFPredicate::OEQ, args[3], zero);
               return arith::SelectOp::create(nested, loc, none, zero, factor)
                   .getResult();
             });
}

Value TileConverter::multiplyRows(Value tile, Value row) {
  return map(
      cast<TileType>(tile.getType()), {tile, row},
      [&](OpBuilder &nested, ValueRange args) {
        return arith::MulFOp::create(nested, loc, args[2], args[3]).getResult();
      });
}

void TileConverter::convertFinalize() {
  b.setInsertionPoint(finalize);
  TileType row = rowType(f32);
  Value acc = state[0], max = state[1], sum = state[2], repeated = state[3];
  auto store = [&](Value tile, Value dest) -> Value {
    return fragment::StoreOp::create(b, loc, dest.getType(), tile, dest)
        .getResult();
  };
  if (finalize.storesState()) {
    Value score = getLargestScore(max, repeated);
    Value factor = getStateFactor(max, score, repeated);
    Value total = multiplyRows(sum, factor);
    // acc is 0 there anyway; without this ptxas spills a register at D = 256.
    Value accs = store(multiplyRows(acc, getOutputFactor(factor, total)),
                       finalize.getOutput());
    Value maxs = store(score, finalize.getRows()[0]);
    Value sums = store(total, finalize.getRows()[1]);
    return finalize->replaceAllUsesWith(ValueRange{accs, maxs, sums});
  }
  Value inverse = map(row, sum, [&](OpBuilder &nested, ValueRange args) {
    return arith::DivFOp::create(nested, loc, constant(nested, 1.0), args[2])
        .getResult();
  });
  SmallVector<Value> results = {store(
      multiplyRows(acc, getOutputFactor(inverse, sum)), finalize.getOutput())};
  if (Value dest = finalize.getLse()) {
    max = getLargestScore(max, repeated);
    Value lse = map(row, {max, sum}, [&](OpBuilder &nested, ValueRange args) {
      Value log =
          math::Log2Op::create(nested, loc, args[3], arith::FastMathFlags::afn);
      return fma(nested, log, constant(nested, kLn2), args[2]);
    });
    results.push_back(store(lse, dest));
  }
  finalize->replaceAllUsesWith(results);
}

void TileConverter::eraseTensors() {
  finalize.erase();
  sweep.erase();
  for (Operation *op : starts) // a sink fills what was filled before
    while (op && op->use_empty()) {
      Operation *before = cast<linalg::FillOp>(op)
                              .getOutputs()[0]
                              .getDefiningOp<linalg::FillOp>();
      op->erase();
      op = before;
    }
}

/// Converts the tile that `finalize` ends. With 0 `warps` it has one for each
/// 16 queries.
static LogicalResult convertTile(OpBuilder &b, FinalizeOp finalize,
                                 int64_t warps) {
  auto sweep = finalize.getAcc().getDefiningOp<SweepKeysOp>();
  if (!sweep ||
      sweep.getResults() !=
          ValueRange{finalize.getAcc(), finalize.getMax(), finalize.getSum()})
    return finalize.emitOpError(
        "expected the state that a lattn.sweep_keys results in");
  if (!llvm::hasSingleElement(sweep.getBody().getOps<OnlineAttentionOp>()))
    return sweep.emitOpError("expected one lattn.online_attention in its body");
  auto acc = cast<RankedTensorType>(finalize.getAcc().getType());
  if (finalize.getValueAxis() != 1 || !acc.hasStaticShape())
    return finalize.emitOpError("expected tiles in rows, as lattn-tile{gpu} "
                                "makes them");
  int64_t queryRows = acc.getDimSize(0);
  if (warps == 0)
    warps = std::max<int64_t>(1, queryRows / 16);
  if (queryRows % (16 * warps))
    return finalize.emitOpError()
           << "expected a multiple of " << 16 * warps << " queries a tile for "
           << warps << " warps, got " << queryRows;
  return TileConverter(b, finalize, sweep, warps, queryRows).run();
}

namespace {
struct ConvertLattnToFragment
    : lattn::impl::ConvertLattnToFragmentPassBase<ConvertLattnToFragment> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<FinalizeOp> finalizes;
    getOperation()->walk([&](FinalizeOp op) {
      auto forall = op->getParentOfType<scf::ForallOp>();
      if (forall && forall.getMapping())
        finalizes.push_back(op);
    });
    OpBuilder b(&getContext());
    for (FinalizeOp op : finalizes)
      if (failed(convertTile(b, op, warps)))
        return signalPassFailure();
    SmallVector<SweepKeysOp> sweeps; // that are left: of gradients
    getOperation()->walk([&](SweepKeysOp op) {
      auto forall = op->getParentOfType<scf::ForallOp>();
      if (forall && forall.getMapping())
        sweeps.push_back(op);
    });
    for (SweepKeysOp op : sweeps)
      if (failed(convertGradTile(b, op, warps)))
        return signalPassFailure();
  }
};
} // namespace

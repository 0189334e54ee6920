//===- LattnToFragment.cpp - Attention tiles as fragments -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each forall that `lattn-tile=gpu` made: what it carried as tensors, the state
// of the online softmax, becomes tiles that the block's threads hold.

#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include <cmath>

namespace lattn {
#define GEN_PASS_DEF_CONVERTLATTNTOFRAGMENTPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using fragment::MapOp;
using fragment::Part;
using fragment::TileType;

namespace {
constexpr double kLog2E = 1.4426950408889634;
constexpr double kLn2 = 0.6931471805599453;
/// Keys of a step where work is repeated: few, for few registers.
constexpr int64_t kRepeatKeys = 16;

/// Converts the tile of one forall.
class TileConverter {
public:
  TileConverter(OpBuilder &b, FinalizeOp finalize, int64_t warps)
      : b(b), finalize(finalize), loc(finalize.getLoc()), warps(warps),
        f32(b.getF32Type()) {}
  LogicalResult run();

private:
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;
  LogicalResult analyze();
  void repeatForNaN(ValueRange start);
  void convertSweep(ValueRange bounds, ArrayRef<SweepRun> runs, int64_t keyTile,
                    bool skipZeros);
  SmallVector<Value> step(OnlineAttentionOp op, SweepKeysOp sweep,
                          bool skipZeros);
  Value score(OnlineAttentionOp op, Value products, double &scale);
  Value hideAtEdge(OnlineAttentionOp op, Value scores, Value edge);
  Value hide(OnlineAttentionOp op, Value scores);
  Value keepVisible(Value weights, Value scores, Type element);
  void convertFinalize();
  Value inFirstColumn(Value sum);

  TileType type(Part part, int64_t rows, int64_t columns, Type element) {
    SmallVector<int64_t> shape = {rows, columns};
    if (part == Part::Row)
      shape.pop_back();
    auto layout = fragment::MmaAttr::get(b.getContext(), part, warps);
    return TileType::get(b.getContext(), shape, element, layout);
  }
  TileType rowType(Type element) {
    return type(Part::Row, queryRows, 1, element);
  }
  TileType sumType() { return type(Part::Accumulator, queryRows, 8, f32); }
  Value map(TileType result, ValueRange inputs, Body body) {
    return MapOp::create(b, loc, result, inputs, body);
  }
  Value constant(OpBuilder &nested, double value) {
    return arith::ConstantOp::create(nested, loc,
                                     nested.getF32FloatAttr(value));
  }
  Value exp2(OpBuilder &nested, Value x) {
    return math::Exp2Op::create(nested, loc, x, arith::FastMathFlags::afn);
  }
  Value fma(OpBuilder &nested, Value x, Value y, Value z) {
    return math::FmaOp::create(nested, loc, x, y, z);
  }

  OpBuilder &b;
  FinalizeOp finalize;
  Location loc;
  int64_t warps;
  Type f32;
  int64_t queryRows, headDim, valueDim; // of tiles
  SweepKeysOp sweep;
  SmallVector<Value> state;        // acc, max, sums of columns
  SmallVector<Operation *> starts; // what they were as tensors
  Value query;
};
} // namespace

static int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Finds the steps over keys and the state that they start from.
LogicalResult TileConverter::analyze() {
  sweep = finalize.getAcc().getDefiningOp<SweepKeysOp>();
  if (!sweep ||
      sweep.getResults() !=
          ValueRange{finalize.getAcc(), finalize.getMax(), finalize.getSum()})
    return finalize.emitOpError(
        "expected the state that a lattn.sweep_keys results in");
  auto acc = cast<RankedTensorType>(finalize.getAcc().getType());
  if (finalize.getValueAxis() != 1 || !acc.hasStaticShape())
    return finalize.emitOpError("expected tiles in rows, as lattn-tile{gpu} "
                                "makes them");
  queryRows = acc.getDimSize(0);
  if (warps == 0)
    warps = std::max<int64_t>(1, queryRows / 16);
  if (queryRows % (16 * warps))
    return finalize.emitOpError()
           << "expected a multiple of " << 16 * warps << " queries a tile for "
           << warps << " warps, got " << queryRows;
  auto steps = sweep.getBody().getOps<OnlineAttentionOp>();
  if (!llvm::hasSingleElement(steps))
    return sweep.emitOpError("expected one lattn.online_attention in its body");
  OnlineAttentionOp online = *steps.begin();
  auto rows = cast<RankedTensorType>(online.getQuery().getType());
  headDim = roundUp(rows.getDimSize(1), 16);
  valueDim = roundUp(acc.getDimSize(1), 16);
  for (auto [i, value] : llvm::enumerate(sweep.getInits())) {
    auto fill = value.getDefiningOp<linalg::FillOp>();
    if (!fill)
      return finalize.emitOpError("expected a state that starts from fills");
    TileType tile =
        i ? rowType(f32) : type(Part::Accumulator, queryRows, valueDim, f32);
    starts.push_back(fill);
    b.setInsertionPoint(sweep);
    Value scalar = fill.getInputs()[0];
    state.push_back(i == 2 ? inFirstColumn(scalar)
                           : fragment::SplatOp::create(b, loc, tile, scalar));
  }
  query = fragment::LoadOp::create(
      b, loc, type(Part::Operand, queryRows, headDim, rows.getElementType()),
      online.getQuery());
  return success();
}

/// `sum` of each row, as sums of columns: only the last step needs those of the
/// other threads.
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

LogicalResult TileConverter::run() {
  if (failed(analyze()))
    return failure();
  SmallVector<Value> start = state;
  b.setInsertionPoint(sweep);
  convertSweep(sweep.getBounds(), sweep.getRunKinds(), sweep.getKeyTile(),
               /*skipZeros=*/false);
  OnlineAttentionOp step = *sweep.getBody().getOps<OnlineAttentionOp>().begin();
  if (step.getEffectiveWindow() || step.getKeyMask())
    repeatForNaN(start); // keys that a tile holds may be hidden
  convertFinalize();
  return success();
}

/// 0 * NaN is NaN: where the output holds one, everything is done again, with
/// hidden values skipped. A check in each step would cost all of them.
void TileConverter::repeatForNaN(ValueRange start) {
  Value any = fragment::AnyNaNOp::create(b, loc, b.getI1Type(), state[0]);
  auto choice = scf::IfOp::create(b, loc, ValueRange(state).getTypes(), any,
                                  /*else=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, state);
  b.setInsertionPointToStart(choice.thenBlock());
  state = SmallVector<Value>(start);
  convertSweep({sweep.getFirstKey(), sweep.getEndKey()}, SweepRun::Edge,
               kRepeatKeys,
               /*skipZeros=*/true);
  scf::YieldOp::create(b, loc, state);
  state = SmallVector<Value>(choice.getResults());
}

/// The sweep on fragments.
void TileConverter::convertSweep(ValueRange bounds, ArrayRef<SweepRun> runs,
                                 int64_t keyTile, bool skipZeros) {
  auto converted =
      SweepKeysOp::create(b, sweep.getLoc(), bounds, runs, keyTile, state);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&converted.getBody().front());
  IRMapping mapping;
  mapping.map(sweep.getKey(), converted.getKey());
  mapping.map(sweep.getSize(), converted.getSize());
  mapping.map(sweep.getEdge(), converted.getEdge());
  mapping.map(sweep.getState(), sweep.getInits());
  SmallVector<Value> next;
  for (Operation &op : sweep.getBody().front().without_terminator()) {
    Operation *clone = b.clone(op, mapping);
    if (auto online = dyn_cast<OnlineAttentionOp>(clone)) {
      next = step(online, converted, skipZeros);
      clone->erase();
    }
  }
  YieldOp::create(b, loc, next);
  state = SmallVector<Value>(converted.getResults());
}

/// What the score is before keys are hidden. `scale` is the factor that is left
/// for the exponential to apply.
Value TileConverter::score(OnlineAttentionOp op, Value products,
                           double &scale) {
  // A factor of 0 would make NaN of what is hidden, a negative one would turn
  // the order around.
  if (op.getScore().empty() && !op.getBias() && scale > 0)
    return products;
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value lastRow = arith::SubIOp::create(b, loc, op.getQueryRows(), one);
  Value size = tensor::DimOp::create(b, loc, op.getKey(), 0);
  Value lastKey = arith::SubIOp::create(b, loc, size, one);
  Value factor = constant(b, scale);
  scale = 1;
  return map(
      cast<TileType>(products.getType()), products,
      [&](OpBuilder &nested, ValueRange args) {
        Value row = arith::MinSIOp::create(nested, loc, args[0], lastRow);
        Value key = arith::MinSIOp::create(nested, loc, args[1], lastKey);
        Coordinates at = addOrigin(nested, loc, op, {zero, zero, row, key});
        return buildVisibleScore(nested, loc, op, args[2], factor, at);
      });
}

/// `scores`, with -inf in a step at an edge where a key is not visible.
Value TileConverter::hideAtEdge(OnlineAttentionOp op, Value scores,
                                Value edge) {
  auto choice =
      scf::IfOp::create(b, loc, scores.getType(), edge, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  scf::YieldOp::create(b, loc, hide(op, scores));
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, loc, scores);
  return choice.getResult(0);
}

/// `scores` with -inf where a key is beyond the tile or hidden.
Value TileConverter::hide(OnlineAttentionOp op, Value scores) {
  auto tile = cast<TileType>(scores.getType());
  WindowAttrInterface window = op.getEffectiveWindow();
  Value mask = op.getKeyMask();
  Type i32 = b.getI32Type();
  auto narrow = [&](OpBuilder &nested, Value index) -> Value {
    return arith::IndexCastOp::create(nested, loc, i32, index);
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value size = tensor::DimOp::create(b, loc, op.getKey(), 0);
  Coordinates origin = addOrigin(b, loc, op, {zero, zero, zero, zero});
  SmallVector<Value> inputs = {scores};
  // Bounds of visible keys, counted from the tile's first, in [0, size].
  auto bound = [&](bool upper) -> unsigned {
    auto build = upper ? buildUpperBound : buildLowerBound;
    if (!build(b, loc, window, zero))
      return 0;
    inputs.push_back(
        map(rowType(i32), {}, [&](OpBuilder &nested, ValueRange args) {
          Value query =
              arith::AddIOp::create(nested, loc, origin.query, args[0]);
          Value position =
              buildPosition(nested, loc, op.getOffset(), origin.batch, query);
          Value at = build(nested, loc, window, position);
          at = arith::SubIOp::create(nested, loc, at, origin.key);
          at = arith::MaxSIOp::create(nested, loc, at, zero);
          return narrow(nested, arith::MinSIOp::create(nested, loc, at, size));
        }));
    return 1 + inputs.size();
  };
  unsigned lower = 0, upper = 0; // places among the region's arguments, or 0
  if (window) {
    lower = bound(/*upper=*/false);
    upper = bound(/*upper=*/true);
  }
  Value end = upper ? Value() : narrow(b, size);
  return map(tile, inputs, [&](OpBuilder &nested, ValueRange args) {
    Value column = narrow(nested, args[1]), visible;
    auto require = [&](Value condition) {
      visible = visible ? arith::AndIOp::create(nested, loc, visible, condition)
                              .getResult()
                        : condition;
    };
    auto compare = [&](arith::CmpIPredicate predicate, Value limit) {
      require(arith::CmpIOp::create(nested, loc, predicate, column, limit));
    };
    if (lower)
      compare(arith::CmpIPredicate::sge, args[lower]);
    if (upper)
      compare(arith::CmpIPredicate::slt, args[upper]);
    if (end)
      compare(arith::CmpIPredicate::slt, end);
    if (mask) {
      Value one = arith::ConstantIndexOp::create(nested, loc, 1);
      Value last = arith::SubIOp::create(nested, loc, size, one);
      Value key = arith::MinSIOp::create(nested, loc, args[1], last);
      key = arith::AddIOp::create(nested, loc, key, origin.key);
      require(readElement(nested, loc, mask, {origin.batch, key}));
    }
    return arith::SelectOp::create(nested, loc, visible, args[2],
                                   constant(nested, -INFINITY))
        .getResult();
  });
}

/// `weights` that rounding to `element` makes no 0 of, but where keys are
/// hidden: what they multiply may be infinite.
Value TileConverter::keepVisible(Value weights, Value scores, Type element) {
  const llvm::fltSemantics &format =
      cast<FloatType>(element).getFloatSemantics();
  // Of bf16 f32 has none that is smaller and normal.
  APFloat number = element.isF16() ? APFloat::getSmallest(format)
                                   : APFloat::getSmallestNormalized(format);
  return map(cast<TileType>(weights.getType()), {weights, scores},
             [&](OpBuilder &nested, ValueRange args) {
               Value least = constant(nested, number.convertToDouble());
               Value small = arith::CmpFOp::create(
                   nested, loc, arith::CmpFPredicate::OLT, args[2], least);
               Value visible =
                   arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::UNE,
                                         args[3], constant(nested, -INFINITY));
               Value kept = arith::AndIOp::create(nested, loc, small, visible);
               return arith::SelectOp::create(nested, loc, kept, least, args[2])
                   .getResult();
             });
}

/// The state after a tile of keys.
SmallVector<Value> TileConverter::step(OnlineAttentionOp op, SweepKeysOp sweep,
                                       bool skipZeros) {
  ValueRange state = sweep.getState();
  Value acc = state[0], max = state[1], sum = state[2];
  int64_t keys = sweep.getKeyTile();
  TileType scoreType = type(Part::Accumulator, queryRows, keys, f32);
  TileType row = rowType(f32);
  auto keyType = cast<RankedTensorType>(op.getKey().getType());
  double scale = *getStaticScale(op, keyType.getDimSize(1));

  Value zeros = fragment::SplatOp::create(b, loc, scoreType, constant(b, 0.0));
  Value scores = fragment::MultiplyOp::create(
      b, loc, scoreType, query, op.getKey(), zeros, /*transposed=*/true);
  scores = hideAtEdge(op, score(op, scores, scale), sweep.getEdge());

  // max' = max(max, scale * rowmax(scores))
  Value rowMax =
      fragment::ReduceOp::create(b, loc, row, fragment::Kind::Max, scores);
  Value newMax =
      map(row, {max, rowMax}, [&](OpBuilder &nested, ValueRange args) {
        Value scaled = args[3];
        if (scale != 1)
          scaled = arith::MulFOp::create(nested, loc, scaled,
                                         constant(nested, scale));
        return arith::MaxNumFOp::create(nested, loc, args[2], scaled)
            .getResult();
      });
  // Of no visible key yet: any finite number, for -inf - -inf is NaN.
  Value shift = map(row, newMax, [&](OpBuilder &nested, ValueRange args) {
    Value none = arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ,
                                       args[2], constant(nested, -INFINITY));
    Value scaled =
        arith::MulFOp::create(nested, loc, args[2], constant(nested, -kLog2E));
    return arith::SelectOp::create(nested, loc, none, constant(nested, 0.0),
                                   scaled)
        .getResult();
  });
  // weights = exp(scores - max'), correction = exp(max - max')
  auto power = [&](double factor) {
    return [&, factor](OpBuilder &nested, ValueRange args) {
      return exp2(nested,
                  fma(nested, args[2], constant(nested, factor), args[3]));
    };
  };
  Value weights = map(scoreType, {scores, shift}, power(scale * kLog2E));
  Value correction = map(row, {max, shift}, power(kLog2E));
  // sum' = correction * sum + rowsum(weights)
  Value added = fragment::FoldOp::create(b, loc, sumType(), weights);
  sum = map(sumType(), {sum, correction, added},
            [&](OpBuilder &nested, ValueRange args) {
              return fma(nested, args[2], args[3], args[4]);
            });
  // acc' = correction * acc + weights * value
  acc = map(
      cast<TileType>(acc.getType()), {acc, correction},
      [&](OpBuilder &nested, ValueRange args) {
        return arith::MulFOp::create(nested, loc, args[2], args[3]).getResult();
      });
  Type element = getElementTypeOrSelf(op.getValue().getType());
  if (skipZeros)
    weights = keepVisible(weights, scores, element);
  Value narrow = fragment::NarrowOp::create(
      b, loc, type(Part::Operand, queryRows, keys, element), weights);
  acc =
      fragment::MultiplyOp::create(b, loc, acc.getType(), narrow, op.getValue(),
                                   acc, /*transposed=*/false, skipZeros);
  return {acc, newMax, sum};
}

void TileConverter::convertFinalize() {
  b.setInsertionPoint(finalize);
  TileType row = rowType(f32);
  Value acc = state[0], max = state[1];
  Value sum =
      fragment::ReduceOp::create(b, loc, row, fragment::Kind::Add, state[2]);
  Value inverse = map(row, sum, [&](OpBuilder &nested, ValueRange args) {
    Value zero = constant(nested, 0.0);
    Value none = arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ,
                                       args[2], zero);
    Value quotient =
        arith::DivFOp::create(nested, loc, constant(nested, 1.0), args[2]);
    return arith::SelectOp::create(nested, loc, none, zero, quotient)
        .getResult();
  });
  Value output = map(
      cast<TileType>(acc.getType()), {acc, inverse},
      [&](OpBuilder &nested, ValueRange args) {
        return arith::MulFOp::create(nested, loc, args[2], args[3]).getResult();
      });
  auto store = [&](Value tile, Value dest) -> Value {
    return fragment::StoreOp::create(b, loc, dest.getType(), tile, dest)
        .getResult();
  };
  SmallVector<Value> results = {store(output, finalize.getOutput())};
  if (Value dest = finalize.getLse()) {
    Value lse = map(row, {max, sum}, [&](OpBuilder &nested, ValueRange args) {
      Value log =
          math::Log2Op::create(nested, loc, args[3], arith::FastMathFlags::afn);
      return fma(nested, log, constant(nested, kLn2), args[2]);
    });
    results.push_back(store(lse, dest));
  }
  finalize->replaceAllUsesWith(results);
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
      if (failed(TileConverter(b, op, warps).run()))
        return signalPassFailure();
  }
};
} // namespace

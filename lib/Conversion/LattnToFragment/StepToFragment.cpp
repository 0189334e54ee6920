//===- StepToFragment.cpp - A step over keys on fragments -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepToFragment.h"
#include "KeptPairs.h"
#include "Visibility.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;
using namespace lattn;
using fragment::MultiplyOp;
using fragment::Part;
using fragment::TileType;

namespace {
class Step : TileMath {
public:
  Step(TileMath &math, OnlineAttentionOp op, SweepKeysOp sweep, Value query,
       StepForm form)
      : TileMath(math), op(op), sweep(sweep), query(query), form(form) {}
  SmallVector<Value> run();

private:
  Value scores(double &scale);
  Value loadBias();
  Value score(Value products, Value bias, double &scale);
  Value hideKeys(Value scores, Visibility &visibility, Value mask);
  Value newMax(Value max, Value scores, double factor);
  SmallVector<Value> exponentials(Value scores, Value max, Value newMax,
                                  double factor);
  SmallVector<Value> exponentialsOfAny(Value scores, Value max, Value newMax);
  Value keepVisible(Value weights, Value scores, Type element);

  OnlineAttentionOp op;
  SweepKeysOp sweep;
  Value query;
  StepForm form;
};
} // namespace

/// Whether an exponential can apply `scale`: it must leave -inf as it is, and
/// the order of scores.
static bool isFactor(double scale) {
  auto factor = float(scale * llvm::numbers::log2e);
  return factor >= std::numeric_limits<float>::min() && std::isfinite(factor);
}

/// The bias of the step's pairs; null if it has no tiles.
Value Step::loadBias() {
  if (!hasBiasTiles(op))
    return {};
  Type element = getElementTypeOrSelf(op.getBias().getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Coordinates first = addOrigin(b, loc, op, {zero, zero, zero, zero});
  SmallVector<OpFoldResult> offsets, sizes, strides;
  OpFoldResult one = b.getIndexAttr(1);
  for (Value index : buildBiasIndices(b, loc, op, first))
    offsets.push_back(index);
  sizes.assign(offsets.size(), one);
  strides = sizes;
  sizes[sizes.size() - 2] = op.getQueryRows();
  sizes.back() = tensor::DimOp::create(b, loc, op.getKey(), 0).getResult();
  SmallVector<int64_t> shape(2, ShapedType::kDynamic);
  Value pairs = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get(shape, element), op.getBias(), offsets,
      sizes, strides);
  TileType tile = type(Part::Operand, sweep.getKeyTile(), element);
  Value loaded = fragment::LoadOp::create(b, loc, tile, pairs);
  return fragment::WidenOp::create(
      b, loc, type(Part::Accumulator, sweep.getKeyTile(), f32), loaded);
}

/// What the score is before keys are hidden. `bias` is that of its pairs, if it
/// was loaded. `scale` is the factor that is left for the exponential to apply.
Value Step::score(Value products, Value bias, double &scale) {
  auto tile = cast<TileType>(products.getType());
  if (op.getScore().empty() && !op.getBias() && isFactor(scale)) {
    if (!form.anyScore)
      return products;
    double factor = std::exchange(scale, 1);
    return map(tile, products, [&](OpBuilder &nested, ValueRange args) {
      return multiply(nested, args[2], factor);
    });
  }
  Value factor = constant(b, std::exchange(scale, 1));
  if (bias && op.getScore().empty())
    return map(tile, {products, bias}, [&](OpBuilder &nested, ValueRange args) {
      return fma(nested, args[2], factor, args[3]);
    });
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value lastRow = arith::SubIOp::create(b, loc, op.getQueryRows(), one);
  Value size = tensor::DimOp::create(b, loc, op.getKey(), 0);
  Value lastKey = arith::SubIOp::create(b, loc, size, one);
  SmallVector<Value> inputs = {products};
  if (bias)
    inputs.push_back(bias);
  return map(tile, inputs, [&](OpBuilder &nested, ValueRange args) -> Value {
    Value row = arith::MinSIOp::create(nested, loc, args[0], lastRow);
    Value key = arith::MinSIOp::create(nested, loc, args[1], lastKey);
    Coordinates at = addOrigin(nested, loc, op, {zero, zero, row, key});
    if (!bias)
      return buildVisibleScore(nested, loc, op, args[2], factor, at);
    Value score = arith::MulFOp::create(nested, loc, args[2], factor);
    score = buildModifiedScore(nested, loc, op, score, at);
    return arith::AddFOp::create(nested, loc, score, args[3]);
  });
}

/// `scores`, with -inf where a key is not visible. Bounds are compared in steps
/// at edges only, the flags of the key mask are read in all.
Value Step::hideKeys(Value scores, Visibility &visibility, Value mask) {
  auto choice = scf::IfOp::create(b, loc, scores.getType(), sweep.getEdge(),
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value hidden = visibility.hide(scores, -INFINITY, mask);
  scf::YieldOp::create(b, loc, hidden);
  b.setInsertionPointToStart(choice.elseBlock());
  if (mask)
    scores = visibility.hideByMask(scores, -INFINITY, mask);
  scf::YieldOp::create(b, loc, scores);
  return choice.getResult(0);
}

/// `weights` that rounding to `element` makes no 0 of, but where keys are
/// hidden: what they multiply may be infinite.
Value Step::keepVisible(Value weights, Value scores, Type element) {
  APFloat number = getLeastNumber(element);
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

/// The scores of the step's keys, hidden ones as -inf; `scale` is the factor
/// that is left for the exponential to apply.
Value Step::scores(double &scale) {
  auto key = cast<RankedTensorType>(op.getKey().getType());
  scale = *getStaticScale(op, key.getDimSize(1));
  TileType tile = type(Part::Accumulator, sweep.getKeyTile(), f32);
  Value zeros = fragment::SplatOp::create(b, loc, tile, constant(b, 0.0));
  Value products = MultiplyOp::create(b, loc, tile, query, op.getKey(), zeros,
                                      /*transposed=*/true);
  // A bias and flags arrive while the product runs.
  Value bias = loadBias();
  Visibility visibility(*this, op, /*rowsAreKeys=*/false);
  Value mask = visibility.loadMask(sweep.getKeyTile());
  return hideKeys(score(products, bias, scale), visibility, mask);
}

/// The largest score so far, or the exponent of 2 that `factor` makes of it.
Value Step::newMax(Value max, Value scores, double factor) {
  TileType row = rowType(f32);
  Value rowMax =
      fragment::ReduceOp::create(b, loc, row, fragment::Kind::Max, scores);
  return map(row, {max, rowMax}, [&](OpBuilder &nested, ValueRange args) {
    Value largest =
        form.anyScore ? args[3] : toExponent(nested, args[3], factor);
    return arith::MaxNumFOp::create(nested, loc, args[2], largest).getResult();
  });
}

/// Weights and correction for maxima that are exponents of 2. Weights are not
/// off by how `newMax` was rounded: all that follows is relative to it.
SmallVector<Value> Step::exponentials(Value scores, Value max, Value newMax,
                                      double factor) {
  Value weights =
      map(cast<TileType>(scores.getType()), {scores, newMax},
          [&](OpBuilder &nested, ValueRange args) {
            Value shift = arith::NegFOp::create(nested, loc, args[3]);
            return exp2(nested,
                        fma(nested, args[2], constant(nested, factor), shift));
          });
  Value correction =
      map(rowType(f32), {max, newMax}, [&](OpBuilder &nested, ValueRange args) {
        return exp2(nested,
                    arith::SubFOp::create(nested, loc, args[2], args[3]));
      });
  return {weights, correction};
}

/// The same for maxima that are scores. Where no key is visible yet, 0 is
/// subtracted: -inf - -inf is NaN.
SmallVector<Value> Step::exponentialsOfAny(Value scores, Value max,
                                           Value newMax) {
  TileType row = rowType(f32);
  Value shift = map(row, newMax, [&](OpBuilder &nested, ValueRange args) {
    Value none = arith::CmpFOp::create(nested, loc, arith::CmpFPredicate::OEQ,
                                       args[2], constant(nested, -INFINITY));
    return arith::SelectOp::create(nested, loc, none, constant(nested, 0.0),
                                   args[2])
        .getResult();
  });
  auto power = [&](OpBuilder &nested, ValueRange args) {
    Value difference = arith::SubFOp::create(nested, loc, args[2], args[3]);
    return exp2(nested, multiply(nested, difference, llvm::numbers::log2e));
  };
  return {map(cast<TileType>(scores.getType()), {scores, shift}, power),
          map(row, {max, shift}, power)};
}

SmallVector<Value> Step::run() {
  ValueRange state = sweep.getState();
  Value acc = state[0], sum = state[2];
  double scale;
  Value scores = this->scores(scale);
  double factor = scale * llvm::numbers::log2e;
  Value max = newMax(state[1], scores, factor);
  // weights = exp(scores - max'), correction = exp(max - max')
  SmallVector<Value> both = form.anyScore
                                ? exponentialsOfAny(scores, state[1], max)
                                : exponentials(scores, state[1], max, factor);
  Value weights = both[0], correction = both[1];
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
  if (form.skipZeros)
    weights = keepVisible(weights, scores, element);
  if (!op.getDropout().empty()) // the end of the sweep scales the sum
    weights =
        dropPairs(*this, weights,
                  buildKeptPairs(*this, op, op.getDropout(), sweep.getKeyTile(),
                                 /*rowsAreKeys=*/false));
  Value narrow = fragment::NarrowOp::create(
      b, loc, type(Part::Operand, sweep.getKeyTile(), element), weights);
  acc = MultiplyOp::create(b, loc, acc.getType(), narrow, op.getValue(), acc,
                           /*transposed=*/false, form.skipZeros);
  return {acc, max, sum};
}

SmallVector<Value> lattn::buildStep(TileMath &math, OnlineAttentionOp op,
                                    SweepKeysOp sweep, Value query,
                                    StepForm form) {
  return Step(math, op, sweep, query, form).run();
}

SmallVector<Value> lattn::convertSweep(
    OpBuilder &b, SweepKeysOp sweep, ValueRange bounds, ArrayRef<SweepRun> runs,
    int64_t keyTile, ValueRange tiles,
    function_ref<SmallVector<Value>(AttentionOpInterface, SweepKeysOp)>
        convert) {
  auto converted =
      SweepKeysOp::create(b, sweep.getLoc(), bounds, runs, keyTile, tiles);
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
    if (auto step = dyn_cast<AttentionOpInterface>(clone)) {
      next = convert(step, converted); // with what the body does with results
      clone->erase();
      break;
    }
  }
  YieldOp::create(b, sweep.getLoc(), next);
  return SmallVector<Value>(converted.getResults());
}

//===- ExpandMultiheadAttention.cpp - multihead_attention becomes attention -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//   query -> product ------------> [xpos] \
//   key   -> product -> [state] -> [xpos] -> attention -> [layer norm] ->
//   product value -> product -> [state] ---------- /        `-> [weights]
//
// Query, key and value are views of their products (layout bnhd) but where
// there is a state: it is (batch, head, position, size), and so are they then.
// What enters a product with a weight is of query's element type, what leaves
// it of the accumulator type.

#include "../SoftmaxState.h"
#include "Projection.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNEXPANDMULTIHEADATTENTIONPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;
using OFR = OpFoldResult;

namespace {
class Expander {
public:
  Expander(OpBuilder &b, MultiheadAttentionOp op);
  SmallVector<Value> run();

private:
  AffineMap permutation(ArrayRef<unsigned> axes) {
    return AffineMap::getPermutationMap(axes, b.getContext());
  }
  Value emptyLike(Value like, Type type) {
    return tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, like),
                                   type);
  }
  Value constant(OpBuilder &b, const APFloat &value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(element, value));
  }
  Value projectHeads(Value x, Value weight, Value bias);
  Value toHeadsFirst(Value x, Value output);
  Value append(Value prev, Value x, Value next);
  Value rotate(Value x, OFR first, bool isKey);
  void rotateBoth();
  Value invert(Value mask);
  void chooseBias();
  void buildScore(Region &region);
  Value readCaptured(Block &block, unsigned which);
  void attend();
  Value fillEmptyRows(Value x, AffineMap map, AffineMap rows, Value output);
  Value getWeights();

  OpBuilder &b;
  MultiheadAttentionOp op;
  Location loc;
  FloatType element;
  Layout layout;
  Value query, key, value, nextKey, nextValue;
  Value mask, bias, lse, attended;
  SmallVector<Value> captures;
};
} // namespace

Expander::Expander(OpBuilder &b, MultiheadAttentionOp op)
    : b(b), op(op), loc(op.getLoc()),
      element(getAccumulatorType(op.getQuery().getType())),
      layout(op.getNextKey() ? Layout::BHND : Layout::BNHD) {}

//===----------------------------------------------------------------------===//
// Query, key, value
//===----------------------------------------------------------------------===//

/// (B, N, E) to (B, N, H, Dh).
Value Expander::projectHeads(Value x, Value weight, Value bias) {
  Value packed = project(b, loc, x, weight, bias);
  auto type = cast<RankedTensorType>(packed.getType());
  int64_t heads = op.getHeads(), size = op.getHeadSize();
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, packed);
  sizes[2] = b.getIndexAttr(heads);
  sizes.push_back(b.getIndexAttr(size));
  return tensor::ExpandShapeOp::create(
      b, loc,
      RankedTensorType::get(
          {type.getDimSize(0), type.getDimSize(1), heads, size}, element),
      packed, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}}, sizes);
}

/// `output`, (B, H, N, Dh), of x, (B, N, H, Dh).
Value Expander::toHeadsFirst(Value x, Value output) {
  return mapElements(b, loc, {{x, permutation({0, 2, 1, 3})}}, output,
                     [](OpBuilder &, ValueRange v) { return v[0]; });
}

/// `next`, (B, H, P + N, Dh), of what was before and x, (B, N, H, Dh).
Value Expander::append(Value prev, Value x, Value next) {
  OFR zero = b.getIndexAttr(0);
  SmallVector<OFR> at(4, zero), ones(4, b.getIndexAttr(1));
  if (prev) {
    SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, prev);
    next = tensor::InsertSliceOp::create(b, loc, prev, next, at, sizes, ones);
    at[2] = sizes[2];
  }
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, x);
  std::swap(sizes[1], sizes[2]);
  Value rows = tensor::ExtractSliceOp::create(b, loc, next, at, sizes, ones);
  rows = toHeadsFirst(x, rows);
  return tensor::InsertSliceOp::create(b, loc, rows, next, at, sizes, ones);
}

/// Rows at positions `first` and after, with the scales that are centred on
/// half of all positions, rounded up.
Value Expander::rotate(Value x, OFR first, bool isKey) {
  unsigned axis = layout == Layout::BNHD ? 1 : 2;
  AffineExpr n, start;
  bindSymbols(b.getContext(), n, start);
  OFR center = affine::makeComposedFoldedAffineApply(
      b, loc, (n + start).ceilDiv(2),
      {tensor::getMixedSize(b, loc, x, axis), first});
  UnitAttr yes = b.getUnitAttr();
  return RotaryOp::create(
             b, loc, x, getValueOrCreateConstantIndexOp(b, loc, first),
             getValueOrCreateConstantIndexOp(b, loc, center),
             emptyLike(x, element), b.getI64IntegerAttr(op.getHeadSize()),
             /*theta=*/b.getF64FloatAttr(1e4), /*interleaved=*/yes,
             op.getXposScaleBaseAttr(), isKey ? yes : UnitAttr(),
             /*transposed=*/UnitAttr(), b.getI64IntegerAttr(axis))
      .getResult(0);
}

void Expander::rotateBoth() {
  OFR zero = b.getIndexAttr(0), first = zero;
  if (op.getNextKey() && !op.getIsFirstStep()) {
    AffineExpr keys;
    bindSymbols(b.getContext(), keys);
    first = affine::makeComposedFoldedAffineApply(
        b, loc, keys - 1, {tensor::getMixedSize(b, loc, key, 2)});
  }
  query = rotate(query, first, /*isKey=*/false);
  key = rotate(key, zero, /*isKey=*/true);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// true = takes part, of true = hidden.
Value Expander::invert(Value mask) {
  if (!mask)
    return {};
  AffineMap whole = b.getMultiDimIdentityMap(2);
  Value empty = emptyLike(mask, b.getI1Type());
  return buildGeneric(b, loc, mask, empty, {whole, whole},
                      [&](OpBuilder &n, ValueRange args) -> Value {
                        Value yes = arith::ConstantOp::create(
                            n, loc, n.getBoolAttr(true));
                        return arith::XOrIOp::create(n, loc, args[0], yes);
                      });
}

/// What is added to the scores, as attention's bias or, where more is to be
/// done to them than that, as captures of its region.
void Expander::chooseBias() {
  bias = op.getRelPos() ? op.getRelPos() : op.getAttnMask();
  if (op.getAttnMask() && op.getRelPos())
    captures.push_back(op.getAttnMask());
  // In f64 the sum is rounded to f32, as softmax in the modules does.
  if (bias && element.isF64())
    captures.push_back(std::exchange(bias, Value()));
}

/// The score's element of a captured array, broadcastable to (B, H, T, S').
Value Expander::readCaptured(Block &block, unsigned which) {
  Value array = block.getArgument(5 + which);
  auto type = cast<RankedTensorType>(array.getType());
  SmallVector<Value> at;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (type.getDimSize(axis) == 1) {
      at.push_back(arith::ConstantIndexOp::create(b, loc, 0));
      continue;
    }
    Value coordinate = block.getArgument(1 + 4 - type.getRank() + axis);
    at.push_back(
        arith::IndexCastOp::create(b, loc, b.getIndexType(), coordinate));
  }
  Value x = tensor::ExtractOp::create(b, loc, array, at);
  return convertFloat(b, loc, x, element);
}

void Expander::buildScore(Region &region) {
  if (!op.getAttnMask() && captures.empty())
    return;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(5, b.getI32Type());
  types[0] = element;
  llvm::append_range(types, ValueRange(captures).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  Block *block = b.createBlock(&region, region.end(), types, locs);
  Value score = block->getArgument(0);
  if (op.getAttnMask()) {
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    Value most = constant(b, APFloat::getLargest(semantics));
    Value least = constant(b, APFloat::getLargest(semantics, true));
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, score, score);
    score = arith::SelectOp::create(
        b, loc, isNaN, constant(b, APFloat::getZero(semantics)), score);
    score = arith::MinimumFOp::create(b, loc, score, most);
    score = arith::MaximumFOp::create(b, loc, score, least);
  }
  for (unsigned i = 0; i < captures.size(); ++i)
    score = arith::AddFOp::create(b, loc, score, readCaptured(*block, i));
  if (element.isF64()) {
    score = convertFloat(b, loc, score, b.getF32Type());
    score = convertFloat(b, loc, score, element);
  }
  YieldOp::create(b, loc, score);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

void Expander::attend() {
  mask = invert(op.getKeyPaddingMask());
  chooseBias();
  if (mask || op.getAttnMask() || op.getRelPos() || op.getWindow() ||
      op.getCausal()) {
    SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, query);
    if (layout == Layout::BNHD)
      std::swap(sizes[1], sizes[2]);
    sizes.pop_back();
    lse = tensor::EmptyOp::create(b, loc, sizes, element);
  }
  auto attention = AttentionOp::create(
      b, loc, query, key, value, bias, mask, /*kv_lens=*/Value(),
      /*offset=*/Value(), /*origin=*/ValueRange(), captures, /*sink=*/Value(),
      op.getDropout(),
      emptyLike(query, getElementTypeOrSelf(op.getQuery().getType())), lse,
      op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      /*bias_map=*/AffineMapAttr(), layout, /*schedule=*/ScheduleAttr());
  buildScore(attention.getScore());
  attended = attention.getResult(0);
  if (lse)
    lse = attention.getResult(1);
}

/// `output` of x, by `map` of its indices, with NaN in the rows without visible
/// keys: `rows` are (batch, head, query).
Value Expander::fillEmptyRows(Value x, AffineMap map, AffineMap rows,
                              Value output) {
  SmallVector<Indexed> inputs = {{x, map}};
  Value hasKeys;
  if (lse) {
    inputs.push_back({lse, rows});
    Value keys =
        tensor::DimOp::create(b, loc, key, layout == Layout::BNHD ? 1 : 2);
    Value zero = arith::ConstantIndexOp::create(b, loc, 0);
    hasKeys =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, keys, zero);
  }
  return mapElements(
      b, loc, inputs, output, [&](OpBuilder &n, ValueRange v) -> Value {
        if (!lse)
          return v[0];
        const llvm::fltSemantics &semantics = element.getFloatSemantics();
        Value none = constant(n, APFloat::getInf(semantics, true));
        Value isEmpty = arith::CmpFOp::create(n, loc, arith::CmpFPredicate::OEQ,
                                              v[1], none);
        isEmpty = arith::AndIOp::create(n, loc, isEmpty, hasKeys);
        return arith::SelectOp::create(
            n, loc, isEmpty, constant(n, APFloat::getNaN(semantics)), v[0]);
      });
}

/// All weights, (H, B, T, S').
Value Expander::getWeights() {
  Value widened = key;
  if (getElementTypeOrSelf(key.getType()) != element)
    widened = mapElements(b, loc, {{key, b.getMultiDimIdentityMap(4)}},
                          emptyLike(key, element),
                          [](OpBuilder &, ValueRange v) { return v[0]; });
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, op.getWeights());
  std::swap(sizes[0], sizes[1]);
  auto scores = AttentionScoresOp::create(
      b, loc, query, widened, bias, mask, /*kv_lens=*/Value(),
      /*offset=*/Value(), /*sink=*/Value(), /*origin=*/ValueRange(), captures,
      tensor::EmptyOp::create(b, loc, sizes, element), op.getWindowAttr(),
      op.getCausal(), op.getScaleAttr(), /*bias_map=*/AffineMapAttr(),
      Stage::Weights, layout);
  buildScore(scores.getScore());
  AffineMap swap = permutation({1, 0, 2, 3});
  return fillEmptyRows(scores.getResult(0), swap, swap.dropResult(3),
                       op.getWeights());
}

SmallVector<Value> Expander::run() {
  query = projectHeads(op.getQuery(), op.getWQ(), op.getBQ());
  key = projectHeads(op.getKey(), op.getWK(), op.getBK());
  value = projectHeads(op.getValue(), op.getWV(), op.getBV());
  if (op.getNextKey()) {
    SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, query);
    std::swap(sizes[1], sizes[2]);
    query =
        toHeadsFirst(query, tensor::EmptyOp::create(b, loc, sizes, element));
    key = nextKey = append(op.getPrevKey(), key, op.getNextKey());
    value = nextValue = append(op.getPrevValue(), value, op.getNextValue());
  }
  if (op.getUseXpos())
    rotateBoth();
  attend();
  // (B, T, H, Dh), which merges to (B, T, H * Dh) in place.
  if (lse || layout == Layout::BHND) {
    SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, attended);
    AffineMap map = b.getMultiDimIdentityMap(4);
    if (layout == Layout::BHND) {
      std::swap(sizes[1], sizes[2]);
      map = permutation({0, 2, 1, 3});
    }
    Type type = getElementTypeOrSelf(attended.getType());
    attended =
        fillEmptyRows(attended, map, permutation({0, 2, 1, 3}).dropResult(3),
                      tensor::EmptyOp::create(b, loc, sizes, type));
  }
  Value merged = tensor::CollapseShapeOp::create(
      b, loc, attended, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  if (op.getSublnGain())
    merged = layerNorm(b, loc, merged, op.getSublnGain(), op.getSublnBias(),
                       op.getSublnEps().convertToDouble());
  Value output = project(b, loc, merged, op.getWOut(), op.getBOut());
  SmallVector<Value> results = {convertTo(b, loc, output, op.getOutput())};
  if (op.getWeights())
    results.push_back(getWeights());
  if (op.getNextKey())
    llvm::append_values(results, nextKey, nextValue);
  return results;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

LogicalResult lattn::expandMultiheadAttention(RewriterBase &rewriter,
                                              MultiheadAttentionOp op) {
  return expandOp(rewriter,
                  cast<DestinationStyleOpInterface>(op.getOperation()),
                  [&] { return Expander(rewriter, op).run(); });
}

namespace {
struct ExpandMultiheadAttention
    : lattn::impl::LattnExpandMultiheadAttentionPassBase<
          ExpandMultiheadAttention> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(expandAll<MultiheadAttentionOp>(getOperation(),
                                               expandMultiheadAttention)))
      signalPassFailure();
  }
};
} // namespace

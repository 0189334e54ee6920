//===- OnlineAttentionDecompose.cpp - online_attention as linalg ops ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The dull form: scores are materialised and every step is a linalg op on
// tensors. An oracle, not a fast path.

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;

namespace {
using utils::IteratorType;
using OnlineOp = OnlineAttentionOp;

/// The loops of a generic, by the dimension of the op that each walks over.
using Loops = SmallVector<OnlineOp::Dim>;

/// Builds the linalg ops of one online_attention.
class Decomposer {
public:
  Decomposer(OpBuilder &b, OnlineAttentionOp op)
      : b(b), op(op), loc(op.getLoc()), state(op.getAccumulatorType()),
        rows(loopsOver({OnlineOp::QueryPos})),
        pairs(loopsOver({OnlineOp::QueryPos, OnlineOp::KeyPos})) {}
  SmallVector<Value> run();

private:
  static constexpr unsigned kAcc = 3, kMax = 4, kSum = 5; // mapped operands

  OpFoldResult extent(unsigned mapped, OnlineOp::Dim dim) {
    std::optional<unsigned> axis = op.getAxis(mapped, dim);
    if (!axis)
      return b.getIndexAttr(1);
    if (op.isInPages(mapped) && dim == OnlineOp::KeyPos)
      return getAsOpFoldResult(op.getNumKeys());
    return tensor::getMixedSize(b, loc, op.getMappedOperand(mapped),
                                *axis + op.isInPages(mapped));
  }
  /// Loops over batch and head, where the op has them, and `inner`.
  Loops loopsOver(ArrayRef<OnlineOp::Dim> inner) {
    Loops loops;
    for (OnlineOp::Dim dim : {OnlineOp::Batch, OnlineOp::Head})
      if (op.getAxis(0, dim))
        loops.push_back(dim);
    llvm::append_range(loops, inner);
    return loops;
  }
  /// The map of mapped operand `mapped` over `loops`.
  AffineMap operandMap(unsigned mapped, const Loops &loops) {
    return mapOver(
        loops, [&](OnlineOp::Dim dim) { return op.getAxis(mapped, dim); },
        op.getEffectiveMaps()[mapped].getNumResults());
  }
  /// The map over `loops` of a tensor with axes `axes`.
  AffineMap tensorMap(const Loops &axes, const Loops &loops) {
    return mapOver(
        loops,
        [&](OnlineOp::Dim dim) -> std::optional<unsigned> {
          auto it = llvm::find(axes, dim);
          if (it == axes.end())
            return std::nullopt;
          return it - axes.begin();
        },
        axes.size());
  }
  AffineMap mapOver(const Loops &loops,
                    function_ref<std::optional<unsigned>(OnlineOp::Dim)> axisOf,
                    unsigned rank) {
    SmallVector<unsigned> targets(rank);
    for (auto [loop, dim] : llvm::enumerate(loops))
      if (std::optional<unsigned> axis = axisOf(dim))
        targets[*axis] = loop;
    return AffineMap::getMultiDimMapWithTargets(loops.size(), targets,
                                                b.getContext());
  }
  /// A generic over `loops`; the loop over `reduced`, if any, is a reduction.
  Value generic(const Loops &loops, std::optional<OnlineOp::Dim> reduced,
                ValueRange ins, Value out, ArrayRef<AffineMap> maps,
                ElementBody body);
  /// key[..., x] or value[..., x] at the coordinates of `loops`.
  Value readKeyOrValue(OpBuilder &nested, unsigned mapped, const Loops &loops);
  /// Final scores over loops `pairs`.
  Value scores();
  /// max' = max(max, rowmax(scores))
  Value newMax(Value scores);
  /// exp(scores - max')
  Value weights(Value scores, Value max);
  /// exp(max - max')
  Value correction(Value max);
  /// Part `mapped` of the state, over `loops`, times the correction.
  Value correct(unsigned mapped, const Loops &loops, Value correction);
  /// sum' = correction * sum + rowsum(weights)
  Value newSum(Value weights, Value correction);
  /// acc' = correction * acc + weights * value; a weight of 0 takes nothing,
  /// not even NaN, from a hidden key.
  Value newAcc(Value weights, Value correction);
  /// What dropout leaves of the weights.
  Value dropped(Value weights);
  /// Coordinates in a generic over (batch, head, query, key).
  Coordinates coordinates(OpBuilder &nested, const Loops &loops);

  OpBuilder &b;
  OnlineAttentionOp op;
  Location loc;
  Type state;
  Loops rows, pairs; // of a state; of scores and weights
  Value heads, kvHeads;
};
} // namespace

Value Decomposer::generic(const Loops &loops,
                          std::optional<OnlineOp::Dim> reduced, ValueRange ins,
                          Value out, ArrayRef<AffineMap> maps,
                          ElementBody body) {
  SmallVector<IteratorType> kinds;
  for (OnlineOp::Dim dim : loops)
    kinds.push_back(dim == reduced ? IteratorType::reduction
                                   : IteratorType::parallel);
  return buildGeneric(b, loc, ins, out, maps, kinds, body);
}

Value Decomposer::readKeyOrValue(OpBuilder &nested, unsigned mapped,
                                 const Loops &loops) {
  // Read by index: the head that grouped queries share is no affine function
  // of h where the number of heads is not known.
  AffineMap map = op.getEffectiveMaps()[mapped];
  SmallVector<Value> indices;
  for (unsigned axis = 0; axis < map.getNumResults(); ++axis) {
    auto dim = static_cast<OnlineOp::Dim>(map.getDimPosition(axis));
    Value index = linalg::IndexOp::create(
        nested, loc, llvm::find(loops, dim) - loops.begin());
    if (dim == OnlineOp::Head)
      index = buildKvHead(nested, loc, index, heads, kvHeads);
    indices.push_back(index);
  }
  Value array = op.getMappedOperand(mapped);
  if (op.isInPages(mapped)) {
    Value key =
        arith::AddIOp::create(nested, loc, op.getFirstKey(), indices[0]);
    PageRow from = buildPageRow(nested, loc, array, op.getPages(),
                                /*sequence=*/{}, op.getPageSize(), key);
    indices = {from.page, from.row, indices[1]};
  }
  Value element = readElement(nested, loc, array, indices);
  return convertFloat(nested, loc, element, state);
}

Value Decomposer::scores() {
  SmallVector<OpFoldResult> sizes;
  for (OnlineOp::Dim dim : pairs)
    sizes.push_back(extent(dim == OnlineOp::KeyPos ? 1 : 0, dim));
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(state, 0.0));
  Value empty = tensor::EmptyOp::create(b, loc, sizes, state);
  Value products = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  Loops loops =
      loopsOver({OnlineOp::QueryPos, OnlineOp::KeyPos, OnlineOp::HeadDim});
  products = generic(
      loops, OnlineOp::HeadDim, op.getQuery(), products,
      {operandMap(0, loops), tensorMap(pairs, loops)},
      [&](OpBuilder &nested, ValueRange args) {
        Value q = convertFloat(nested, loc, args[0], state);
        Value k = readKeyOrValue(nested, 1, loops);
        Value product = arith::MulFOp::create(nested, loc, q, k);
        return arith::AddFOp::create(nested, loc, args[1], product).getResult();
      });
  Value factor = buildScale(b, loc, op, extent(0, OnlineOp::HeadDim), state);
  Value lastRow;
  if (Value rows = op.getQueryRows()) {
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    lastRow = arith::SubIOp::create(b, loc, rows, one);
  }
  return generic(pairs, std::nullopt, {}, products, tensorMap(pairs, pairs),
                 [&](OpBuilder &nested, ValueRange args) {
                   Coordinates local = coordinates(nested, pairs);
                   if (lastRow) // padding rows read nothing out of bounds
                     local.query = arith::MinSIOp::create(nested, loc,
                                                          local.query, lastRow);
                   return buildScore(nested, loc, op, args[0], factor,
                                     op.getOffset(),
                                     addOrigin(nested, loc, op, local));
                 });
}

Coordinates Decomposer::coordinates(OpBuilder &nested, const Loops &loops) {
  auto at = [&](OnlineOp::Dim dim) -> Value {
    auto it = llvm::find(loops, dim);
    if (it == loops.end())
      return arith::ConstantIndexOp::create(nested, loc, 0);
    return linalg::IndexOp::create(nested, loc, it - loops.begin());
  };
  return {at(OnlineOp::Batch), at(OnlineOp::Head), at(OnlineOp::QueryPos),
          at(OnlineOp::KeyPos)};
}

Value Decomposer::dropped(Value weights) {
  DropoutBuilder dropout(b, loc, op.getDropout(), state);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, weights), state);
  AffineMap map = tensorMap(pairs, pairs);
  return generic(pairs, std::nullopt, weights, empty, {map, map},
                 [&](OpBuilder &nested, ValueRange args) {
                   return buildDropped(
                       nested, loc, dropout, args[0],
                       addOrigin(nested, loc, op, coordinates(nested, pairs)));
                 });
}

Value Decomposer::newMax(Value scores) {
  return generic(pairs, OnlineOp::KeyPos, scores, op.getMax(),
                 {tensorMap(pairs, pairs), operandMap(kMax, pairs)},
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::MaximumFOp::create(nested, loc, args[0],
                                                    args[1]);
                 });
}

Value Decomposer::weights(Value scores, Value max) {
  return generic(pairs, std::nullopt, max, scores,
                 {operandMap(kMax, pairs), tensorMap(pairs, pairs)},
                 [&](OpBuilder &nested, ValueRange args) {
                   return buildExpDifference(nested, loc, args[1], args[0]);
                 });
}

Value Decomposer::correction(Value max) {
  AffineMap row = operandMap(kMax, rows);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, max), state);
  return generic(rows, std::nullopt, {op.getMax(), max}, empty, {row, row, row},
                 [&](OpBuilder &nested, ValueRange args) {
                   return buildExpDifference(nested, loc, args[0], args[1]);
                 });
}

Value Decomposer::correct(unsigned mapped, const Loops &loops,
                          Value correction) {
  return generic(loops, std::nullopt, correction, op.getMappedOperand(mapped),
                 {operandMap(kMax, loops), operandMap(mapped, loops)},
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::MulFOp::create(nested, loc, args[1], args[0]);
                 });
}

Value Decomposer::newSum(Value weights, Value correction) {
  Value sum = correct(kSum, rows, correction);
  return generic(pairs, OnlineOp::KeyPos, weights, sum,
                 {tensorMap(pairs, pairs), operandMap(kSum, pairs)},
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::AddFOp::create(nested, loc, args[1], args[0]);
                 });
}

Value Decomposer::newAcc(Value weights, Value correction) {
  Value acc = correct(kAcc, loopsOver({OnlineOp::QueryPos, OnlineOp::ValueDim}),
                      correction);
  Loops all =
      loopsOver({OnlineOp::QueryPos, OnlineOp::KeyPos, OnlineOp::ValueDim});
  return generic(
      all, OnlineOp::KeyPos, weights, acc,
      {tensorMap(pairs, all), operandMap(kAcc, all)},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value zero = arith::ConstantOp::create(nested, loc,
                                               nested.getFloatAttr(state, 0.0));
        Value hidden = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[0], zero);
        Value v = readKeyOrValue(nested, 2, all);
        Value product = arith::MulFOp::create(nested, loc, args[0], v);
        product = arith::SelectOp::create(nested, loc, hidden, zero, product);
        return arith::AddFOp::create(nested, loc, args[1], product);
      });
}

SmallVector<Value> Decomposer::run() {
  heads = getValueOrCreateConstantIndexOp(b, loc, extent(0, OnlineOp::Head));
  kvHeads = getValueOrCreateConstantIndexOp(b, loc, extent(1, OnlineOp::Head));
  Value s = scores();
  Value max = newMax(s);
  Value p = weights(s, max);
  Value c = correction(max);
  Value sum = newSum(p, c);
  if (!op.getDropout().empty())
    p = dropped(p);
  return {newAcc(p, c), max, sum};
}

FailureOr<SmallVector<Value>>
OnlineAttentionOp::decomposeOperation(OpBuilder &b) {
  return decomposeBefore(*this, b, [&] { return Decomposer(b, *this).run(); });
}

//===- AttentionGradDecompose.cpp - attention_grad_step as linalg ops -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The dull form: weights and gradients of scores are materialised, and each
// product is a linalg op on tensors. An oracle, not a fast path.

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

namespace {
/// Builds the linalg ops of one attention_grad_step. Loops are (query, key)
/// and, for products, the feature.
class Decomposer {
public:
  Decomposer(OpBuilder &b, AttentionGradStepOp op)
      : b(b), op(op), loc(op.getLoc()), type(op.getAccumulatorType()),
        queries(tensor::getMixedSize(b, loc, op.getQuery(), 0)),
        keys(tensor::getMixedSize(b, loc, op.getKey(), 0)) {}
  SmallVector<Value> run();

private:
  enum Loop : unsigned { Query, Key, Feature };
  AffineMap map(ArrayRef<unsigned> loops, unsigned count = 2) {
    return AffineMap::getMultiDimMapWithTargets(count, loops, b.getContext());
  }
  AffineMap pairs() { return map({Query, Key}); }
  Value constant(OpBuilder &at, double value) {
    return arith::ConstantOp::create(at, loc, at.getFloatAttr(type, value));
  }
  /// The first rows of an array with padding.
  Value takeRows(Value array);
  /// rows . columns^T, where both have features on their second axis.
  Value buildProducts(Value rows, Value columns);
  /// A function of each pair's elements of `ins` and rows' of `rows`.
  Value forPairs(ValueRange ins, ValueRange rows, ElementBody body);
  Coordinates coordinates(OpBuilder &nested);
  Value dropped(Value values);
  /// `values` of each pair to the front of `destination`, (key, query).
  Value putPairs(Value values, Value destination);
  /// sum + the sum over `reduced` of weight * matrix; a weight of 0 takes
  /// nothing, not even NaN.
  Value addProducts(Value sum, Value weights, Value matrix, Loop reduced);

  OpBuilder &b;
  AttentionGradStepOp op;
  Location loc;
  FloatType type;
  OpFoldResult queries, keys;
};
} // namespace

Value Decomposer::takeRows(Value array) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, array);
  sizes[0] = queries;
  SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0)),
      ones(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, array, zeros, sizes, ones);
}

Value Decomposer::buildProducts(Value rows, Value columns) {
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{queries, keys}, type);
  Value zeros =
      linalg::FillOp::create(b, loc, constant(b, 0.0), empty).getResult(0);
  return buildGeneric(
      b, loc, {rows, columns}, zeros,
      {map({Query, Feature}, 3), map({Key, Feature}, 3), map({Query, Key}, 3)},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value x = convertFloat(nested, loc, args[0], type);
        Value y = convertFloat(nested, loc, args[1], type);
        Value product = arith::MulFOp::create(nested, loc, x, y);
        return arith::AddFOp::create(nested, loc, args[2], product);
      },
      /*reduce=*/true);
}

Value Decomposer::forPairs(ValueRange ins, ValueRange rows, ElementBody body) {
  SmallVector<Value> all(ins);
  llvm::append_range(all, rows);
  SmallVector<AffineMap> maps(ins.size(), pairs());
  maps.append(rows.size(), map({Query}));
  maps.push_back(pairs());
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<OpFoldResult>{queries, keys}, type);
  return buildGeneric(b, loc, all, empty, maps, body);
}

Coordinates Decomposer::coordinates(OpBuilder &nested) {
  Value zero = arith::ConstantIndexOp::create(nested, loc, 0);
  Value query = linalg::IndexOp::create(nested, loc, Query);
  Value key = linalg::IndexOp::create(nested, loc, Key);
  return addOrigin(nested, loc, op, {zero, zero, query, key});
}

Value Decomposer::dropped(Value values) {
  if (op.getDropout().empty())
    return values;
  DropoutBuilder dropout(b, loc, op.getDropout(), type);
  return forPairs(values, {}, [&](OpBuilder &nested, ValueRange args) {
    return buildDropped(nested, loc, dropout, args[0], coordinates(nested));
  });
}

Value Decomposer::addProducts(Value sum, Value weights, Value matrix,
                              Loop reduced) {
  // The sum's loop comes first, that of the reduction last.
  AffineMap ofPairs = map({0, 2}, 3);
  if (reduced == Query)
    ofPairs = map({2, 0}, 3);
  return buildGeneric(
      b, loc, {weights, matrix}, sum, {ofPairs, map({2, 1}, 3), map({0, 1}, 3)},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value zero = constant(nested, 0.0);
        Value none = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[0], zero);
        Value x = convertFloat(nested, loc, args[1], type);
        Value product = arith::MulFOp::create(nested, loc, args[0], x);
        product = arith::SelectOp::create(nested, loc, none, zero, product);
        return arith::AddFOp::create(nested, loc, args[2], product);
      },
      /*reduce=*/true);
}

Value Decomposer::putPairs(Value values, Value destination) {
  SmallVector<OpFoldResult> sizes = {keys, queries},
                            zeros(2, b.getIndexAttr(0)),
                            ones(2, b.getIndexAttr(1));
  Value part =
      tensor::ExtractSliceOp::create(b, loc, destination, zeros, sizes, ones);
  part = buildGeneric(b, loc, values, part, {pairs(), map({Key, Query})},
                      [](OpBuilder &, ValueRange args) { return args[0]; });
  return tensor::InsertSliceOp::create(b, loc, part, destination, zeros, sizes,
                                       ones);
}

SmallVector<Value> Decomposer::run() {
  Value scale = buildScale(
      b, loc, op, tensor::getMixedSize(b, loc, op.getQuery(), 1), type);
  Value lse = takeRows(op.getLse()), rowSums = takeRows(op.getRowSums());
  Value products = buildProducts(op.getQuery(), op.getKey());
  Value weights =
      forPairs(products, lse, [&](OpBuilder &nested, ValueRange args) -> Value {
        Value score = buildScore(nested, loc, op, args[0], scale,
                                 op.getOffset(), coordinates(nested));
        Value weight = buildExpDifference(nested, loc, score, args[1]);
        Value isNone = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[1],
            constant(nested, std::numeric_limits<double>::infinity()));
        return arith::SelectOp::create(nested, loc, isNone,
                                       constant(nested, 0.0), weight);
      });
  Value ofWeights = dropped(buildProducts(op.getDOutput(), op.getValue()));
  Value ofYielded =
      forPairs({weights, ofWeights}, rowSums,
               [&](OpBuilder &nested, ValueRange args) -> Value {
                 Value zero = constant(nested, 0.0);
                 Value none = arith::CmpFOp::create(
                     nested, loc, arith::CmpFPredicate::OEQ, args[0], zero);
                 Value x = arith::SubFOp::create(nested, loc, args[1], args[2]);
                 x = arith::MulFOp::create(nested, loc, args[0], x);
                 return arith::SelectOp::create(nested, loc, none, zero, x);
               });
  Value ofScores = forPairs(
      {ofYielded, products}, {},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value zero = constant(nested, 0.0);
        Value none = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[0], zero);
        Value x = args[0];
        if (!op.getScore().empty()) {
          Value score = arith::MulFOp::create(nested, loc, args[1], scale);
          Value slope =
              buildScoreRegion(nested, loc, op, score, coordinates(nested))[1];
          x = arith::MulFOp::create(nested, loc, x, slope);
        }
        x = arith::MulFOp::create(nested, loc, x, scale);
        return arith::SelectOp::create(nested, loc, none, zero, x);
      });
  Value dQuery =
      addProducts(takeRows(op.getDQuery()), ofScores, op.getKey(), Key);
  SmallVector<OpFoldResult> zeros(2, b.getIndexAttr(0)),
      ones(2, b.getIndexAttr(1));
  dQuery = tensor::InsertSliceOp::create(b, loc, dQuery, op.getDQuery(), zeros,
                                         tensor::getMixedSizes(b, loc, dQuery),
                                         ones);
  SmallVector<Value> results = {
      dQuery, addProducts(op.getDKey(), ofScores, op.getQuery(), Query),
      addProducts(op.getDValue(), dropped(weights), op.getDOutput(), Query)};
  if (!op.getPairs().empty()) {
    results.push_back(putPairs(products, op.getPairs()[0]));
    results.push_back(putPairs(ofYielded, op.getPairs()[1]));
  }
  return results;
}

FailureOr<SmallVector<Value>>
AttentionGradStepOp::decomposeOperation(OpBuilder &b) {
  return decomposeBefore(*this, b, [&] { return Decomposer(b, *this).run(); });
}

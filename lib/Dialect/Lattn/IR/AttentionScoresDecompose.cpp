//===- AttentionScoresDecompose.cpp - attention_scores as linalg ops ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two passes over the keys where it is the weights that are wanted, no online
// softmax: all scores are stored anyway.

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace lattn;

namespace {
/// Builds the linalg ops of one attention_scores. Their loops are (batch, head,
/// query, key) and, for products, the head's elements.
class Decomposer {
public:
  Decomposer(OpBuilder &b, AttentionScoresOp op)
      : b(b), op(op), loc(op.getLoc()), type(op.getAccumulatorType()),
        row(AffineMap::getMultiDimIdentityMap(4, b.getContext())
                .getMajorSubMap(3)),
        pair(AffineMap::getMultiDimIdentityMap(4, b.getContext())) {}
  Value run();

private:
  /// The sum of query * key, in the accumulator type.
  Value buildProducts();
  /// The score that `stage` asks for at the loops' coordinates.
  Value buildStage(OpBuilder &nested, Value product, Value scale, Value offset);
  /// `body` of each pair's value in `from` and its row's in `rows`, where the
  /// destination is: in `from` itself unless its type is another.
  Value toDestination(Value from, ValueRange rows, ElementBody body);
  /// (max, sum) of the rows of `scores`, and of the sink.
  std::pair<Value, Value> buildRows(Value scores);
  Value constant(OpBuilder &at, double value) {
    return arith::ConstantOp::create(at, loc, at.getFloatAttr(type, value));
  }

  OpBuilder &b;
  AttentionScoresOp op;
  Location loc;
  FloatType type;
  AffineMap row, pair;
};
} // namespace

Value Decomposer::buildProducts() {
  Value products = op.getScores();
  if (getElementTypeOrSelf(products.getType()) != type)
    products = tensor::EmptyOp::create(
        b, loc, tensor::getMixedSizes(b, loc, products), type);
  products =
      linalg::FillOp::create(b, loc, constant(b, 0.0), products).getResult(0);
  auto headsOf = [&](Value array) {
    return getValueOrCreateConstantIndexOp(
        b, loc, tensor::getMixedSize(b, loc, array, op.getHeadAxis()));
  };
  Value heads = headsOf(op.getQuery()), kvHeads = headsOf(op.getKey());
  constexpr unsigned batch = 0, head = 1, query = 2, key = 3, size = 4;
  SmallVector<unsigned> queryAxes = {batch, head, query, size};
  if (op.isBnhd())
    std::swap(queryAxes[1], queryAxes[2]);
  auto map = [&](ArrayRef<unsigned> axes) {
    return AffineMap::getMultiDimMapWithTargets(5, axes, b.getContext());
  };
  return buildGeneric(
      b, loc, op.getQuery(), products,
      {map(queryAxes), map({batch, head, query, key})},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        auto at = [&](unsigned dim) -> Value {
          return linalg::IndexOp::create(nested, loc, dim);
        };
        // The head that grouped queries share is no affine function of h.
        SmallVector<Value> indices = {
            at(batch), buildKvHead(nested, loc, at(head), heads, kvHeads),
            at(key), at(size)};
        if (op.isBnhd())
          std::swap(indices[1], indices[2]);
        Value k = readElement(nested, loc, op.getKey(), indices);
        k = convertFloat(nested, loc, k, type);
        Value q = convertFloat(nested, loc, args[0], type);
        Value product = arith::MulFOp::create(nested, loc, q, k);
        return arith::AddFOp::create(nested, loc, args[1], product);
      },
      /*reduce=*/true);
}

Value Decomposer::buildStage(OpBuilder &nested, Value product, Value scale,
                             Value offset) {
  auto loop = [&](unsigned dim) -> Value {
    return linalg::IndexOp::create(nested, loc, dim);
  };
  auto at = [&] {
    return addOrigin(nested, loc, op, {loop(0), loop(1), loop(2), loop(3)});
  };
  switch (op.getStage()) {
  case Stage::Products:
    return arith::MulFOp::create(nested, loc, product, scale);
  case Stage::Scores:
    return buildModifiedScore(
        nested, loc, op, arith::MulFOp::create(nested, loc, product, scale),
        at());
  case Stage::Masked:
  case Stage::Weights:
    return buildScore(nested, loc, op, product, scale, offset, at());
  }
  llvm_unreachable("unknown stage");
}

Value Decomposer::toDestination(Value from, ValueRange rows, ElementBody body) {
  Type outType = getElementTypeOrSelf(op.getScores().getType());
  Value out = outType == type ? from : Value(op.getScores());
  SmallVector<Value> ins(rows);
  ins.push_back(from);
  SmallVector<AffineMap> maps(rows.size(), row);
  maps.append({pair, pair});
  return buildGeneric(
      b, loc, ins, out, maps, [&](OpBuilder &nested, ValueRange args) {
        return convertFloat(nested, loc, body(nested, args), outType);
      });
}

std::pair<Value, Value> Decomposer::buildRows(Value scores) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, scores);
  sizes.pop_back();
  auto empty = [&]() -> Value {
    return tensor::EmptyOp::create(b, loc, sizes, type);
  };
  // The row's value before its keys, of the sink if there is one.
  AffineMap identity = AffineMap::getMultiDimIdentityMap(3, b.getContext());
  auto start = [&](ValueRange ins, double none, ElementBody ofSink) {
    if (!op.getSink())
      return linalg::FillOp::create(b, loc, constant(b, none), empty())
          .getResult(0);
    SmallVector<AffineMap> maps(ins.size() + 1, identity);
    return buildGeneric(
        b, loc, ins, empty(), maps, [&](OpBuilder &nested, ValueRange args) {
          Value head = linalg::IndexOp::create(nested, loc, 1);
          if (!op.getOrigin().empty())
            head = arith::AddIOp::create(nested, loc, head, op.getOrigin()[1]);
          Value sink = readElement(nested, loc, op.getSink(), head);
          sink = convertFloat(nested, loc, sink, type);
          return ofSink(nested, {sink, args.front()});
        });
  };
  Value max = start({}, -INFINITY,
                    [](OpBuilder &, ValueRange args) { return args[0]; });
  max = buildGeneric(
      b, loc, scores, max, {pair, row},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        return arith::MaximumFOp::create(nested, loc, args[0], args[1]);
      },
      /*reduce=*/true);
  auto exp = [&](OpBuilder &nested, ValueRange args) {
    return buildExpDifference(nested, loc, args[0], args[1]);
  };
  Value sum = start(max, 0.0, exp);
  sum = buildGeneric(
      b, loc, {scores, max}, sum, {pair, row, row},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        return arith::AddFOp::create(nested, loc, args[2], exp(nested, args));
      },
      /*reduce=*/true);
  return {max, sum};
}

Value Decomposer::run() {
  Value products = buildProducts();
  Value scale = buildScale(
      b, loc, op, tensor::getMixedSize(b, loc, op.getQuery(), 3), type);
  Value offset = op.getEffectiveWindow()
                     ? buildExplicitOffset(b, op, op.getPositionAxis())
                     : op.getOffset();
  auto stage = [&](OpBuilder &nested, ValueRange args) {
    return buildStage(nested, args[0], scale, offset);
  };
  if (op.getStage() != Stage::Weights)
    return toDestination(products, {}, stage);
  Value scores = buildGeneric(b, loc, products, products, {pair, pair}, stage);
  auto [max, sum] = buildRows(scores);
  return toDestination(
      scores, {max, sum}, [&](OpBuilder &nested, ValueRange args) -> Value {
        Value exp = buildExpDifference(nested, loc, args[2], args[0]);
        Value weight = arith::DivFOp::create(nested, loc, exp, args[1]);
        Value zero = constant(nested, 0.0);
        Value empty = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[1], zero);
        return arith::SelectOp::create(nested, loc, empty, zero, weight);
      });
}

FailureOr<SmallVector<Value>>
AttentionScoresOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(*this)))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(*this);
  remark::analysis(
      getLoc(),
      remark::RemarkOpts::name("attention_scores").category("lattn-decompose"))
      << remark::add("all (batch, head, query, key) scores are stored")
      << remark::detail::Remark::Arg("Type", getScores().getType());
  return SmallVector<Value>{Decomposer(b, *this).run()};
}

//===- SoftmaxState.cpp - The state of an online softmax as IR ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SoftmaxState.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
}

SmallVector<Value> lattn::buildEmptyState(OpBuilder &b, Location loc,
                                          Type element,
                                          ArrayRef<OpFoldResult> rows,
                                          OpFoldResult width,
                                          int64_t valueAxis) {
  SmallVector<OpFoldResult> accSizes(rows);
  accSizes.insert(accSizes.begin() + valueAxis, width);
  auto filled = [&](ArrayRef<OpFoldResult> sizes, double value) {
    Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
    return linalg::FillOp::create(b, loc, buildConstant(b, loc, element, value),
                                  empty)
        .getResult(0);
  };
  return {filled(accSizes, 0.0), filled(rows, -INFINITY), filled(rows, 0.0)};
}

/// (max, sum) of the sink alone for head `head`, scalars.
static std::pair<Value, Value> buildSinkState(OpBuilder &b, AttentionOp op,
                                              Value head) {
  Location loc = op.getLoc();
  Type type = op.getAccumulatorType();
  Value logit =
      convertFloat(b, loc, readElement(b, loc, op.getSink(), head), type);
  // exp(logit - max) of the only member; a sink of -inf is none.
  Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, logit,
                                     buildConstant(b, loc, type, -INFINITY));
  Value sum =
      arith::SelectOp::create(b, loc, none, buildConstant(b, loc, type, 0.0),
                              buildConstant(b, loc, type, 1.0));
  return {logit, sum};
}

/// The state of no keys, of rows whose heads `getHead` builds, with their
/// sinks.
static void addSinks(OpBuilder &b, AttentionOp op, MutableArrayRef<Value> state,
                     llvm::function_ref<Value(OpBuilder &nested)> getHead) {
  Location loc = op.getLoc();
  unsigned rank = cast<ShapedType>(state[1].getType()).getRank();
  AffineMap map = AffineMap::getMultiDimIdentityMap(rank, b.getContext());
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  SmallVector<Value> rows = {state[1], state[2]};
  auto generic = linalg::GenericOp::create(
      b, loc, ValueRange(rows).getTypes(), ValueRange(), rows, {map, map},
      kinds, [&](OpBuilder &nested, Location, ValueRange) {
        Value head = getHead(nested);
        if (!op.getOrigin().empty())
          head = arith::AddIOp::create(nested, loc, head, op.getOrigin()[1]);
        auto [max, sum] = buildSinkState(nested, op, head);
        linalg::YieldOp::create(nested, loc, ValueRange{max, sum});
      });
  state[1] = generic.getResult(0);
  state[2] = generic.getResult(1);
}

void lattn::addSink(OpBuilder &b, AttentionOp op,
                    MutableArrayRef<Value> state) {
  addSinks(b, op, state, [&](OpBuilder &nested) {
    return linalg::IndexOp::create(nested, op.getLoc(), 1).getResult();
  });
}

void lattn::addSinkOfHeads(OpBuilder &b, AttentionOp op, Value firstHead,
                           MutableArrayRef<Value> state) {
  if (!op.getSink())
    return;
  Location loc = op.getLoc();
  Value heads = b.createOrFold<tensor::DimOp>(loc, op.getQuery(),
                                              int64_t(op.getHeadAxis()));
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = b.createOrFold<arith::SubIOp>(loc, heads, one);
  addSinks(b, op, state, [&](OpBuilder &nested) -> Value {
    Value row = linalg::IndexOp::create(nested, loc, 0);
    Value head = arith::AddIOp::create(nested, loc, firstHead, row);
    // Rows beyond the last head read nothing out of bounds.
    return arith::MinUIOp::create(nested, loc, head, last);
  });
}

void lattn::addSink(OpBuilder &b, AttentionOp op, Value head,
                    MutableArrayRef<Value> state) {
  if (!op.getSink())
    return;
  Location loc = op.getLoc();
  if (!op.getOrigin().empty())
    head = b.createOrFold<arith::AddIOp>(loc, head, op.getOrigin()[1]);
  auto [max, sum] = buildSinkState(b, op, head);
  state[1] = linalg::FillOp::create(b, loc, max, state[1]).getResult(0);
  state[2] = linalg::FillOp::create(b, loc, sum, state[2]).getResult(0);
}

//===- DropWeights.cpp - Dropout of a tile's weights on vectors -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Four consecutive keys share one counter, and so the work of Philox: weights
// are gone over by groups of four global keys, the first and last of which may
// lie partly outside of the tile.

#include "DropWeights.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

/// Global indices of the queries on vector `v`'s lanes, as i32.
static Value buildQueries(KernelBuilder &k, AttentionOpInterface op,
                          Value firstQuery, int64_t v) {
  auto type = VectorType::get(k.lanes, k.b.getI32Type());
  auto lanes = llvm::map_to_vector(
      llvm::seq(v * k.lanes, (v + 1) * k.lanes),
      [](int64_t lane) { return static_cast<int32_t>(lane); });
  Value queries = arith::ConstantOp::create(
      k.b, k.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(lanes)));
  Value first = op.getOrigin().empty() ? firstQuery
                                       : k.add(op.getOrigin()[2], firstQuery);
  first = arith::IndexCastOp::create(k.b, k.loc, k.b.getI32Type(), first);
  return arith::AddIOp::create(k.b, k.loc, queries, k.splat(first));
}

void lattn::dropWeights(KernelBuilder &k, AttentionOpInterface op,
                        ValueRange given, ValueRange weights, Value numKeys,
                        Value firstQuery, Value firstColumn, int64_t vectors) {
  auto originAt = [&](unsigned coordinate) {
    return op.getOrigin().empty() ? k.index(0) : op.getOrigin()[coordinate];
  };
  DropoutBuilder dropout(k.b, k.loc, given, k.element);
  Value row = dropout.buildRow(k.b, k.loc, originAt(0), originAt(1));
  Value scale = k.splat(dropout.getScale()), zero = k.splat(0.0);
  SmallVector<Value> queries;
  for (int64_t v = 0; v < vectors; ++v)
    queries.push_back(buildQueries(k, op, firstQuery, v));
  Value four = k.index(4), firstKey = originAt(3);
  Value from = arith::DivUIOp::create(k.b, k.loc, firstKey, four);
  Value to =
      arith::CeilDivUIOp::create(k.b, k.loc, k.add(firstKey, numKeys), four);
  k.forEach(from, to, 1, [&](Value group) {
    Value counter =
        arith::IndexCastOp::create(k.b, k.loc, k.b.getI32Type(), group);
    SmallVector<std::array<Value, 4>> kept;
    for (Value query : queries)
      kept.push_back(
          dropout.buildKept(k.b, k.loc, row, query, k.splat(counter)));
    Value key = arith::MulIOp::create(k.b, k.loc, group, four);
    key = arith::SubIOp::create(k.b, k.loc, key, firstKey);
    for (int64_t word = 0; word < 4; ++word) {
      Value at = k.add(key, word);
      // As unsigned numbers, keys before the tile are beyond it too.
      Value isInside = arith::CmpIOp::create(
          k.b, k.loc, arith::CmpIPredicate::ult, at, numKeys);
      k.ifThenElse(isInside, [&] {
        for (int64_t v = 0; v < vectors; ++v) {
          SmallVector<Value> place = {at, k.add(firstColumn, v * k.lanes)};
          for (Value matrix : weights) {
            Value weight = k.mul(k.load(matrix, place), scale);
            k.store(k.select(kept[v][word], weight, zero), matrix, place);
          }
        }
      });
    }
  });
}

void lattn::dropRow(KernelBuilder &k, OnlineAttentionOp op, Value weights,
                    Value numKeys, Value row) {
  auto originAt = [&](unsigned coordinate) {
    return op.getOrigin().empty() ? k.index(0) : op.getOrigin()[coordinate];
  };
  auto toI32 = [&](Value index) -> Value {
    Type type = k.b.getI32Type();
    if (auto vector = dyn_cast<VectorType>(index.getType()))
      type = vector.clone(type);
    return arith::IndexCastOp::create(k.b, k.loc, type, index);
  };
  DropoutBuilder dropout(k.b, k.loc, op.getDropout(), k.element);
  Value counted = dropout.buildRow(k.b, k.loc, originAt(0), originAt(1));
  Value query = k.splat(toI32(k.add(originAt(2), row)));
  Value four = k.splat(k.index(4)), zero = k.splat(0.0);
  Value scale = k.splat(dropout.getScale()), lanes = laneNumbers(k);
  // A lane takes one word of its counter: four times the work, for few queries.
  k.forEach(k.index(0), numKeys, k.lanes, [&](Value first) {
    Value key = k.add(lanes, k.splat(k.add(originAt(3), first)));
    Value group = arith::DivUIOp::create(k.b, k.loc, key, four);
    Value word = arith::RemUIOp::create(k.b, k.loc, key, four);
    std::array<Value, 4> kept =
        dropout.buildKept(k.b, k.loc, counted, query, toI32(group));
    Value isKept = kept[0];
    for (int64_t i = 1; i < 4; ++i) {
      Value isWord = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                           word, k.splat(k.index(i)));
      isKept = k.select(isWord, kept[i], isKept);
    }
    SmallVector<Value> at = {row, first};
    Value weight = k.load(weights, at);
    k.store(k.select(isKept, k.mul(weight, scale), zero), weights, at);
  });
}

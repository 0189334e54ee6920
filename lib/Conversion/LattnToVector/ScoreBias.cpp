//===- ScoreBias.cpp - A bias added to scores on vectors ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A bias lies with its keys side by side, while queries are on the lanes: a
// tile of it is transposed in squares, before the scores that it is added to.

#include "ScoreVectorizer.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// A lane of a vector, or the scalar itself.
static Value getLane(KernelBuilder &k, Value index, int64_t lane) {
  if (!isa<VectorType>(index.getType()))
    return index;
  return vector::ExtractOp::create(k.b, k.loc, index, lane);
}

/// Where the bias of a pair lies, of global indices.
SmallVector<Value> ScoreVectorizer::locateBias(Value query, Value key) {
  AffineMap map = op.getEffectiveBiasMap();
  SmallVector<Value> dims = {originAt(0), originAt(1), query, key}, at;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    at.push_back(
        affine::AffineApplyOp::create(k.b, k.loc, map.getSubMap({i}), dims));
  return at;
}

/// The bias of each lane, for queries or keys as vectors.
Value ScoreVectorizer::gatherBias(Value query, Value key) {
  Value bias = k.splat(0.0);
  for (int64_t lane = 0; lane < k.lanes; ++lane) {
    Value element =
        k.loadScalar(op.getBias(), locateBias(getLane(k, query, lane),
                                              getLane(k, key, lane)));
    bias = vector::InsertOp::create(
        k.b, k.loc, convertFloat(k, element, k.element), bias, lane);
  }
  return bias;
}

bool ScoreVectorizer::isBiasPerPair(OnlineAttentionOp op) {
  if (!op.getBias())
    return false;
  AffineMap map = op.getEffectiveBiasMap();
  return map.isFunctionOfDim(OnlineAttentionOp::QueryPos) &&
         map.isFunctionOfDim(OnlineAttentionOp::KeyPos);
}

/// Whether keys are the last axis of the bias, and no other depends on them.
static bool areKeysLast(OnlineAttentionOp op) {
  AffineMap map = op.getEffectiveBiasMap();
  unsigned rank = map.getNumResults(), key = OnlineAttentionOp::KeyPos;
  auto last = dyn_cast<AffineDimExpr>(map.getResult(rank - 1));
  return last && last.getPosition() == key &&
         llvm::none_of(map.getResults().drop_back(), [&](AffineExpr expr) {
           return expr.isFunctionOfDim(key);
         });
}

/// Squares of the bias `rows` transposed, of the keys before `end`.
void ScoreVectorizer::transposeBias(Value rows, int64_t v, Value end) {
  SmallVector<SmallVector<Value>> places;
  for (int64_t lane = 0; lane < k.lanes; ++lane)
    places.push_back(locateBias(getLane(k, queries[v], lane), k.index(0)));
  k.forEach(k.index(0), end, k.lanes, [&](Value key) {
    SmallVector<Value> square;
    for (SmallVector<Value> at : places) {
      at.back() = toGlobal(key);
      square.push_back(convertFloat(k, k.load(rows, at), k.vector));
    }
    for (auto [i, column] : llvm::enumerate(transposeSquare(k, square)))
      k.store(column, biasTile, {k.add(key, i), k.index(v * k.lanes)});
  });
}

void ScoreVectorizer::stageBias(Value numKeys, int64_t maxKeys) {
  int64_t vectors = queries.size();
  biasTile = k.scratch({maxKeys, vectors * k.lanes});
  auto gather = [&](Value from) {
    k.forEach(from, numKeys, 1, [&](Value key) {
      for (int64_t v = 0; v < vectors; ++v)
        k.store(gatherBias(queries[v], toGlobal(key)), biasTile,
                {key, k.index(v * k.lanes)});
    });
  };
  if (!areKeysLast(op))
    return gather(k.index(0));
  auto transpose = [&] {
    Value rest = arith::RemUIOp::create(k.b, k.loc, numKeys, k.index(k.lanes));
    Value end = arith::SubIOp::create(k.b, k.loc, numKeys, rest);
    Value rows = asUnitStride(k, op.getBias());
    for (int64_t v = 0; v < vectors; ++v)
      transposeBias(rows, v, end);
    gather(end);
  };
  k.ifThenElse(hasUnitStride(k, op.getBias()), transpose,
               [&] { gather(k.index(0)); });
}

Value ScoreVectorizer::applyBias(Value score, int64_t v, Value key) {
  if (biasTile)
    return k.plus(score, k.load(biasTile, {key, k.index(v * k.lanes)}));
  AffineMap map = op.getEffectiveBiasMap();
  Value query = queries[v], keyIndex = toGlobal(key);
  auto differs = [&](unsigned dim, Value index) {
    return map.isFunctionOfDim(dim) && isa<VectorType>(index.getType());
  };
  if (differs(OnlineAttentionOp::QueryPos, query) ||
      differs(OnlineAttentionOp::KeyPos, keyIndex))
    return k.plus(score, gatherBias(query, keyIndex));
  Value element = k.loadScalar(
      op.getBias(), locateBias(getLane(k, query, 0), getLane(k, keyIndex, 0)));
  return k.plus(score, k.splat(convertFloat(k, element, k.element)));
}

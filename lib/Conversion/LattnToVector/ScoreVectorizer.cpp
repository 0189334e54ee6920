//===- ScoreVectorizer.cpp - Scores modified on vectors -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreVectorizer.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace lattn;

Value lattn::countKeys(KernelBuilder &k, AttentionOpInterface op) {
  auto online = dyn_cast<OnlineAttentionOp>(op.getOperation());
  if (online && online.getPages())
    return online.getNumKeys();
  return k.b.createOrFold<memref::DimOp>(k.loc, op.getKey(), 0);
}

bool ScoreVectorizer::isNeeded(AttentionOpInterface op) {
  FloatAttr scale = op.getScaleAttr();
  return op.hasMask() || op.getBias() || !op.getScore().empty() || !scale ||
         scale.getValueAsDouble() != 1.0;
}

Value ScoreVectorizer::originAt(unsigned coordinate) {
  if (op.getOrigin().empty())
    return k.index(0);
  return op.getOrigin()[coordinate];
}

Value ScoreVectorizer::toI32(Value index) {
  Type type = k.b.getI32Type();
  if (auto vector = dyn_cast<VectorType>(index.getType()))
    type = vector.clone(type);
  return arith::IndexCastOp::create(k.b, k.loc, type, index);
}

ScoreVectorizer::ScoreVectorizer(KernelBuilder &k, AttentionOpInterface op,
                                 int64_t queryVectors, Value firstQuery,
                                 Value queryRows)
    : k(k), op(op), lower(queryVectors), upper(queryVectors) {
  auto indices = VectorType::get(k.lanes, k.b.getIndexType());
  Value lastRow;
  if (queryRows)
    lastRow = k.splat(k.add(queryRows, -1));
  Value first = k.splat(originAt(2));
  Value inTile = k.splat(firstQuery);
  for (int64_t v = 0; v < queryVectors; ++v) {
    auto lanes = llvm::seq(v * k.lanes, (v + 1) * k.lanes);
    Value rows = arith::ConstantOp::create(
        k.b, k.loc,
        DenseElementsAttr::get(
            indices, ArrayRef<APInt>(llvm::map_to_vector(
                         lanes, [](int64_t i) { return APInt(64, i); }))));
    rows = k.b.createOrFold<arith::AddIOp>(k.loc, rows, inTile);
    if (lastRow) // padding lanes read nothing out of bounds
      rows = arith::MinSIOp::create(k.b, k.loc, rows, lastRow);
    queries.push_back(arith::AddIOp::create(k.b, k.loc, rows, first));
    computeBounds(v);
  }
}

ScoreVectorizer::ScoreVectorizer(KernelBuilder &k, AttentionOpInterface op,
                                 Value query)
    : k(k), op(op), queries{k.add(originAt(2), query)}, lower(1), upper(1) {
  computeBounds(0);
}

/// `scalar` on all lanes where `other` is a vector.
Value ScoreVectorizer::splatLike(Value scalar, Value other) {
  return isa<VectorType>(other.getType()) ? k.splat(scalar) : scalar;
}

/// `vector` as it is, a scalar on all lanes.
Value ScoreVectorizer::onLanes(Value value) {
  return isa<VectorType>(value.getType()) ? value : k.splat(value);
}

/// Global indices of the tile's `key`, one or a vector of them.
Value ScoreVectorizer::toGlobal(Value key) {
  return k.add(key, splatLike(originAt(3), key));
}

/// The tile's keys that each query of `queries[v]` sees, [lower, upper), as i32
/// counted from the tile's first.
void ScoreVectorizer::computeBounds(int64_t v) {
  WindowAttrInterface window = op.getEffectiveWindow();
  if (!window)
    return;
  Value offset = op.getOffset();
  if (isa<ShapedType>(offset.getType()))
    offset = readElement(k.b, k.loc, offset, originAt(0));
  offset =
      k.b.createOrFold<arith::IndexCastOp>(k.loc, k.b.getIndexType(), offset);
  auto splat = [&](Value scalar) { return splatLike(scalar, queries[v]); };
  Value position = arith::AddIOp::create(k.b, k.loc, queries[v], splat(offset));
  Value keyOrigin = splat(originAt(3)), zero = splat(k.index(0));
  Value numKeys = splat(countKeys(k, op));
  auto local = [&](Value bound) -> Value {
    if (!bound)
      return {};
    bound = arith::SubIOp::create(k.b, k.loc, bound, keyOrigin);
    bound = arith::MaxSIOp::create(k.b, k.loc, bound, zero);
    return toI32(arith::MinSIOp::create(k.b, k.loc, bound, numKeys));
  };
  lower[v] = local(buildLowerBound(k.b, k.loc, window, position));
  upper[v] = local(buildUpperBound(k.b, k.loc, window, position));
}

Value ScoreVectorizer::apply(Value score, int64_t v, Value key) {
  return applyMask(applyScore(score, v, key), v, key);
}

/// Whether a query does not see one of `count` keys from `first` on, as IR:
/// bounds only grow with the query.
Value ScoreVectorizer::isHiding(Value first, int64_t count) {
  Value hides;
  auto require = [&](arith::CmpIPredicate predicate, Value key, Value bounds,
                     int64_t lane) {
    if (!bounds)
      return;
    Value bound = vector::ExtractOp::create(k.b, k.loc, bounds, lane);
    Value beyond =
        arith::CmpIOp::create(k.b, k.loc, predicate, toI32(key), bound);
    hides = hides ? arith::OrIOp::create(k.b, k.loc, hides, beyond).getResult()
                  : beyond;
  };
  require(arith::CmpIPredicate::slt, first, lower.back(), k.lanes - 1);
  require(arith::CmpIPredicate::sgt, k.add(first, count), upper.front(), 0);
  return hides;
}

void ScoreVectorizer::applyToBlock(MutableArrayRef<Value> scores, Value first,
                                   ArrayRef<Value> rows) {
  int64_t vectors = queries.size();
  auto applyAll = [&](ValueRange from, auto apply) {
    SmallVector<Value> to;
    for (auto [i, score] : llvm::enumerate(from))
      to.push_back(apply(score, i % vectors, rows[i / vectors]));
    return to;
  };
  llvm::copy(
      applyAll(scores, [&](Value score, int64_t v,
                           Value key) { return applyScore(score, v, key); }),
      scores.begin());
  if (!op.hasMask())
    return;
  auto mask = [&] {
    return applyAll(scores, [&](Value score, int64_t v, Value key) {
      return applyMask(score, v, key);
    });
  };
  Value hides = op.getKeyMask() ? Value() : isHiding(first, rows.size());
  if (!hides) {
    llvm::copy(mask(), scores.begin());
    return;
  }
  auto masked = scf::IfOp::create(
      k.b, k.loc, hides,
      [&](OpBuilder &, Location) { scf::YieldOp::create(k.b, k.loc, mask()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(k.b, k.loc, scores); });
  llvm::copy(masked.getResults(), scores.begin());
}

void ScoreVectorizer::applyInPlace(Value scores, Value group, Value numKeys,
                                   bool scales) {
  constexpr int64_t rows = 8; // of a block
  auto applyTo = [&](Value first, Value end) {
    k.forEach(first, end, 1, [&](Value key) {
      for (int64_t v = 0; v < int64_t(queries.size()); ++v) {
        SmallVector<Value> at = {key, k.add(group, v * k.lanes)};
        Value score = k.load(scores, at);
        score = scales ? apply(score, v, key) : applyMask(score, v, key);
        k.store(score, scores, at);
      }
    });
  };
  if (scales || op.getKeyMask())
    return applyTo(k.index(0), numKeys);
  k.forEach(k.index(0), numKeys, rows, [&](Value first) {
    Value end = arith::MinSIOp::create(k.b, k.loc, k.add(first, rows), numKeys);
    if (Value hides = isHiding(first, rows))
      k.ifThenElse(hides, [&] { applyTo(first, end); });
  });
}

Value ScoreVectorizer::applyScale(Value score) {
  if (FloatAttr scale = op.getScaleAttr();
      scale && scale.getValueAsDouble() != 1.0)
    return k.mul(score, k.splat(scale.getValueAsDouble()));
  return score;
}

Value ScoreVectorizer::getSlope(Value score, int64_t v, Value key) {
  return applyRegion(applyScale(score), v, key)[1];
}

SmallVector<Value> ScoreVectorizer::applyAll(Value score, int64_t v,
                                             Value key) {
  SmallVector<Value> made = applyRegion(applyScale(score), v, key);
  if (op.getBias())
    made[0] = applyBias(made[0], v, key);
  made[0] = applyMask(made[0], v, key);
  return made;
}

Value ScoreVectorizer::applyScore(Value score, int64_t v, Value key) {
  score = applyScale(score);
  if (!op.getScore().empty())
    score = applyRegion(score, v, key)[0];
  if (op.getBias())
    score = applyBias(score, v, key);
  return score;
}

/// memref[indices...] where some indices are vectors: one load a lane.
Value ScoreVectorizer::loadLanes(Value memref, ArrayRef<Value> indices) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  auto type = VectorType::get(k.lanes, element);
  Value result = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  for (int64_t lane = 0; lane < k.lanes; ++lane) {
    SmallVector<Value> at;
    for (Value index : indices)
      at.push_back(
          isa<VectorType>(index.getType())
              ? vector::ExtractOp::create(k.b, k.loc, index, lane).getResult()
              : index);
    result = vector::InsertOp::create(k.b, k.loc, k.loadScalar(memref, at),
                                      result, lane);
  }
  return result;
}

/// The region with scores and query indices as vectors; what depends on
/// neither stays scalar.
SmallVector<Value> ScoreVectorizer::applyRegion(Value score, int64_t v,
                                                Value key) {
  Block &block = op.getScore().front();
  IRMapping mapping;
  Value keyIndex = toGlobal(key);
  SmallVector<Value> arguments = {score, toI32(originAt(0)), toI32(originAt(1)),
                                  toI32(queries[v]), toI32(keyIndex)};
  llvm::append_range(arguments, op.getCaptures());
  mapping.map(block.getArguments(), arguments);
  auto isVector = [](Value value) { return isa<VectorType>(value.getType()); };
  for (Operation &inner : block.without_terminator()) {
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(mapping.lookup(operand));
    if (llvm::none_of(operands, isVector)) {
      k.b.clone(inner, mapping);
      continue;
    }
    if (auto staged = reads.find(&inner); staged != reads.end()) {
      mapping.map(inner.getResult(0), loadPairs(staged->second, v, key));
      continue;
    }
    if (auto load = dyn_cast<memref::LoadOp>(inner)) {
      mapping.map(load.getResult(), loadLanes(mapping.lookup(load.getMemRef()),
                                              ArrayRef(operands).drop_front()));
      continue;
    }
    for (Value &operand : operands)
      if (!isVector(operand))
        operand = k.splat(operand);
    OperationState state(inner.getLoc(), inner.getName(), operands, {},
                         inner.getAttrs());
    for (Type type : inner.getResultTypes())
      state.addTypes(VectorType::get(k.lanes, type));
    state.propertiesAttr = inner.getPropertiesAsAttribute();
    mapping.map(inner.getResults(), k.b.create(state)->getResults());
  }
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return onLanes(mapping.lookup(value)); });
}

Value ScoreVectorizer::applyMask(Value score, int64_t v, Value key) {
  Value hidden = k.splat(-INFINITY);
  Value visible;
  Value at = lower[v] || upper[v] ? onLanes(toI32(key)) : Value();
  auto require = [&](arith::CmpIPredicate predicate, Value bound) {
    if (!bound)
      return;
    Value inside =
        arith::CmpIOp::create(k.b, k.loc, predicate, at, onLanes(bound));
    visible =
        visible ? arith::AndIOp::create(k.b, k.loc, visible, inside).getResult()
                : inside;
  };
  require(arith::CmpIPredicate::sge, lower[v]);
  require(arith::CmpIPredicate::slt, upper[v]);
  if (visible)
    score = k.select(visible, score, hidden);
  if (Value mask = op.getKeyMask()) {
    Value keyIndex = toGlobal(key);
    Value taken = isa<VectorType>(key.getType())
                      ? loadLanes(mask, {originAt(0), keyIndex})
                      : k.loadScalar(mask, {originAt(0), keyIndex});
    score = k.select(taken, score, hidden);
  }
  return score;
}

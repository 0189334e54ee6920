//===- AttentionJvpKernel.cpp - Micro-kernel of attention_jvp_step --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Online softmax and its tangent. Scores have queries on the lanes, sums
// features:
//
//   S^T[key, query]  = K Q^T, modified     register blocks of keys x queries
//   dS^T[key, query] = K dQ^T + dK Q^T     the same
//   S and dS by the score region, in place, if there is one
//   P = exp2((S - max) log2 e), P dS in place, then dropout of both
//   O = corr O + P V, dO = corr dO + (P dS) V + P dV
//                                          (AttentionJvpProducts.cpp)

#include "AttentionJvpKernel.h"
#include "DropWeights.h"
#include "Exponents.h"
#include "Lowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Weights and their tangents
//===----------------------------------------------------------------------===//

void AttentionJvpKernel::applyScores() {
  auto step = [&](Value first, int64_t count, ValueRange) {
    for (int64_t i = 0; i < count; ++i)
      for (int64_t v = 0; v < block.vectors; ++v) {
        Value key = k.add(first, i);
        Vectors at = {key, column(v)};
        Vectors made = modify->applyAll(k.load(scores, at), v, key);
        k.store(made[0], scores, at);
        if (!changesScores())
          continue;
        Value tangent = addsTangents() ? made[2] : Value();
        if (changesProducts()) {
          Value product = k.load(ofScores, at);
          tangent = tangent ? k.fma(made[1], product, tangent)
                            : k.mul(made[1], product);
        }
        k.store(tangent, ofScores, at);
      }
    return Vectors();
  };
  k.loopBySteps(numKeys, std::max<int64_t>(1, 4 / block.vectors), {}, step);
}

SmallVector<Value> AttentionJvpKernel::maximize(ArrayRef<Value> max) {
  auto step = [&](Value key, int64_t count, ValueRange carried) {
    Vectors next(carried);
    for (int64_t i = 0; i < count; ++i)
      for (int64_t v = 0; v < block.vectors; ++v)
        next[v] = k.max(k.load(scores, {k.add(key, i), column(v)}), next[v]);
    return next;
  };
  return k.loopBySteps(numKeys, 4, max, step);
}

SmallVector<Value> AttentionJvpKernel::exponentiate(ArrayRef<Value> max,
                                                    ArrayRef<Value> sums) {
  Value zero = k.splat(0.0);
  Exponents toWeights =
      getExponents(k, scores, /*scale=*/1, max, [&](VisitScore visit) {
        k.forEach(k.index(0), numKeys, 1, [&](Value key) {
          for (int64_t v = 0; v < block.vectors; ++v)
            visit({key, column(v)}, v);
        });
      });
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    Vectors next(carried), exponents;
    auto forEach = [&](auto operation) {
      for (int64_t i = 0; i < count; ++i)
        for (int64_t v = 0; v < block.vectors; ++v)
          operation(i * block.vectors + v, v,
                    Vectors{k.add(first, i), column(v)});
    };
    forEach([&](int64_t, int64_t v, ValueRange at) {
      exponents.push_back(
          k.fma(k.load(scores, at), toWeights.factor, toWeights.addends[v]));
    });
    Vectors weights = k.exp2(exponents);
    forEach([&](int64_t i, int64_t v, ValueRange at) {
      k.store(weights[i], scores, at);
      next[v] = k.plus(next[v], weights[i]);
      if (!changesScores())
        return;
      Value tangent = k.mul(weights[i], k.load(ofScores, at));
      if (hasZeroWeights) // of keys that may be NaN
        tangent = k.select(k.isEqual(weights[i], zero), zero, tangent);
      k.store(tangent, ofScores, at);
      Value &sum = next[block.vectors + v];
      sum = k.plus(sum, tangent);
    });
    return next;
  };
  return k.loopBySteps(numKeys, std::max<int64_t>(1, 4 / block.vectors), sums,
                       step);
}

void AttentionJvpKernel::weigh() {
  Vectors oldMax =
      perVector([&](int64_t v) { return k.load(op.getMax(), column(v)); });
  Vectors max = maximize(oldMax);
  // Without any key so far the shift must not be -inf - -inf.
  Vectors safeMax = perVector([&](int64_t v) {
    Value none = k.isEqual(max[v], k.splat(-INFINITY));
    return k.select(none, k.splat(0.0), max[v]);
  });
  Vectors correction = perVector([&](int64_t v) {
    Value difference = arith::SubFOp::create(k.b, k.loc, oldMax[v], safeMax[v]);
    return k.exp2(k.mul(difference, k.splat(llvm::numbers::log2e)));
  });
  Vectors sums;
  for (Value state : {op.getSum(), op.getDSum()})
    for (int64_t v = 0; v < block.vectors; ++v)
      sums.push_back(k.mul(k.load(state, column(v)), correction[v]));
  sums = exponentiate(safeMax, sums);
  for (int64_t v = 0; v < block.vectors; ++v) {
    k.store(max[v], op.getMax(), column(v));
    k.store(sums[v], op.getSum(), column(v));
    k.store(sums[block.vectors + v], op.getDSum(), column(v));
    k.store(correction[v], corrections, column(v));
  }
}

void AttentionJvpKernel::rescale(Value matrix) {
  int64_t width = cast<MemRefType>(matrix.getType()).getDimSize(1);
  k.forEach(k.index(0), numQueries, 1, [&](Value row) {
    Value correction = k.loadScalar(corrections, row);
    Value changes = arith::CmpFOp::create(k.b, k.loc, arith::CmpFPredicate::UNE,
                                          correction, k.scalar(1.0));
    k.ifThenElse(changes, [&] {
      Value factor = k.splat(correction);
      for (int64_t d = 0; d < width; d += k.lanes) {
        int64_t count = std::min(k.lanes, width - d);
        SmallVector<Value> at = {row, k.index(d)};
        storeFront(k, k.mul(loadFront(k, matrix, at, count), factor), matrix,
                   at, count);
      }
    });
  });
}

//===----------------------------------------------------------------------===//
// The whole step
//===----------------------------------------------------------------------===//

void AttentionJvpKernel::build() {
  numKeys = memref::DimOp::create(k.b, k.loc, op.getKey(), 0);
  numQueries = op.getQueryRows();
  int64_t rows = std::max(llvm::alignTo(maxKeys, block.rows),
                          llvm::alignTo(maxKeys, blocks.keys));
  scores = k.scratch({rows, queries});
  ofScores = k.scratch({rows, queries});
  corrections = k.scratch({queries});
  keys = getKeyRows(op.getKey());
  if (op.getDKey())
    dKeys = getKeyRows(op.getDKey());
  values = getKeyRows(op.getValue());
  if (op.getDValue())
    dValues = getKeyRows(op.getDValue());
  int64_t width = block.vectors * k.lanes;
  k.forEach(k.index(0), numQueries, width, [&](Value first) {
    group = first;
    if (ScoreVectorizer::isNeeded(op))
      modify.emplace(k, op, block.vectors, group, numQueries);
    if (modify)
      modify->stagePairs(numKeys, maxKeys);
    multiply();
    if (hasScore())
      applyScores();
    weigh();
    if (!op.getDropout().empty()) {
      Vectors weights = {scores, ofScores};
      dropWeights(k, op, op.getDropout(),
                  ArrayRef(weights).take_front(changesScores() ? 2 : 1),
                  numKeys, group, group, block.vectors);
    }
  });
  accumulate();
}

LogicalResult lattn::lowerToVector(AttentionJvpStepOp op, Lowering &to) {
  auto query = cast<MemRefType>(op.getQuery().getType());
  Type element = op.getAccumulatorType();
  int64_t lanes = to.unit.getLanes(element);
  if (query.getElementType() != element || !query.hasStaticShape() ||
      query.getDimSize(1) % lanes)
    return to.rewriter.notifyMatchFailure(
        op, "its queries are not packed in whole vectors by lattn-tile-grad");
  ScheduleAttr schedule = op.getScheduleAttr();
  if (schedule &&
      schedule.getProducts().value_or(Products::Widened) != Products::Widened)
    return to.rewriter.notifyMatchFailure(
        op, "tangents have no kernel of the products of its schedule");
  for (Value operand : op.getDpsInits())
    if (auto type = cast<MemRefType>(operand.getType());
        !type.isLastDimUnitStride() || !type.hasStaticShape())
      return to.rewriter.notifyMatchFailure(op, "the rows of its state are not "
                                                "dense, or of unknown size");
  return to.outlineByKeys<AttentionJvpStepOp>(
      op, "lattn_attention_jvp_step",
      [&](KernelBuilder &k, AttentionJvpStepOp copy, int64_t maxKeys) {
        AttentionJvpKernel(k, to.functions, copy, to.unit, maxKeys).build();
      });
}

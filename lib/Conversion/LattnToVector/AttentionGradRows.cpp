//===- AttentionGradRows.cpp - attention_grad_step of few queries ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// With features on the lanes, for few queries, which would leave lanes empty:
//
//   s[key]  = sum over vectors of query . key      a block of keys: as many as
//   dp[key] = sum over vectors of d_output . value  lanes
//   p       = exp2((s - lse) log2 e), ds = scale p (dp - row_sum)
//   d_value += p d_output, d_key += ds query, d_query += ds key
//                                                  (AttentionGradProducts.cpp)
//
// Keys and values are read once, in order; rows further on are prefetched.

#include "AttentionGradRows.h"
#include "AttentionGradProducts.h"
#include "Exponents.h"
#include "Lowering.h"
#include "StageRows.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

/// Bytes of keys, and of values, that are prefetched.
static constexpr int64_t kBytesAhead = 8 * 1024;

namespace {
class RowGradKernel : AttentionGradProducts {
public:
  RowGradKernel(KernelBuilder &k, KernelFunctions &functions,
                AttentionGradStepOp op, VectorUnit unit, int64_t maxKeys);
  void build();

private:
  /// As many rows of keys or values as lanes.
  struct RowBlock {
    Value matrix;
    Vectors rows;
  };
  Value stage(Value tile);
  void prefetch(Value tile, Value firstKey);
  Value copyRows(Value rows);
  Value multiply(Value vectors, Value row, const RowBlock &keys, int64_t width);
  void weigh(Value row, Value firstKey, bool clamped, Value score,
             Value ofWeight);
  void buildBlock(Value firstKey, bool clamped);

  AttentionGradStepOp op;
  double scale;
  int64_t headDim, valueDim;
  Value keys, values, query, dOutput;
};
} // namespace

RowGradKernel::RowGradKernel(KernelBuilder &k, KernelFunctions &functions,
                             AttentionGradStepOp op, VectorUnit unit,
                             int64_t maxKeys)
    : AttentionGradProducts(
          k, functions, op, unit,
          cast<MemRefType>(op.getDQuery().getType()).getDimSize(0), maxKeys),
      op(op), headDim(cast<MemRefType>(op.getQuery().getType()).getDimSize(1)),
      valueDim(cast<MemRefType>(op.getDOutput().getType()).getDimSize(1)) {
  scale = *getStaticScale(op, headDim);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Rows in whole vectors, widened; what the last one lacks is 0.
Value RowGradKernel::copyRows(Value rows) {
  Value from =
      stageRows(k, functions, rows, queries, k.element, /*anyDistance=*/true);
  int64_t width = cast<MemRefType>(from.getType()).getDimSize(1);
  int64_t vectors = llvm::divideCeil(width, k.lanes);
  Value to = k.scratch({queries, vectors * k.lanes});
  k.forEach(k.index(0), numQueries, 1, [&](Value row) {
    for (int64_t v = 0; v < vectors; ++v) {
      SmallVector<Value> at = {row, k.index(v * k.lanes)};
      int64_t count = std::min(k.lanes, width - v * k.lanes);
      k.store(loadFront(k, from, at, count), to, at);
    }
  });
  return to;
}

/// Keys or values in their own type: few rows widen them faster than a copy.
Value RowGradKernel::stage(Value tile) {
  return stageRows(k, functions, tile, maxKeys,
                   cast<MemRefType>(tile.getType()).getElementType());
}

/// Prefetches a block of rows behind that of `firstKey`, which need not exist.
void RowGradKernel::prefetch(Value tile, Value firstKey) {
  constexpr int64_t lineBits = 64 * 8, localityInL1 = 3;
  auto type = cast<MemRefType>(tile.getType());
  int64_t bits = type.getElementTypeBitWidth(), width = type.getDimSize(1);
  int64_t ahead = std::max<int64_t>(1, 8 * kBytesAhead / (width * bits));
  ahead = llvm::alignTo(ahead, k.lanes);
  for (int64_t i = 0; i < k.lanes; ++i)
    for (int64_t d = 0; d < width; d += lineBits / bits)
      memref::PrefetchOp::create(
          k.b, k.loc, tile, ValueRange{k.add(firstKey, ahead + i), k.index(d)},
          /*isWrite=*/false, localityInL1, /*isDataCache=*/true);
}

/// The products of a row of `vectors` and each of `keys`, on a lane each.
Value RowGradKernel::multiply(Value vectors, Value row, const RowBlock &keys,
                              int64_t width) {
  constexpr int64_t mostUnrolled = 8;
  return dotEach(k, vectors, row, keys.matrix, keys.rows, width, mostUnrolled,
                 /*isAlone=*/queries == 1);
}

//===----------------------------------------------------------------------===//
// Weights and gradients of scores
//===----------------------------------------------------------------------===//

/// Those of a block of keys, which lie on the lanes, to their places.
void RowGradKernel::weigh(Value row, Value firstKey, bool clamped, Value score,
                          Value ofWeight) {
  std::optional<ScoreVectorizer> modify;
  if (op.hasMask() || op.getBias() || !op.getScore().empty())
    modify.emplace(k, op, row);
  Value zero = k.splat(0.0), slope;
  Value lse = k.splat(k.loadScalar(op.getLse(), row));
  if (modify) {
    Value keys = k.add(laneNumbers(k), k.splat(firstKey));
    if (clamped)
      keys =
          arith::MinSIOp::create(k.b, k.loc, keys, k.splat(k.add(numKeys, -1)));
    if (!op.getScore().empty())
      slope = modify->getSlope(score, 0, keys);
    score = modify->apply(score, 0, keys);
  }
  // Scores that nothing modified lack their scale.
  Value exponent = subtractShift(k, score, modify ? 1.0 : scale, lse);
  Value weight = k.exp2(k.mul(exponent, k.splat(llvm::numbers::log2e)));
  Value rowSum = k.splat(k.loadScalar(op.getRowSums(), row));
  Value gradient = arith::SubFOp::create(k.b, k.loc, ofWeight, rowSum);
  gradient = k.mul(k.mul(weight, gradient), k.splat(scale));
  if (slope)
    gradient = k.mul(gradient, slope);
  if (hasZeroWeights) // of values that may be NaN
    gradient = k.select(k.isEqual(weight, zero), zero, gradient);
  k.store(weight, scores, {row, firstKey});
  k.store(gradient, ofScores, {row, firstKey});
}

void RowGradKernel::buildBlock(Value firstKey, bool clamped) {
  prefetch(op.getKey(), firstKey);
  prefetch(op.getValue(), firstKey);
  Vectors rows = getKeyNumbers(k, firstKey, k.lanes, numKeys, clamped);
  RowBlock ofKeys = {keys, rows}, ofValues = {values, rows};
  k.forEach(k.index(0), numQueries, 1, [&](Value row) {
    Value score = multiply(query, row, ofKeys, headDim);
    weigh(row, firstKey, clamped, score,
          multiply(dOutput, row, ofValues, valueDim));
  });
}

//===----------------------------------------------------------------------===//
// The whole step
//===----------------------------------------------------------------------===//

void RowGradKernel::build() {
  numKeys = memref::DimOp::create(k.b, k.loc, op.getKey(), 0);
  numQueries = memref::DimOp::create(k.b, k.loc, op.getQuery(), 0);
  int64_t columns = llvm::alignTo(maxKeys, k.lanes);
  scores = k.scratch({queries, columns});
  ofScores = k.scratch({queries, columns});
  query = copyRows(op.getQuery()), dOutput = copyRows(op.getDOutput());
  keys = stage(op.getKey()), values = stage(op.getValue());
  forEachBlock(k, numKeys, k.lanes,
               [&](Value key, bool clamped) { buildBlock(key, clamped); });
  RowSums sums(k, functions, unit.registers);
  auto add = [&](const RowSum &sum, int64_t tileRows) {
    sums.add(sum, tileRows, hasZeroWeights);
  };
  add({op.getDValue(), scores, dOutput, true, numKeys, numQueries, valueDim},
      maxKeys);
  add({op.getDKey(), ofScores, query, true, numKeys, numQueries, headDim},
      maxKeys);
  add({op.getDQuery(), ofScores, keys, false, numQueries, numKeys, headDim},
      queries);
}

LogicalResult lattn::lowerRowGradients(AttentionGradStepOp op, Lowering &to) {
  auto sums = cast<MemRefType>(op.getDQuery().getType());
  if (sums.isDynamicDim(0) || !op.getDropout().empty() ||
      !op.getPairs().empty() || op.getProducts() != Products::Widened)
    return to.rewriter.notifyMatchFailure(
        op, "its queries are not packed by lattn-tile-grad, and their number "
            "is unknown, or it has dropout, pairs or products that are not "
            "widened");
  return to.outlineByKeys<AttentionGradStepOp>(
      op, "lattn_attention_grad_rows",
      [&](KernelBuilder &k, AttentionGradStepOp copy, int64_t maxKeys) {
        RowGradKernel(k, to.functions, copy, to.unit, maxKeys).build();
      });
}

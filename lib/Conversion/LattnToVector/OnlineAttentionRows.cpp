//===- OnlineAttentionRows.cpp - online_attention of few queries ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One step of online softmax with features on the lanes, for few queries:
//
//   s[key]  = sum over vectors of query . key    a block of keys: as many as
//                                                lanes (OnlineAttentionRow-
//                                                Scores.cpp)
//   p       = exp2((s - max) log2 e), sums       keys on the lanes
//   acc[v]  = corr acc + p[key] value[key, v]    keys one after the other
//
// Keys and values are read once, in order, as memory gives them; rows further
// on are prefetched, since hardware prefetches end with each page.
// OnlineAttentionRowPages.cpp finds those that lie in pages of a cache.

#include "OnlineAttentionRows.h"
#include "DropWeights.h"
#include "Exponents.h"
#include "Lowering.h"
#include "OnlineAttentionKernel.h"
#include "ScoreVectorizer.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// Bytes of keys, and of values, that are prefetched.
static constexpr int64_t kBytesAhead = 8 * 1024;

RowAttentionKernel::RowAttentionKernel(KernelBuilder &k,
                                       KernelFunctions &functions,
                                       OnlineAttentionOp op, VectorUnit target,
                                       int64_t maxKeys)
    : k(k), functions(functions), op(op),
      rowSums(k, functions, target.registers), registers(target.registers),
      maxKeys(maxKeys),
      headDim(cast<MemRefType>(op.getQuery().getType()).getDimSize(1)),
      valueDim(cast<MemRefType>(op.getAcc().getType()).getDimSize(1)),
      mostRows(cast<MemRefType>(op.getAcc().getType()).getDimSize(0)),
      unit(countUnitLanes(k)), groupRows(k.lanes / unit),
      hasZeroWeights(op.hasMask() || op.getBias() || !op.getScore().empty() ||
                     !op.getDropout().empty()),
      byPairs(op.getProducts() == Products::Dot && mostRows > 1 &&
              headDim % (2 * unit) == 0),
      pairProducts(k, target.bf16) {}

void RowAttentionKernel::forEachRow(function_ref<void(Value row)> body) {
  if (mostRows == 1)
    return body(k.index(0));
  k.forEach(k.index(0), rows, 1, body);
}

//===----------------------------------------------------------------------===//
// Queries, keys and values
//===----------------------------------------------------------------------===//

/// Keys or values where they lie; without unit stride, in scratch.
Value RowAttentionKernel::stage(Value tile) {
  Type element = cast<MemRefType>(tile.getType()).getElementType();
  int64_t most = op.getPages() ? std::min(maxKeys, op.getPageSize()) : maxKeys;
  return stageRows(k, functions, tile, most, element, /*anyDistance=*/true);
}

void RowAttentionKernel::copyQuery() {
  Value from = op.getQuery();
  auto copyVectors = [&](Value from) {
    forEachRow([&](Value row) {
      for (int64_t v = 0; v < countVectors(headDim); ++v)
        k.store(loadVector(from, row, v), query, {row, k.index(v * k.lanes)});
    });
  };
  auto copyScalars = [&] {
    forEachRow([&](Value row) {
      k.store(k.splat(0.0), query,
              {row, k.index((countVectors(headDim) - 1) * k.lanes)});
      k.forEach(k.index(0), k.index(headDim), 1, [&](Value d) {
        Value x = convertFloat(k, k.loadScalar(from, {row, d}), k.element);
        memref::StoreOp::create(k.b, k.loc, x, query, ValueRange{row, d});
      });
    });
  };
  k.ifThenElse(
      hasUnitStride(k, from), [&] { copyVectors(asUnitStride(k, from)); },
      copyScalars);
}

void RowAttentionKernel::prepare() {
  numKeys = countKeys(k, op);
  rows = op.getQueryRows() ? op.getQueryRows() : k.index(mostRows);
  // Groups of either size may lack a few rows.
  int64_t rowsOfGroups = llvm::alignTo(mostRows, 2 * groupRows);
  query = k.scratch({mostRows, countVectors(headDim) * k.lanes});
  // In pages a block of keys may begin anywhere, and end beyond the last one.
  int64_t width =
      llvm::alignTo(maxKeys, k.lanes) + (op.getPages() ? k.lanes : 0);
  scores = k.scratch({rowsOfGroups, width});
  maxima = k.scratch({rowsOfGroups, k.lanes});
  corrections = k.scratch({mostRows});
  if (byPairs)
    weights = k.scratch({mostRows, width}, k.b.getBF16Type());
  copyQuery();
  if (op.getPages())
    return;
  keys = stage(op.getKey());
  values = stage(op.getValue());
}

int64_t RowAttentionKernel::countRowsAhead(Value tile) {
  auto type = cast<MemRefType>(tile.getType());
  int64_t bits = type.getElementTypeBitWidth(), width = type.getShape().back();
  int64_t rows = std::max<int64_t>(1, 8 * kBytesAhead / (width * bits));
  // A block of keys prefetches rows of one page.
  return op.getPages() ? llvm::alignTo(rows, k.lanes) : rows;
}

/// Prefetches the lines of a row of `tile`, which need not exist, that hold its
/// columns between `from` and `to`.
void RowAttentionKernel::prefetchColumns(Value tile, Value row, int64_t from,
                                         int64_t to) {
  constexpr int64_t lineBits = 64 * 8, localityInL1 = 3;
  int64_t line =
      lineBits / cast<MemRefType>(tile.getType()).getElementTypeBitWidth();
  for (int64_t d = from / line * line; d < to; d += line)
    memref::PrefetchOp::create(k.b, k.loc, tile, ValueRange{row, k.index(d)},
                               /*isWrite=*/false, localityInL1,
                               /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Scores of a row to weights in place; its maximum, sum and correction.
void RowAttentionKernel::exponentiate(Value row) {
  constexpr double log2e = llvm::numbers::log2e;
  if (op.getPages())
    hideBeyondLast(row);
  Value max = maxOf(k, k.load(maxima, {row, k.index(0)}));
  // Without any key so far the shift must not be -inf - -inf.
  Value safeMax =
      k.select(k.isEqual(max, k.splat(-INFINITY)), k.splat(0.0), max);
  Value oldMax = k.splat(k.loadScalar(op.getMax(), row));
  Value difference = arith::SubFOp::create(k.b, k.loc, oldMax, safeMax);
  Value correction = k.exp2(k.mul(difference, k.splat(log2e)));
  Value vectors =
      arith::CeilDivSIOp::create(k.b, k.loc, numKeys, k.index(k.lanes));
  Exponents exponents =
      getExponents(k, scores, /*scale=*/1, safeMax, [&](VisitScore visit) {
        k.forEach(k.index(0), vectors, 1,
                  [&](Value i) { visit({row, k.times(i, k.lanes)}, 0); });
      });
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> scaled;
    SmallVector<SmallVector<Value>> at;
    for (int64_t i = 0; i < count; ++i) {
      at.push_back({row, k.times(k.add(first, i), k.lanes)});
      scaled.push_back(
          k.fma(k.load(scores, at[i]), exponents.factor, exponents.addends[0]));
    }
    Value sum = carried[0];
    for (auto [weight, at] : llvm::zip_equal(k.exp2(scaled), at)) {
      k.store(weight, scores, at);
      sum = k.plus(sum, weight);
    }
    return SmallVector<Value>{sum};
  };
  Value added = k.loopBySteps(vectors, 4, k.splat(0.0), step)[0];
  Value oldSum = k.splat(k.loadScalar(op.getSum(), row));
  Value sum = k.fma(oldSum, correction, sumOf(k, added));
  auto store = [&](Value all, Value to) {
    Value scalar = vector::ExtractOp::create(k.b, k.loc, all, 0);
    memref::StoreOp::create(k.b, k.loc, scalar, to, row);
  };
  store(max, op.getMax());
  store(sum, op.getSum());
  store(correction, corrections);
  if (!op.getDropout().empty())
    dropRow(k, op, scores, numKeys, row);
  if (byPairs)
    narrowWeights(row);
}

/// Weights of a row in bf16: two neighbours are a pair. Beyond the last key are
/// zeros.
void RowAttentionKernel::narrowWeights(Value row) {
  k.forEach(k.index(0), numKeys, k.lanes, [&](Value key) {
    Value narrow = pairProducts.narrow(k.load(scores, {row, key}));
    k.store(narrow, weights, {row, key});
  });
  if (!op.getPages())
    return;
  // The last key of a stretch may be the first of a pair.
  auto type = VectorType::get(k.lanes, k.b.getBF16Type());
  Value none = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  k.store(none, weights, {row, numKeys});
}

void RowAttentionKernel::build() {
  prepare();
  forEachRow([&](Value row) {
    k.store(k.splat(k.loadScalar(op.getMax(), row)), maxima, {row, k.index(0)});
  });
  scoreInUnits(unit);
  forEachRow([&](Value row) { exponentiate(row); });
  correctAcc();
  Value tile = op.getPages() ? op.getValue() : values;
  if (mostRows == 1)
    return accumulateOneRow(tile);
  Value packed = byPairs ? allocatePairs() : Value();
  forEachStretch(tile, countValuesAhead(), [&](const Stretch &stretch) {
    if (byPairs)
      accumulatePairs(stretch, packed);
    else
      accumulateStretch(stretch);
  });
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

bool lattn::isOfRows(OnlineAttentionOp op) {
  using Op = OnlineAttentionOp;
  return hasMaps(op, {{Op::QueryPos, Op::HeadDim},
                      {Op::KeyPos, Op::HeadDim},
                      {Op::KeyPos, Op::ValueDim},
                      {Op::QueryPos, Op::ValueDim},
                      {Op::QueryPos},
                      {Op::QueryPos}});
}

LogicalResult lattn::lowerRowAttention(OnlineAttentionOp op, Lowering &to) {
  if (op.getProducts() != Products::Widened &&
      op.getProducts() != Products::Dot)
    return to.rewriter.notifyMatchFailure(
        op, "its products are neither widened nor dot products");
  if (cast<MemRefType>(op.getQuery().getType()).isDynamicDim(1))
    return to.rewriter.notifyMatchFailure(op, "its head size is not known");
  for (Value operand : {op.getAcc(), op.getMax(), op.getSum()}) {
    auto type = cast<MemRefType>(operand.getType());
    if (!type.hasStaticShape() || !type.isLastDimUnitStride())
      return to.rewriter.notifyMatchFailure(
          op, "its state is no array of a known size and unit stride");
  }
  auto build = [&](KernelBuilder &k, OnlineAttentionOp copy, int64_t maxKeys) {
    RowAttentionKernel(k, to.functions, copy, to.unit, maxKeys).build();
  };
  ValueBoundsConstraintSet::Variable keys(op.getKey(), 0);
  if (op.getPages())
    keys = ValueBoundsConstraintSet::Variable(op.getNumKeys());
  return to.outlineByKeys<OnlineAttentionOp>(
      op, keys, "lattn_online_attention_rows", build);
}

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
//                                                lanes, their sums transposed
//   p       = exp2((s - max) log2 e), sums       keys on the lanes
//   acc[v]  = corr acc + p[key] value[key, v]    keys one after the other
//
// Keys and values are read once, in order, as memory gives them; rows further
// on are asked for ahead, since hardware prefetches end with each page.

#include "OnlineAttentionRows.h"
#include "DropWeights.h"
#include "OnlineAttentionKernel.h"
#include "ScoreVectorizer.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace lattn;

/// Bytes of keys, and of values, that are asked for ahead.
static constexpr int64_t kBytesAhead = 4 * 1024;
/// Vectors of acc in registers.
static constexpr int64_t kMostVectors = 8;

namespace {
class RowAttentionKernel {
public:
  RowAttentionKernel(KernelBuilder &k, KernelFunctions &functions,
                     OnlineAttentionOp op, int64_t registers, int64_t maxKeys);
  void build();

private:
  /// Vectors [first, first + count) of acc, of `rows` queries.
  struct Chunk {
    Value firstRow;
    int64_t rows, first, count;
  };
  /// `count` keys from `first` on, whose values are the rows of `values` from
  /// `firstValue` on.
  struct KeyBlock {
    Value first, count, values, firstValue;
  };

  int64_t countVectors(int64_t width) {
    return llvm::divideCeil(width, k.lanes);
  }
  /// Lanes of vector `v` that hold one of `width` elements.
  int64_t countLanes(int64_t v, int64_t width) {
    return std::min(k.lanes, width - v * k.lanes);
  }
  Value loadVector(Value matrix, Value row, int64_t v) {
    int64_t width = cast<MemRefType>(matrix.getType()).getDimSize(1);
    return loadFront(k, matrix, {row, k.index(v * k.lanes)},
                     countLanes(v, width));
  }
  void prepare();
  void copyQuery();
  Value stage(Value tile);
  void prefetchRow(Value tile, Value row);
  void forEachRow(function_ref<void(Value row)> body);

  SmallVector<Value> addDots(Value row, ArrayRef<Value> keyRows, Value column,
                             int64_t lanes, ValueRange sums);
  Value multiply(Value row, ArrayRef<Value> keyRows);
  void scoreBlock(Value firstKey, bool clamped);
  void exponentiate(Value row);

  void correctAcc();
  void accumulateAll();
  void accumulateKeys(const KeyBlock &keys);
  void accumulateRows(Value firstRow, int64_t rows, const KeyBlock &keys);
  void accumulate(const Chunk &chunk, const KeyBlock &keys);
  void accumulateSkippingZeros(const Chunk &chunk, const KeyBlock &keys);
  SmallVector<Value> addProducts(const Chunk &chunk, const KeyBlock &keys,
                                 Value key, ValueRange sums);
  SmallVector<Value> loadAcc(const Chunk &chunk);
  void storeAcc(ValueRange acc, const Chunk &chunk);

  KernelBuilder &k;
  KernelFunctions &functions;
  OnlineAttentionOp op;
  int64_t registers, maxKeys, headDim, valueDim, mostRows;
  bool hasZeroWeights;
  Value rows, numKeys, keys, values;
  /// Of each row: the query in f32 (0 beyond its end), scores, the maximum
  /// of each lane, and what the state so far is multiplied by.
  Value query, scores, maxima, corrections;
};
} // namespace

RowAttentionKernel::RowAttentionKernel(KernelBuilder &k,
                                       KernelFunctions &functions,
                                       OnlineAttentionOp op, int64_t registers,
                                       int64_t maxKeys)
    : k(k), functions(functions), op(op), registers(registers),
      maxKeys(maxKeys),
      headDim(cast<MemRefType>(op.getQuery().getType()).getDimSize(1)),
      valueDim(cast<MemRefType>(op.getAcc().getType()).getDimSize(1)),
      mostRows(cast<MemRefType>(op.getAcc().getType()).getDimSize(0)),
      hasZeroWeights(op.hasMask() || op.getBias() || !op.getScore().empty() ||
                     !op.getDropout().empty()) {}

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
  return stageRows(k, functions, tile, maxKeys, element, /*anyDistance=*/true);
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
  numKeys = memref::DimOp::create(k.b, k.loc, op.getKey(), 0);
  rows = op.getQueryRows() ? op.getQueryRows() : k.index(mostRows);
  query = k.scratch({mostRows, countVectors(headDim) * k.lanes});
  scores = k.scratch({mostRows, int64_t(llvm::alignTo(maxKeys, k.lanes))});
  maxima = k.scratch({mostRows, k.lanes});
  corrections = k.scratch({mostRows});
  copyQuery();
  keys = stage(op.getKey());
  values = stage(op.getValue());
}

/// Asks for a row of `tile`, which need not exist.
void RowAttentionKernel::prefetchRow(Value tile, Value row) {
  constexpr int64_t lineBits = 64 * 8, localityInL2 = 2;
  auto type = cast<MemRefType>(tile.getType());
  int64_t bits = type.getElementTypeBitWidth(), width = type.getDimSize(1);
  Value ahead =
      k.add(row, std::max<int64_t>(1, 8 * kBytesAhead / (width * bits)));
  for (int64_t d = 0; d < width; d += lineBits / bits)
    memref::PrefetchOp::create(k.b, k.loc, tile, ValueRange{ahead, k.index(d)},
                               /*isWrite=*/false, localityInL2,
                               /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Scores and weights
//===----------------------------------------------------------------------===//

/// `sums` of each of `keyRows`, and vector `v` of query . key for it.
SmallVector<Value> RowAttentionKernel::addDots(Value row,
                                               ArrayRef<Value> keyRows,
                                               Value column, int64_t lanes,
                                               ValueRange sums) {
  SmallVector<Value> next;
  Value element = k.load(query, {row, column});
  for (auto [keyRow, sum] : llvm::zip_equal(keyRows, sums)) {
    Value key = loadFront(k, keys, {keyRow, column}, lanes);
    next.push_back(k.fma(element, key, sum));
  }
  return next;
}

/// query . key of each of `keyRows`, as many as lanes.
Value RowAttentionKernel::multiply(Value row, ArrayRef<Value> keyRows) {
  constexpr int64_t mostUnrolled = 8;
  SmallVector<Value> sums(keyRows.size(), k.splat(0.0));
  int64_t whole = headDim / k.lanes;
  sums = k.unrolledLoop(whole, std::min(whole, mostUnrolled), sums,
                        [&](Value v, ValueRange carried) {
                          return addDots(row, keyRows, k.times(v, k.lanes),
                                         k.lanes, carried);
                        });
  if (headDim % k.lanes)
    sums = addDots(row, keyRows, k.index(whole * k.lanes), headDim % k.lanes,
                   sums);
  return sumEach(k, sums);
}

/// Scores of as many keys as lanes from `firstKey` on. `clamped`: keys beyond
/// the last repeat it, so that nothing is read out of bounds, and score -inf.
void RowAttentionKernel::scoreBlock(Value firstKey, bool clamped) {
  SmallVector<Value> keyRows;
  Value last = k.add(numKeys, -1);
  for (int64_t i = 0; i < k.lanes; ++i) {
    Value row = k.add(firstKey, i);
    prefetchRow(op.getKey(), row);
    if (clamped)
      row = arith::MinSIOp::create(k.b, k.loc, row, last);
    keyRows.push_back(row);
  }
  Value index = k.add(laneNumbers(k), k.splat(firstKey)), isInside;
  if (clamped) {
    isInside = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::slt,
                                     index, k.splat(numKeys));
    index = arith::MinSIOp::create(k.b, k.loc, index, k.splat(last));
  }
  forEachRow([&](Value row) {
    Value score = multiply(row, keyRows);
    if (ScoreVectorizer::isNeeded(op))
      score = ScoreVectorizer(k, op, row).apply(score, 0, index);
    if (clamped)
      score = k.select(isInside, score, k.splat(-INFINITY));
    k.store(score, scores, {row, firstKey});
    SmallVector<Value> at = {row, k.index(0)};
    k.store(k.max(score, k.load(maxima, at)), maxima, at);
  });
}

/// Scores of a row to weights in place; its maximum, sum and correction.
void RowAttentionKernel::exponentiate(Value row) {
  constexpr double log2e = 1.4426950408889634074;
  Value max = maxOf(k, k.load(maxima, {row, k.index(0)}));
  // Without any key so far the shift must not be -inf - -inf.
  Value safeMax =
      k.select(k.isEqual(max, k.splat(-INFINITY)), k.splat(0.0), max);
  Value oldMax = k.splat(k.loadScalar(op.getMax(), row));
  Value difference = arith::SubFOp::create(k.b, k.loc, oldMax, safeMax);
  Value correction = k.exp2(k.mul(difference, k.splat(log2e)));
  Value shift = k.mul(safeMax, k.splat(-log2e));
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> scaled;
    SmallVector<SmallVector<Value>> at;
    for (int64_t i = 0; i < count; ++i) {
      at.push_back({row, k.times(k.add(first, i), k.lanes)});
      scaled.push_back(k.fma(k.load(scores, at[i]), k.splat(log2e), shift));
    }
    Value sum = carried[0];
    for (auto [weight, at] : llvm::zip_equal(k.exp2(scaled), at)) {
      k.store(weight, scores, at);
      sum = k.plus(sum, weight);
    }
    return SmallVector<Value>{sum};
  };
  Value vectors =
      arith::CeilDivSIOp::create(k.b, k.loc, numKeys, k.index(k.lanes));
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
}

//===----------------------------------------------------------------------===//
// Products of weights and values
//===----------------------------------------------------------------------===//

SmallVector<Value> RowAttentionKernel::loadAcc(const Chunk &chunk) {
  SmallVector<Value> acc;
  for (int64_t i = 0; i < chunk.rows; ++i)
    for (int64_t v = 0; v < chunk.count; ++v)
      acc.push_back(
          loadVector(op.getAcc(), k.add(chunk.firstRow, i), chunk.first + v));
  return acc;
}

void RowAttentionKernel::storeAcc(ValueRange acc, const Chunk &chunk) {
  for (int64_t i = 0; i < chunk.rows; ++i)
    for (int64_t v = chunk.first; v < chunk.first + chunk.count; ++v)
      storeFront(k, acc[i * chunk.count + v - chunk.first], op.getAcc(),
                 {k.add(chunk.firstRow, i), k.index(v * k.lanes)},
                 countLanes(v, valueDim));
}

/// acc of all rows times what the new maxima make of it.
void RowAttentionKernel::correctAcc() {
  forEachRow([&](Value row) {
    Value correction = k.splat(k.loadScalar(corrections, row));
    for (int64_t v = 0; v < countVectors(valueDim); ++v) {
      Value acc = k.mul(loadVector(op.getAcc(), row, v), correction);
      storeAcc(acc, {row, 1, v, 1});
    }
  });
}

/// `sums` and the products of the weights and the value of key `key` of `keys`.
SmallVector<Value> RowAttentionKernel::addProducts(const Chunk &chunk,
                                                   const KeyBlock &keys,
                                                   Value key, ValueRange sums) {
  SmallVector<Value> next(sums), value;
  for (int64_t v = 0; v < chunk.count; ++v)
    value.push_back(
        loadVector(keys.values, k.add(keys.firstValue, key), chunk.first + v));
  for (int64_t i = 0; i < chunk.rows; ++i) {
    SmallVector<Value> at = {k.add(chunk.firstRow, i), k.add(keys.first, key)};
    Value weight = k.splat(k.loadScalar(scores, at));
    for (int64_t v = 0; v < chunk.count; ++v) {
      Value &sum = next[i * chunk.count + v];
      sum = k.fma(weight, value[v], sum);
    }
  }
  return next;
}

void RowAttentionKernel::accumulate(const Chunk &chunk, const KeyBlock &keys) {
  // Fewer sums than an FMA's latency times two would wait for each other: then
  // consecutive keys add to sums of their own.
  constexpr int64_t mostInFlight = 8, unroll = 4;
  SmallVector<Value> sums = loadAcc(chunk);
  int64_t size = sums.size();
  int64_t sets =
      std::min<int64_t>(unroll, llvm::divideCeil(mostInFlight, size));
  sums.append((sets - 1) * size, k.splat(0.0));
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> next(carried);
    for (int64_t i = 0; i < count; ++i) {
      if (mostRows == 1 && chunk.first == 0 && count > 1)
        prefetchRow(op.getValue(), k.add(first, i));
      MutableArrayRef<Value> set =
          MutableArrayRef(next).slice(i % sets * size, size);
      llvm::copy(
          addProducts(chunk, keys, k.add(first, i), SmallVector<Value>(set)),
          set.begin());
    }
    return next;
  };
  sums = k.loopBySteps(keys.count, unroll, sums, step);
  for (int64_t set = 1; set < sets; ++set)
    for (int64_t i = 0; i < size; ++i)
      sums[i] = k.plus(sums[i], sums[set * size + i]);
  sums.truncate(size);
  if (!hasZeroWeights)
    return storeAcc(sums, chunk);
  // 0 * x is not 0 where x is NaN or Inf: then once more, with care.
  k.ifThenElse(
      isAnyNaN(k, sums), [&] { accumulateSkippingZeros(chunk, keys); },
      [&] { storeAcc(sums, chunk); });
}

/// As accumulate, one key at a time: a weight of 0 takes nothing from a value,
/// not even NaN.
void RowAttentionKernel::accumulateSkippingZeros(const Chunk &chunk,
                                                 const KeyBlock &keys) {
  Value zero = k.splat(0.0);
  auto step = [&](Value key, ValueRange carried) {
    SmallVector<Value> next = addProducts(chunk, keys, key, carried);
    for (int64_t i = 0; i < chunk.rows; ++i) {
      SmallVector<Value> at = {k.add(chunk.firstRow, i),
                               k.add(keys.first, key)};
      Value hidden = k.isEqual(k.splat(k.loadScalar(scores, at)), zero);
      for (int64_t v = i * chunk.count; v < (i + 1) * chunk.count; ++v)
        next[v] = k.select(hidden, carried[v], next[v]);
    }
    return next;
  };
  storeAcc(k.loop(k.index(0), keys.count, 1, loadAcc(chunk), step), chunk);
}

void RowAttentionKernel::accumulateRows(Value firstRow, int64_t rows,
                                        const KeyBlock &keys) {
  int64_t vectors = countVectors(valueDim);
  int64_t chunks = llvm::divideCeil(vectors, kMostVectors);
  for (int64_t i = 0; i < chunks; ++i) {
    int64_t first = vectors * i / chunks;
    accumulate({firstRow, rows, first, vectors * (i + 1) / chunks - first},
               keys);
  }
}

/// Blocks of rows share a value while it is in registers.
void RowAttentionKernel::accumulateKeys(const KeyBlock &keys) {
  int64_t vectors = std::min(kMostVectors, countVectors(valueDim));
  int64_t block = std::clamp<int64_t>(registers / 2 / vectors, 1, 4);
  if (block > mostRows || (mostRows % block && mostRows % 2 == 0))
    block = std::min<int64_t>(block, 2);
  if (mostRows == 1 || block == 1)
    return forEachRow([&](Value row) { accumulateRows(row, 1, keys); });
  Value left = k.b.createOrFold<arith::RemSIOp>(k.loc, rows, k.index(block));
  Value end = k.b.createOrFold<arith::SubIOp>(k.loc, rows, left);
  k.forEach(k.index(0), end, block,
            [&](Value row) { accumulateRows(row, block, keys); });
  k.forEach(end, rows, 1, [&](Value row) { accumulateRows(row, 1, keys); });
}

/// One row takes all keys at once; several take blocks of keys, whose values
/// stay in L1, narrow ones as wide ones in scratch.
void RowAttentionKernel::accumulateAll() {
  Value zero = k.index(0);
  if (mostRows == 1)
    return accumulateKeys({zero, numKeys, values, zero});
  constexpr int64_t block = 16;
  bool isNarrow =
      cast<MemRefType>(values.getType()).getElementType() != k.element;
  Value wide;
  if (isNarrow)
    wide = k.scratch({block, countVectors(valueDim) * k.lanes});
  k.forEach(zero, numKeys, block, [&](Value first) {
    Value left = arith::SubIOp::create(k.b, k.loc, numKeys, first);
    Value count = arith::MinSIOp::create(k.b, k.loc, left, k.index(block));
    k.forEach(zero, count, 1, [&](Value key) {
      Value row = k.add(first, key);
      prefetchRow(op.getValue(), row);
      for (int64_t v = 0; isNarrow && v < countVectors(valueDim); ++v)
        k.store(loadVector(values, row, v), wide, {key, k.index(v * k.lanes)});
    });
    if (isNarrow)
      accumulateKeys({first, count, wide, zero});
    else
      accumulateKeys({first, count, values, first});
  });
}

void RowAttentionKernel::build() {
  prepare();
  forEachRow([&](Value row) {
    k.store(k.splat(k.loadScalar(op.getMax(), row)), maxima, {row, k.index(0)});
  });
  int64_t extent = cast<MemRefType>(op.getKey().getType()).getDimSize(0);
  bool clamped = ShapedType::isDynamic(extent) || extent % k.lanes != 0;
  k.forEach(k.index(0), numKeys, k.lanes,
            [&](Value key) { scoreBlock(key, clamped); });
  forEachRow([&](Value row) { exponentiate(row); });
  correctAcc();
  accumulateAll();
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

LogicalResult lattn::lowerRowAttention(RewriterBase &rewriter,
                                       OnlineAttentionOp op, VectorUnit unit,
                                       KernelFunctions &functions) {
  if (op.getProducts() != Products::Widened)
    return rewriter.notifyMatchFailure(op, "its products are not widened");
  if (cast<MemRefType>(op.getQuery().getType()).isDynamicDim(1))
    return rewriter.notifyMatchFailure(op, "its head size is not known");
  for (Value operand : {op.getAcc(), op.getMax(), op.getSum()}) {
    auto type = cast<MemRefType>(operand.getType());
    if (!type.hasStaticShape() || !type.isLastDimUnitStride())
      return rewriter.notifyMatchFailure(
          op, "its state is no array of a known size and unit stride");
  }
  FailureOr<int64_t> maxKeys = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB, {op.getKey(), 0}, /*stopCondition=*/nullptr,
      /*closedUB=*/true);
  if (failed(maxKeys))
    return rewriter.notifyMatchFailure(op, "has no bound on its keys");
  functions.outline(
      rewriter, op, "lattn_online_attention_rows", *maxKeys,
      [&](Operation *copy) {
        rewriter.setInsertionPoint(copy);
        Type element = op.getAccumulatorType();
        KernelBuilder k(rewriter, op.getLoc(), element, unit.getLanes(element));
        RowAttentionKernel(k, functions, cast<OnlineAttentionOp>(copy),
                           unit.registers, std::max<int64_t>(*maxKeys, 1))
            .build();
      });
  return success();
}

//===- OnlineAttentionRowValues.cpp - Weights and values of few queries ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnlineAttentionRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace lattn;

/// acc of all rows times what the new maxima make of it.
void RowAttentionKernel::correctAcc() {
  forEachRow([&](Value row) {
    Value correction = k.splat(k.loadScalar(corrections, row));
    for (int64_t v = 0; v < countVectors(valueDim); ++v) {
      Chunk vector = {row, 1, k.index(v * k.lanes), 1, countLanes(v, valueDim)};
      Value acc = rowSums.load(op.getAcc(), vector).front();
      rowSums.store(k.mul(acc, correction), op.getAcc(), vector);
    }
  });
}

/// `sums` and the products of the weights and the value of key `key` of `keys`.
SmallVector<Value> RowAttentionKernel::addProducts(const Chunk &chunk,
                                                   const KeyBlock &keys,
                                                   Value key, ValueRange sums) {
  BlockProduct product(k);
  SmallVector<Value> value =
      rowSums.loadRow(keys.values, k.add(keys.firstValue, key), chunk);
  auto getWeight = [&](int64_t i) {
    return product.broadcast(
        scores, {k.add(chunk.firstRow, i), k.add(keys.first, key)});
  };
  return product.add(sums, getWeight, value);
}

/// The same of the two keys of `pair`, in bf16.
SmallVector<Value> RowAttentionKernel::addPairs(const Chunk &chunk,
                                                const KeyBlock &keys,
                                                Value pair, ValueRange sums) {
  BlockProduct product(k, &pairProducts);
  SmallVector<Value> value;
  for (int64_t v = 0; v < chunk.vectors; ++v)
    value.push_back(
        product.load(keys.pairs, pair, k.add(chunk.column, v * k.lanes)));
  Value key = k.add(keys.first, product.getPlace(pair));
  auto getWeights = [&](int64_t i) {
    return product.broadcast(weights, {k.add(chunk.firstRow, i), key});
  };
  return product.add(sums, getWeights, value);
}

/// Prefetches the chunk's columns of the `count` values from `first` on of
/// those ahead. The blocks of queries that share values prefetch some of them
/// each, all of them for those of the block of keys that comes next.
void RowAttentionKernel::prefetchValues(const Chunk &chunk, const Ahead &ahead,
                                        Value first, int64_t count) {
  int64_t left = *getConstantIntValue(chunk.column);
  int64_t right = left + chunk.vectors * k.lanes;
  auto prefetch = [&](Value from, int64_t count) {
    Value at = arith::AddIOp::create(k.b, k.loc, ahead.first, from);
    for (int64_t i = 0; i < count; ++i)
      prefetchColumns(ahead.matrix, k.add(at, i), left,
                      std::min(right, valueDim));
  };
  constexpr int64_t rowsOfShare = 4;
  int64_t blocks = llvm::divideCeil(mostRows, rowsOfShare);
  if (blocks == 1)
    return prefetch(first, count);
  Value isOnly = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ule,
                                       rows, k.index(rowsOfShare));
  int64_t share = llvm::divideCeil(count, blocks);
  k.ifThenElse(
      isOnly,
      [&] {
        Value isFirst = arith::CmpIOp::create(
            k.b, k.loc, arith::CmpIPredicate::eq, chunk.firstRow, k.index(0));
        k.ifThenElse(isFirst, [&] { prefetch(first, count); });
      },
      [&] {
        Value block = arith::DivUIOp::create(k.b, k.loc, chunk.firstRow,
                                             k.index(rowsOfShare));
        prefetch(k.add(first, k.times(block, share)), share);
      });
}

/// acc, and zeros. Fewer sums than an FMA's latency times two would wait for
/// each other: then consecutive keys add to sums of their own.
SmallVector<Value> RowAttentionKernel::startSums(const Chunk &chunk) {
  constexpr int64_t mostInFlight = 8, mostSets = 4;
  SmallVector<Value> sums = rowSums.load(op.getAcc(), chunk);
  int64_t size = sums.size();
  int64_t sets =
      std::min<int64_t>(mostSets, llvm::divideCeil(mostInFlight, size));
  sums.append((sets - 1) * size, k.splat(0.0));
  return sums;
}

/// `sums` and the products of the weights and values of `keys`.
SmallVector<Value> RowAttentionKernel::addKeys(const Chunk &chunk,
                                               const KeyBlock &keys,
                                               ValueRange sums) {
  int64_t size = chunk.rows * chunk.vectors, sets = sums.size() / size;
  Ahead ahead;
  if (keys.ahead)
    ahead = getAhead(*keys.ahead, keys.values, keys.firstValue);
  auto step = [&](Value first, int64_t count, ValueRange carried) {
    SmallVector<Value> next(carried);
    int64_t keysOfStep = keys.pairs ? 2 : 1;
    if (count > 1 && keys.ahead) {
      // One row goes through all keys of a page at once.
      Value from = k.times(first, keysOfStep);
      if (mostRows == 1 && op.getPages())
        ahead = getAhead(*keys.ahead, keys.values, from), from = k.index(0);
      prefetchValues(chunk, ahead, from, count * keysOfStep);
    }
    for (int64_t i = 0; i < count; ++i) {
      MutableArrayRef<Value> set =
          MutableArrayRef(next).slice(i % sets * size, size);
      Value at = k.add(first, i);
      SmallVector<Value> added(set);
      llvm::copy(keys.pairs ? addPairs(chunk, keys, at, added)
                            : addProducts(chunk, keys, at, added),
                 set.begin());
    }
    return next;
  };
  Value count = keys.count;
  if (keys.pairs)
    count =
        k.b.createOrFold<arith::DivUIOp>(k.loc, k.add(count, 1), k.index(2));
  return k.loopBySteps(count, std::max<int64_t>(2, sets), sums, step);
}

/// Stores `sums` in acc. 0 * x is not 0 where x is NaN or Inf: then once more,
/// with care.
void RowAttentionKernel::finishSums(const Chunk &chunk, SmallVector<Value> sums,
                                    function_ref<void()> repeatSkippingZeros) {
  size_t size = chunk.rows * chunk.vectors;
  for (size_t i = size; i < sums.size(); ++i)
    sums[i % size] = k.plus(sums[i % size], sums[i]);
  sums.truncate(size);
  if (!hasZeroWeights)
    return rowSums.store(sums, op.getAcc(), chunk);
  k.ifThenElse(isAnyNaN(k, sums), repeatSkippingZeros,
               [&] { rowSums.store(sums, op.getAcc(), chunk); });
}

/// Adds the products of the weights and values of `keys` to acc. A weight of 0
/// takes nothing from a value, not even NaN.
void RowAttentionKernel::accumulateSkippingZeros(const Chunk &chunk,
                                                 const KeyBlock &keys) {
  RowSum sum = {op.getAcc(),
                scores,
                getRows(k, keys.values, keys.firstValue, keys.count),
                /*areColumns=*/false,
                rows,
                keys.count,
                valueDim};
  sum.firstTerm = keys.first;
  rowSums.addSkippingZeros(sum, chunk);
}

void RowAttentionKernel::accumulateRows(Value firstRow, int64_t rows,
                                        const KeyBlock &keys) {
  int64_t most = chooseFewQueriesBlock(registers, rows).vectors;
  for (const Chunk &chunk : rowSums.makeBlocks(firstRow, rows, valueDim, most))
    finishSums(chunk, addKeys(chunk, keys, startSums(chunk)),
               [&] { accumulateSkippingZeros(chunk, keys); });
}

/// One row takes all keys at once: its sums stay in registers.
void RowAttentionKernel::accumulateOneRow(Value tile) {
  auto getKeys = [&](const Stretch &stretch) -> KeyBlock {
    return {stretch.first, stretch.count, stretch.rows,
            k.index(0),    Value(),       &stretch.ahead};
  };
  int64_t distance = countValuesAhead();
  int64_t most = chooseFewQueriesBlock(registers, 1).vectors;
  for (const Chunk &chunk : rowSums.makeBlocks(k.index(0), 1, valueDim, most)) {
    SmallVector<Value> sums =
        forEachStretch(tile, distance, startSums(chunk),
                       [&](const Stretch &stretch, ValueRange carried) {
                         return addKeys(chunk, getKeys(stretch), carried);
                       });
    finishSums(chunk, sums, [&] {
      forEachStretch(tile, distance, [&](const Stretch &stretch) {
        accumulateSkippingZeros(chunk, getKeys(stretch));
      });
    });
  }
}

/// Blocks of rows share a value while it is in registers.
void RowAttentionKernel::accumulateKeys(const KeyBlock &keys) {
  int64_t block = chooseFewQueriesBlock(registers, mostRows).rows;
  Value left = k.b.createOrFold<arith::RemSIOp>(k.loc, rows, k.index(block));
  Value end = k.b.createOrFold<arith::SubIOp>(k.loc, rows, left);
  k.forEach(k.index(0), end, block,
            [&](Value row) { accumulateRows(row, block, keys); });
  k.forEach(end, rows, 1, [&](Value row) { accumulateRows(row, 1, keys); });
}

/// Keys whose values become pairs of two keys each at a time.
static constexpr int64_t kKeysInPairs = 32;

/// Keys whose values stay in L1 for several queries, narrow ones as wide ones
/// in scratch.
int64_t RowAttentionKernel::countKeysOfBlock() {
  constexpr int64_t bytes = 16 * 1024, few = 16, most = 64;
  if (byPairs)
    return kKeysInPairs;
  if (getElementTypeOrSelf(op.getValue().getType()) != k.element)
    return few;
  int64_t width = countVectors(valueDim) * k.lanes;
  int64_t rowBytes = width * k.element.getIntOrFloatBitWidth() / 8;
  return std::clamp<int64_t>(llvm::bit_floor(uint64_t(bytes / rowBytes)), few,
                             most);
}

/// How many keys further on values are prefetched.
int64_t RowAttentionKernel::countValuesAhead() {
  constexpr int64_t bytesAhead = 16 * 1024;
  Type element = getElementTypeOrSelf(op.getValue().getType());
  if (byPairs)
    return std::max<int64_t>(kKeysInPairs,
                             8 * bytesAhead /
                                 (valueDim * element.getIntOrFloatBitWidth()));
  if (mostRows == 1 || element != k.element)
    return countRowsAhead(op.getValue());
  return countKeysOfBlock();
}

/// How many keys of a stretch a block of at most `block` has from `first` on.
Value RowAttentionKernel::countOfBlock(const Stretch &stretch, Value first,
                                       int64_t block) {
  if (getConstantIntValue(stretch.count).value_or(1) % block == 0)
    return k.index(block);
  Value left = arith::SubIOp::create(k.b, k.loc, stretch.count, first);
  return arith::MinSIOp::create(k.b, k.loc, left, k.index(block));
}

/// Several rows take blocks of keys.
void RowAttentionKernel::accumulateStretch(const Stretch &stretch) {
  Value zero = k.index(0), values = stretch.rows;
  bool isNarrow =
      cast<MemRefType>(values.getType()).getElementType() != k.element;
  int64_t width = countVectors(valueDim) * k.lanes, block = countKeysOfBlock();
  Value wide;
  if (isNarrow)
    wide = k.scratch({block, width});
  k.forEach(zero, stretch.count, block, [&](Value first) {
    Value count = countOfBlock(stretch, first, block);
    Value firstKey = k.add(stretch.first, first);
    if (!isNarrow)
      return accumulateKeys(
          {firstKey, count, values, first, Value(), &stretch.ahead});
    k.forEach(zero, count, 1, [&](Value key) {
      Value row = k.add(first, key);
      Ahead next = getAhead(stretch.ahead, values, row);
      prefetchColumns(next.matrix, next.first, 0, valueDim);
      for (int64_t v = 0; v < countVectors(valueDim); ++v)
        k.store(loadVector(values, row, v), wide, {key, k.index(v * k.lanes)});
    });
    accumulateKeys({firstKey, count, wide, zero, Value(), nullptr});
  });
}

/// Room for values in pairs. What the last vector lacks stays 0.
Value RowAttentionKernel::allocatePairs() {
  int64_t rows = kKeysInPairs / 2;
  Value packed = k.scratch({rows, 2 * countVectors(valueDim) * k.lanes},
                           k.b.getBF16Type());
  if (valueDim % k.lanes == 0)
    return packed;
  auto type = VectorType::get(2 * k.lanes, k.b.getBF16Type());
  Value none = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  k.forEach(k.index(0), k.index(rows), 1, [&](Value row) {
    k.store(none, packed,
            {row, k.index(2 * (countVectors(valueDim) - 1) * k.lanes)});
  });
  return packed;
}

/// Blocks of keys whose values become pairs, once for all rows.
void RowAttentionKernel::accumulatePairs(const Stretch &stretch, Value packed) {
  constexpr int64_t block = kKeysInPairs;
  Value values = stretch.rows, zero = k.index(0);
  k.forEach(zero, stretch.count, block, [&](Value first) {
    Value count = countOfBlock(stretch, first, block);
    Value rows = memref::SubViewOp::create(
        k.b, k.loc, values, SmallVector<OpFoldResult>{first, zero},
        SmallVector<OpFoldResult>{count, k.b.getIndexAttr(valueDim)},
        SmallVector<OpFoldResult>(2, k.b.getIndexAttr(1)));
    pairProducts.packValues(rows, count, packed);
    accumulateKeys({k.add(stretch.first, first), count, values, first, packed,
                    &stretch.ahead});
  });
}

//===- OnlineAttentionValues.cpp - Products of weights and values ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnlineAttentionKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

void OnlineAttentionKernel::accumulateBlock(Value firstValue, int64_t rows,
                                            ArrayRef<Value> correction) {
  SmallVector<Value> acc;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v)
      acc.push_back(
          k.mul(k.load(op.getAcc(), {k.add(firstValue, i), column(v)}),
                correction[v]));
  BlockProduct product(k, pairs);
  auto addStep = [&](Value step, ValueRange carried) {
    SmallVector<Value> weights = perVector([&](int64_t v) {
      return product.load(pairs ? weightPairs : scores, step, scratchColumn(v));
    });
    auto getValue = [&](int64_t i) {
      Value at = product.getPlace(k.add(firstValue, i));
      return product.broadcast(pairs ? valuePairs : values, {step, at});
    };
    return product.add(carried, getValue, weights);
  };
  acc = k.loop(k.index(0), product.countSteps(numKeys), 1, acc, addStep);
  storeAcc(acc, firstValue, rows, correction);
}

void OnlineAttentionKernel::storeAcc(ArrayRef<Value> acc, Value firstValue,
                                     int64_t rows, ArrayRef<Value> correction) {
  auto store = [&] {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t v = 0; v < vectors; ++v)
        k.store(acc[i * vectors + v], op.getAcc(),
                {k.add(firstValue, i), column(v)});
  };
  if (!hasZeroWeights)
    return store();
  // 0 * x is not 0 where x is NaN or Inf: then once more, with care.
  k.ifThenElse(
      isAnyNaN(k, acc),
      [&] { accumulateSkippingZeros(firstValue, rows, correction); }, store);
}

void OnlineAttentionKernel::accumulate(ArrayRef<Value> correction) {
  // Fewer sums than an FMA's latency times two wait for each other: then the
  // rest shares the rows of the block before it.
  constexpr int64_t mostInFlight = 8;
  int64_t rest = valueDim % block, whole = valueDim - rest, half = 0;
  if (rest && rest * vectors < mostInFlight && whole) {
    whole -= block;
    half = (rest + block + 1) / 2;
    rest += block - half;
  }
  k.forEach(k.index(0), k.index(whole), block,
            [&](Value first) { accumulateBlock(first, block, correction); });
  if (half)
    accumulateBlock(k.index(whole), half, correction);
  if (rest)
    accumulateBlock(k.index(whole + half), rest, correction);
}

/// As accumulateBlock, one key and value at a time: a weight of 0 takes nothing
/// from a value, not even NaN.
void OnlineAttentionKernel::accumulateSkippingZeros(
    Value firstValue, int64_t rows, ArrayRef<Value> correction) {
  Value zero = k.splat(0.0);
  Value end = k.add(firstValue, rows);
  k.forEach(firstValue, end, 1, [&](Value d) {
    SmallVector<Value> acc = perVector([&](int64_t v) {
      return k.mul(k.load(op.getAcc(), {d, column(v)}), correction[v]);
    });
    acc =
        k.loop(k.index(0), numKeys, 1, acc, [&](Value key, ValueRange carried) {
          Value scalar = k.loadScalar(values, {key, d});
          Value value = k.splat(convertFloat(k, scalar, k.element));
          return perVector([&](int64_t v) {
            Value weight = k.load(scores, {key, scratchColumn(v)});
            Value hidden = k.isEqual(weight, zero);
            Value product = k.select(hidden, zero, k.mul(weight, value));
            return k.plus(carried[v], product);
          });
        });
    for (int64_t v = 0; v < vectors; ++v)
      k.store(acc[v], op.getAcc(), {d, column(v)});
  });
}

//===- AttentionGradPairs.cpp - Gradients by products of pairs of bf16 ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The products of AttentionGradProducts.cpp, two terms at a time: features of a
// score, queries or keys of a sum.

#include "AttentionGradProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

SmallVector<Value> AttentionGradProducts::addPairsOfFeatures(
    Value keys, const Factors &product, ArrayRef<Value> rows, ValueRange sums) {
  int64_t width = product.keys.width;
  auto add = [&](Value pair, bool isLast, ValueRange carried) {
    SmallVector<Value> next(carried), columns;
    for (int64_t v = 0; v < block.vectors; ++v) {
      Value at = column(v);
      columns.push_back(
          pairs->loadPairs(product.packed, {pair, k.add(at, at)}));
    }
    Value d = k.add(pair, pair);
    for (auto [i, row] : llvm::enumerate(rows)) {
      Value x = pairs->splatPair(keys, {row, d}, isLast);
      for (int64_t v = 0; v < block.vectors; ++v) {
        Value &sum = next[i * block.vectors + v];
        sum = pairs->dot(sum, columns[v], x);
      }
    }
    return next;
  };
  SmallVector<Value> next =
      k.unrolledLoop(width / 2, 4, sums, [&](Value i, ValueRange carried) {
        return add(i, /*isLast=*/false, carried);
      });
  return width % 2 ? add(k.index(width / 2), /*isLast=*/true, next) : next;
}

Value AttentionGradProducts::packPairs(Value matrix, Value rows,
                                       int64_t mostRows) {
  int64_t width = cast<MemRefType>(matrix.getType()).getDimSize(1);
  auto narrow = VectorType::get(k.lanes, k.b.getBF16Type());
  Value target = k.scratch({int64_t(llvm::divideCeil(mostRows, 2)),
                            2 * int64_t(llvm::alignTo(width, k.lanes))},
                           k.b.getBF16Type());
  pairs->forEachPair(rows, [&](Value row, Value first, Value second) {
    for (int64_t d = 0; d < width; d += k.lanes) {
      int64_t count = std::min(k.lanes, width - d);
      auto load = [&](Value from) -> Value {
        return from ? loadFront(k, matrix, {from, k.index(d)}, count, narrow)
                    : Value();
      };
      k.store(pairs->pair(load(first), load(second)), target,
              {row, k.index(2 * d)});
    }
  });
  return target;
}

SmallVector<Value> AttentionGradProducts::addPairOfTerms(const Sum &sum,
                                                         const Block &block,
                                                         Value pair,
                                                         ValueRange sums) {
  SmallVector<Value> next(sums), row;
  for (int64_t v = block.first; v < block.first + block.vectors; ++v)
    row.push_back(
        pairs->loadPairs(sum.matrixPairs, {pair, k.index(2 * v * k.lanes)}));
  for (int64_t i = 0; i < block.rows; ++i) {
    Value at = k.add(block.firstRow, i);
    SmallVector<Value> indices = {at, k.add(pair, pair)};
    if (sum.areColumns)
      indices = {pair, k.add(at, at)};
    Value weight = pairs->splatPair(sum.weightPairs, indices);
    for (int64_t v = 0; v < block.vectors; ++v) {
      Value &total = next[i * block.vectors + v];
      total = pairs->dot(total, weight, row[v]);
    }
  }
  return next;
}

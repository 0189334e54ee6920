//===- AttentionGradProducts.cpp - Sums of attention_grad_step ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Register blocks of rows x vectors of features. A weight is broadcast; rows of
// the matrix are read as vectors, where they lie.

#include "AttentionGradKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

Value AttentionGradKernel::loadWeight(const Sum &sum, const Block &block,
                                      int64_t row, Value term) {
  Value at = k.add(block.firstRow, row);
  SmallVector<Value> indices = {at, term};
  if (sum.areColumns)
    std::swap(indices[0], indices[1]);
  return k.splat(k.loadScalar(sum.weights, indices));
}

SmallVector<Value> AttentionGradKernel::loadSums(const Sum &sum,
                                                 const Block &block) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = block.first; v < block.first + block.vectors; ++v)
      sums.push_back(loadFront(k, sum.target,
                               {k.add(block.firstRow, i), k.index(v * k.lanes)},
                               countLanes(sum, v)));
  return sums;
}

void AttentionGradKernel::storeSums(ArrayRef<Value> values, const Sum &sum,
                                    const Block &block) {
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = 0; v < block.vectors; ++v)
      storeFront(
          k, values[i * block.vectors + v], sum.target,
          {k.add(block.firstRow, i), k.index((block.first + v) * k.lanes)},
          countLanes(sum, block.first + v));
}

/// `sums` and the products with row `term` of the matrix.
SmallVector<Value> AttentionGradKernel::addTerm(const Sum &sum,
                                                const Block &block, Value term,
                                                ValueRange sums) {
  SmallVector<Value> next(sums), row;
  for (int64_t v = block.first; v < block.first + block.vectors; ++v)
    row.push_back(loadFront(k, sum.matrix, {term, k.index(v * k.lanes)},
                            countLanes(sum, v)));
  for (int64_t i = 0; i < block.rows; ++i) {
    Value weight = loadWeight(sum, block, i, term);
    for (int64_t v = 0; v < block.vectors; ++v) {
      Value &total = next[i * block.vectors + v];
      total = k.fma(weight, row[v], total);
    }
  }
  return next;
}

/// One term at a time: a weight of 0 takes nothing, not even NaN.
void AttentionGradKernel::addSkippingZeros(const Sum &sum, const Block &block) {
  Value zero = k.splat(0.0);
  auto step = [&](Value term, ValueRange carried) {
    SmallVector<Value> next = addTerm(sum, block, term, carried);
    for (int64_t i = 0; i < block.rows; ++i) {
      Value none = k.isEqual(loadWeight(sum, block, i, term), zero);
      for (int64_t v = i * block.vectors; v < (i + 1) * block.vectors; ++v)
        next[v] = k.select(none, carried[v], next[v]);
    }
    return next;
  };
  storeSums(k.loop(k.index(0), sum.terms, 1, loadSums(sum, block), step), sum,
            block);
}

void AttentionGradKernel::addRows(const Sum &sum, Value firstRow,
                                  int64_t rows) {
  constexpr int64_t unroll = 4;
  int64_t most = unit.registers >= 32 ? 4 : 2;
  int64_t vectors = llvm::divideCeil(sum.width, k.lanes);
  int64_t chunks = llvm::divideCeil(vectors, most);
  for (int64_t i = 0; i < chunks; ++i) {
    int64_t first = vectors * i / chunks;
    Block block = {firstRow, rows, first, vectors * (i + 1) / chunks - first};
    auto step = [&](Value term, int64_t count, ValueRange carried) {
      SmallVector<Value> sums(carried);
      for (int64_t j = 0; j < count; ++j)
        sums = addTerm(sum, block, k.add(term, j), sums);
      return sums;
    };
    SmallVector<Value> sums =
        k.loopBySteps(sum.terms, unroll, loadSums(sum, block), step);
    if (!hasZeroWeights) {
      storeSums(sums, sum, block);
      continue;
    }
    // 0 * x is not 0 where x is NaN or Inf: then once more, with care.
    k.ifThenElse(
        isAnyNaN(k, sums), [&] { addSkippingZeros(sum, block); },
        [&] { storeSums(sums, sum, block); });
  }
}

/// `tileRows`: rows of a whole tile.
void AttentionGradKernel::addProducts(const Sum &sum, int64_t tileRows) {
  // Beside the sums: a row of vectors, and a broadcast.
  int64_t most = unit.registers >= 32 ? 4 : 2;
  int64_t vectors =
      std::min<int64_t>(most, llvm::divideCeil(sum.width, k.lanes));
  int64_t rows =
      std::clamp<int64_t>((unit.registers - vectors - 2) / vectors, 1, 12);
  // Rows that are left over go one at a time: whole tiles leave none, if half
  // as many rows or more do that.
  for (int64_t fewer = rows; fewer >= std::max<int64_t>(1, rows / 2); --fewer)
    if (tileRows % fewer == 0) {
      rows = fewer;
      break;
    }
  rows = std::min(rows, tileRows);
  Value rest = k.b.createOrFold<arith::RemSIOp>(k.loc, sum.rows, k.index(rows));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, sum.rows, rest);
  k.forEach(k.index(0), whole, rows,
            [&](Value row) { addRows(sum, row, rows); });
  if (rows > 1)
    k.forEach(whole, sum.rows, 1, [&](Value row) { addRows(sum, row, 1); });
}

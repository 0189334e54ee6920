//===- AttentionGradProducts.cpp - Products of attention's derivatives ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Register blocks of rows x vectors of features. A weight is broadcast; rows of
// the matrix are read as vectors, where they lie.

#include "AttentionGradProducts.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn;

AttentionGradProducts::AttentionGradProducts(KernelBuilder &k,
                                             KernelFunctions &functions,
                                             AttentionOpInterface op,
                                             VectorUnit unit, int64_t queries,
                                             int64_t maxKeys)
    : k(k), functions(functions), unit(unit),
      block(chooseAttentionBlock(unit.bits, unit.registers, queries / k.lanes)),
      queries(queries), maxKeys(maxKeys),
      hasZeroWeights(op.hasMask() || op.getBias() || !op.getScore().empty()) {}

//===----------------------------------------------------------------------===//
// Products of rows and packed queries
//===----------------------------------------------------------------------===//

/// Rows at a distance that the code knows share a pointer. Without that, many
/// rows take so many instructions for addresses that FMAs wait.
AttentionGradProducts::KeyRows AttentionGradProducts::getKeyRows(Value tile) {
  KeyRows keys;
  Type element = pairs ? Type(k.b.getBF16Type()) : k.element;
  keys.any = stageRows(k, functions, tile, maxKeys, element);
  keys.width = cast<MemRefType>(keys.any.getType()).getDimSize(1);
  DenseRows dense = findDenseRows(k, keys.any);
  keys.dense = dense.rows ? dense.rows : keys.any;
  keys.isDense = dense.isDense ? dense.isDense
                               : arith::ConstantIntOp::create(k.b, k.loc, 1, 1);
  return keys;
}

SmallVector<Value> AttentionGradProducts::addBlock(Value keys,
                                                   const Factors &operands,
                                                   ArrayRef<Value> rows,
                                                   ValueRange sums) {
  BlockProduct product(k, pairs);
  int64_t width = operands.keys.width, terms = product.countTerms();
  auto add = [&](Value step, bool isLast, ValueRange carried) {
    SmallVector<Value> columns;
    for (int64_t v = 0; v < block.vectors; ++v)
      columns.push_back(product.load(operands.packed, step, column(v)));
    Value d = product.getPlace(step);
    auto getKey = [&](int64_t i) {
      return product.broadcast(keys, {rows[i], d}, isLast);
    };
    return product.add(carried, getKey, columns);
  };
  SmallVector<Value> next = k.unrolledLoop(
      width / terms, 4, sums, [&](Value step, ValueRange carried) {
        return add(step, /*isLast=*/false, carried);
      });
  return width % terms ? add(k.index(width / terms), /*isLast=*/true, next)
                       : next;
}

/// `clamped`: keys beyond the last repeat it, so that nothing is read out of
/// bounds; their products land in scratch that nobody reads.
void AttentionGradProducts::multiplyBlock(ArrayRef<Factors> products,
                                          Value target, Value firstKey,
                                          bool clamped, bool areScores) {
  SmallVector<Value> rows;
  for (int64_t i = 0; i < block.rows; ++i) {
    Value row = k.add(firstKey, i);
    if (clamped)
      row = arith::MinSIOp::create(k.b, k.loc, row, k.add(numKeys, -1));
    rows.push_back(row);
  }
  SmallVector<Value> sums(rows.size() * block.vectors, k.splat(0.0));
  for (const Factors &product : products) {
    const KeyRows &keys = product.keys;
    if (clamped) { // at most one block: not worth twice the code
      sums = addBlock(keys.any, product, rows, sums);
      continue;
    }
    auto added = scf::IfOp::create(
        k.b, k.loc, keys.isDense,
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(k.b, k.loc,
                               addBlock(keys.dense, product, rows, sums));
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(k.b, k.loc,
                               addBlock(keys.any, product, rows, sums));
        });
    sums.assign(added.result_begin(), added.result_end());
  }
  if (areScores && modify)
    modify->applyToBlock(sums, firstKey, rows);
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = 0; v < block.vectors; ++v)
      k.store(sums[i * block.vectors + v], target,
              {k.add(firstKey, i), column(v)});
}

void AttentionGradProducts::forEachBlock(
    int64_t rows, function_ref<void(Value key, bool clamped)> build) {
  Value rest = k.b.createOrFold<arith::RemSIOp>(k.loc, numKeys, k.index(rows));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, numKeys, rest);
  k.forEach(k.index(0), whole, rows,
            [&](Value key) { build(key, /*clamped=*/false); });
  k.forEach(whole, numKeys, rows, [&](Value key) { // at most one
    build(key, /*clamped=*/true);
  });
}

void AttentionGradProducts::multiplyKeys(ArrayRef<Factors> products,
                                         Value target, bool areScores) {
  forEachBlock(block.rows, [&](Value key, bool clamped) {
    multiplyBlock(products, target, key, clamped, areScores);
  });
}

//===----------------------------------------------------------------------===//
// Sums of rows
//===----------------------------------------------------------------------===//

/// The weights of a step in a block's row, on all lanes.
Value AttentionGradProducts::loadWeight(const BlockProduct &product,
                                        const Sum &sum, const Block &block,
                                        int64_t row, Value step) {
  Value at = k.add(block.firstRow, row);
  SmallVector<Value> indices = {at, product.getPlace(step)};
  if (sum.areColumns)
    indices = {step, product.getPlace(at)};
  return product.broadcast(
      product.countTerms() == 1 ? sum.weights : sum.weightPairs, indices);
}

SmallVector<Value> AttentionGradProducts::loadSums(const Sum &sum,
                                                   const Block &block) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = block.first; v < block.first + block.vectors; ++v)
      sums.push_back(loadFront(k, sum.target,
                               {k.add(block.firstRow, i), k.index(v * k.lanes)},
                               countLanes(sum, v)));
  return sums;
}

void AttentionGradProducts::storeSums(ArrayRef<Value> values, const Sum &sum,
                                      const Block &block) {
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = 0; v < block.vectors; ++v)
      storeFront(
          k, values[i * block.vectors + v], sum.target,
          {k.add(block.firstRow, i), k.index((block.first + v) * k.lanes)},
          countLanes(sum, block.first + v));
}

/// `sums` and the products with a step's rows of the matrix.
SmallVector<Value> AttentionGradProducts::addStep(const BlockProduct &product,
                                                  const Sum &sum,
                                                  const Block &block,
                                                  Value step, ValueRange sums) {
  SmallVector<Value> row;
  for (int64_t v = block.first; v < block.first + block.vectors; ++v) {
    Value at = k.index(v * k.lanes);
    row.push_back(product.countTerms() == 1
                      ? loadFront(k, sum.matrix, {step, at}, countLanes(sum, v))
                      : product.load(sum.matrixPairs, step, at));
  }
  auto getWeight = [&](int64_t i) {
    return loadWeight(product, sum, block, i, step);
  };
  return product.add(sums, getWeight, row);
}

/// A weight of 0 takes nothing, not even NaN.
void AttentionGradProducts::addSkippingZeros(const Sum &sum,
                                             const Block &block) {
  BlockProduct product(k); // a term at a time
  SmallVector<Value> sums = sumSkippingZeros(
      k, sum.terms, loadSums(sum, block), block.rows,
      [&](Value term, ValueRange carried) {
        return addStep(product, sum, block, term, carried);
      },
      [&](Value term, int64_t row) {
        return loadWeight(product, sum, block, row, term);
      });
  storeSums(sums, sum, block);
}

void AttentionGradProducts::addRows(const Sum &sum, Value firstRow,
                                    int64_t rows) {
  constexpr int64_t unroll = 4;
  BlockProduct product(k, pairs);
  int64_t most = unit.registers >= 32 ? 4 : 2;
  int64_t vectors = llvm::divideCeil(sum.width, k.lanes);
  int64_t chunks = llvm::divideCeil(vectors, most);
  for (int64_t i = 0; i < chunks; ++i) {
    int64_t first = vectors * i / chunks;
    Block block = {firstRow, rows, first, vectors * (i + 1) / chunks - first};
    auto addSteps = [&](Value step, int64_t count, ValueRange carried) {
      SmallVector<Value> sums(carried);
      for (int64_t j = 0; j < count; ++j)
        sums = addStep(product, sum, block, k.add(step, j), sums);
      return sums;
    };
    SmallVector<Value> sums = k.loopBySteps(
        product.countSteps(sum.terms), unroll, loadSums(sum, block), addSteps);
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
void AttentionGradProducts::addProducts(const Sum &sum, int64_t tileRows) {
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

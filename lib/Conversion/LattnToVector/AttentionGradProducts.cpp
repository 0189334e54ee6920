//===- AttentionGradProducts.cpp - Products of attention's derivatives ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
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

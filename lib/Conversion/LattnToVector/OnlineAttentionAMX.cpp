//===- OnlineAttentionAMX.cpp - online_attention by products of tiles -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The products of OnlineAttentionKernel by AMX, from and to memory: tile
// registers and vectors share no instruction.
//
//   scores   [key, query] = keys [key, d] x query pairs [d / 2, query]
//   products [v, query]   = value columns [v, key] x weight pairs [key / 2,
//   query]
//
// Whole tiles only: what shapes lack of them is 0.

#include "OnlineAttentionKernel.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

void OnlineAttentionKernel::prepareForAMX() {
  Type bf16 = k.b.getBF16Type();
  constexpr int64_t rows = AMXTile::rows, depth = AMXTile::depth;
  int64_t paddedKeys = llvm::alignTo(maxKeys, depth);
  int64_t width = vectors * k.lanes;
  scores = k.scratch({paddedKeys, width});
  queryPairs =
      k.scratch({int64_t(llvm::alignTo(headDim, depth)) / 2, 2 * width}, bf16);
  weightPairs = k.scratch({paddedKeys / 2, 2 * width}, bf16);
  valueColumns =
      k.scratch({int64_t(llvm::alignTo(valueDim, rows)), paddedKeys}, bf16);
  products = k.scratch({block * rows, width});
  keys = stageSquares(k, functions, op.getKey(), maxKeys, rows, depth);
  Value squares =
      stageSquares(k, functions, op.getValue(), maxKeys, depth, rows);
  amx->transposeValues(squares, numKeys, valueColumns);
}

void OnlineAttentionKernel::multiplyKeys() {
  Value steps = k.index(llvm::divideCeil(headDim, AMXTile::depth));
  auto multiply = [&](Value from, Value to, int64_t tiles) {
    k.forEach(from, to, tiles * AMXTile::rows, [&](Value key) {
      amx->multiply(keys, key, tiles, queryPairs, vectors, steps, scores, key);
    });
  };
  Value padded = k.alignUp(numKeys, AMXTile::rows);
  Value rest = k.b.createOrFold<arith::RemUIOp>(k.loc, padded,
                                                k.index(block * AMXTile::rows));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, padded, rest);
  multiply(k.index(0), whole, block);
  if (getConstantIntValue(rest) != 0)
    multiply(whole, padded, 1);
}

SmallVector<Value> OnlineAttentionKernel::maximize(ArrayRef<Value> max) {
  SmallVector<Value> least(vectors, k.splat(-INFINITY));
  SmallVector<Value> found =
      k.pairedLoop(numKeys, least, [&](Value key, ValueRange carried) {
        return perVector([&](int64_t v) {
          return k.max(k.load(scores, {key, scratchColumn(v)}), carried[v]);
        });
      });
  return perVector([&](int64_t v) {
    return k.max(k.mul(found[v], k.splat(scale)), max[v]);
  });
}

void OnlineAttentionKernel::accumulateByAMX(ArrayRef<Value> correction) {
  Value padded = k.alignUp(numKeys, AMXTile::depth);
  clearRows(k, scores, numKeys, padded);
  pairs->packWeights(scores, padded, vectors, weightPairs);
  Value steps =
      k.b.createOrFold<arith::DivUIOp>(k.loc, padded, k.index(AMXTile::depth));
  int64_t rows = block * AMXTile::rows;
  int64_t whole = valueDim / rows * rows;
  k.forEach(k.index(0), k.index(whole), rows, [&](Value first) {
    accumulateTiles(first, rows, steps, correction);
  });
  if (whole < valueDim)
    accumulateTiles(k.index(whole), valueDim - whole, steps, correction);
}

/// `rows` values from `firstValue` on.
void OnlineAttentionKernel::accumulateTiles(Value firstValue, int64_t rows,
                                            Value steps,
                                            ArrayRef<Value> correction) {
  amx->multiply(valueColumns, firstValue, llvm::divideCeil(rows, AMXTile::rows),
                weightPairs, vectors, steps, products, k.index(0));
  // So many vectors stay in registers.
  int64_t chunk = 16 / vectors, whole = rows / chunk * chunk;
  k.forEach(k.index(0), k.index(whole), chunk, [&](Value row) {
    addProductRows(k.add(firstValue, row), row, chunk, correction);
  });
  if (whole < rows)
    addProductRows(k.add(firstValue, whole), k.index(whole), rows - whole,
                   correction);
}

void OnlineAttentionKernel::addProductRows(Value firstValue, Value row,
                                           int64_t rows,
                                           ArrayRef<Value> correction) {
  SmallVector<Value> acc;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t v = 0; v < vectors; ++v)
      acc.push_back(k.fma(
          k.load(op.getAcc(), {k.add(firstValue, i), column(v)}), correction[v],
          k.load(products, {k.add(row, i), scratchColumn(v)})));
  storeAcc(acc, firstValue, rows, correction);
}

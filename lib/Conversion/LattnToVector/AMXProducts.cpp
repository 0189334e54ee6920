//===- AMXProducts.cpp - Products of tiles of bf16 by AMX -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AMXProducts.h"
#include "StageRows.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

Value AMXProducts::load(Value memref, Value row, Value column) {
  auto type =
      amx::TileType::get({AMXTile::rows, AMXTile::depth}, k.b.getBF16Type());
  return amx::TileLoadOp::create(k.b, k.loc, type, memref,
                                 ValueRange{row, column});
}

void AMXProducts::multiply(Value lhs, Value row, int64_t rows, Value rhs,
                           int64_t columns, Value steps, Value target,
                           Value targetRow) {
  auto type =
      amx::TileType::get({AMXTile::rows, AMXTile::rows}, k.b.getF32Type());
  SmallVector<Value> sums;
  for (int64_t i = 0; i < rows * columns; ++i)
    sums.push_back(amx::TileZeroOp::create(k.b, k.loc, type));
  // The fewer of both sides stay in registers, beside the sums.
  auto step = [&](Value at, ValueRange carried) {
    SmallVector<Value> next(carried);
    Value depth = k.times(at, AMXTile::depth),
          pair = k.times(at, AMXTile::rows);
    auto left = [&](int64_t i) {
      return load(lhs, k.add(row, i * AMXTile::rows), depth);
    };
    auto right = [&](int64_t j) {
      return load(rhs, pair, k.index(j * AMXTile::depth));
    };
    auto multiply = [&](int64_t i, int64_t j, Value x, Value y) {
      Value &sum = next[i * columns + j];
      sum = amx::TileMulFOp::create(k.b, k.loc, type, x, y, sum);
    };
    if (rows <= columns) {
      SmallVector<Value> kept = llvm::map_to_vector(llvm::seq(rows), left);
      for (int64_t j = 0; j < columns; ++j) {
        Value y = right(j);
        for (int64_t i = 0; i < rows; ++i)
          multiply(i, j, kept[i], y);
      }
      return next;
    }
    SmallVector<Value> kept = llvm::map_to_vector(llvm::seq(columns), right);
    for (int64_t i = 0; i < rows; ++i) {
      Value x = left(i);
      for (int64_t j = 0; j < columns; ++j)
        multiply(i, j, x, kept[j]);
    }
    return next;
  };
  constexpr int64_t unrolled = 8;
  std::optional<int64_t> known = getConstantIntValue(steps);
  if (known && *known <= unrolled)
    for (int64_t at = 0; at < *known; ++at)
      sums = step(k.index(at), sums);
  else
    sums = k.loop(k.index(0), steps, 1, sums, step);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      amx::TileStoreOp::create(k.b, k.loc, target,
                               ValueRange{k.add(targetRow, i * AMXTile::rows),
                                          k.index(j * AMXTile::rows)},
                               sums[i * columns + j]);
}

void AMXProducts::packQuery(Value query, Value first, int64_t vectors,
                            Value target) {
  int64_t width = cast<MemRefType>(query.getType()).getDimSize(0);
  auto packRow = [&](Value row, Value x, Value y) {
    for (int64_t v = 0; v < vectors; ++v) {
      Value column = k.add(first, v * k.lanes);
      Value lower = k.load(query, {x, column});
      Value upper = y ? k.load(query, {y, column})
                      : arith::ConstantOp::create(
                            k.b, k.loc, k.b.getZeroAttr(lower.getType()));
      Value pairs = vector::InterleaveOp::create(k.b, k.loc, lower, upper);
      k.store(pairs, target, {row, k.index(2 * v * k.lanes)});
    }
  };
  k.forEach(k.index(0), k.index(width / 2), 1, [&](Value row) {
    Value x = k.add(row, row);
    packRow(row, x, k.add(x, 1));
  });
  if (width % 2)
    packRow(k.index(width / 2), k.index(width - 1), {});
  int64_t rows = cast<MemRefType>(target.getType()).getDimSize(0);
  if (rows > (width + 1) / 2)
    clearRows(k, target, k.index((width + 1) / 2), k.index(rows));
}

void AMXProducts::transposeValues(Value values, Value numKeys, Value target) {
  int64_t width = cast<MemRefType>(target.getType()).getDimSize(0);
  auto words = VectorType::get(k.lanes, k.b.getI32Type());
  auto pairs = VectorType::get(2 * k.lanes, k.b.getBF16Type());
  k.forEach(k.index(0), numKeys, AMXTile::depth, [&](Value key) {
    auto squareAt = [&](Value v) {
      SmallVector<Value> square;
      for (int64_t i = 0; i < AMXTile::depth; i += 2) {
        Value x = k.load(values, {k.add(key, i), v});
        Value y = k.load(values, {k.add(key, i + 1), v});
        Value both = vector::InterleaveOp::create(k.b, k.loc, x, y);
        square.push_back(vector::BitCastOp::create(k.b, k.loc, words, both));
      }
      for (auto [i, row] : llvm::enumerate(transposeSquare(k, square)))
        k.store(vector::BitCastOp::create(k.b, k.loc, pairs, row), target,
                {k.add(v, i), key});
    };
    k.forEach(k.index(0), k.index(width), k.lanes, squareAt);
  });
}

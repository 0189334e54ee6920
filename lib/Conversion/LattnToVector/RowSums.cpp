//===- RowSums.cpp - Sums of weighted rows --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSums.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

Value lattn::getRows(KernelBuilder &k, Value matrix, Value first, Value count) {
  int64_t width = cast<MemRefType>(matrix.getType()).getDimSize(1);
  OpFoldResult zero = k.b.getIndexAttr(0), one = k.b.getIndexAttr(1);
  return memref::SubViewOp::create(
      k.b, k.loc, matrix, SmallVector<OpFoldResult>{first, zero},
      SmallVector<OpFoldResult>{count, k.b.getIndexAttr(width)},
      SmallVector<OpFoldResult>{one, one});
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

SmallVector<Value> RowSums::loadRow(Value matrix, Value row,
                                    const Block &block) {
  SmallVector<Value> vectors;
  for (int64_t v = 0; v < block.vectors; ++v)
    vectors.push_back(loadFront(k, matrix,
                                {row, k.add(block.column, v * k.lanes)},
                                countLanes(block, v)));
  return vectors;
}

SmallVector<Value> RowSums::load(Value target, const Block &block) {
  SmallVector<Value> sums;
  for (int64_t i = 0; i < block.rows; ++i)
    sums.append(loadRow(target, k.add(block.firstRow, i), block));
  return sums;
}

void RowSums::store(ArrayRef<Value> values, Value target, const Block &block) {
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t v = 0; v < block.vectors; ++v)
      storeFront(k, values[i * block.vectors + v], target,
                 {k.add(block.firstRow, i), k.add(block.column, v * k.lanes)},
                 countLanes(block, v));
}

SmallVector<RowSums::Block> RowSums::makeBlocks(Value firstRow, int64_t rows,
                                                int64_t width,
                                                int64_t mostVectors) {
  int64_t vectors = llvm::divideCeil(width, k.lanes);
  int64_t count = llvm::divideCeil(vectors, mostVectors);
  SmallVector<Block> blocks;
  for (int64_t i = 0; i < count; ++i) {
    int64_t first = vectors * i / count, end = vectors * (i + 1) / count;
    int64_t lastLanes = std::min(k.lanes, width - (end - 1) * k.lanes);
    blocks.push_back(
        {firstRow, rows, k.index(first * k.lanes), end - first, lastLanes});
  }
  return blocks;
}

void RowSums::forEachBlock(Value firstRow, int64_t rows, int64_t width,
                           int64_t mostVectors,
                           function_ref<void(const Block &)> build) {
  SmallVector<Block> blocks = makeBlocks(firstRow, rows, width, mostVectors);
  Block block = blocks.front();
  int64_t features = block.vectors * k.lanes;
  // With 32 registers there are few blocks, and a loop over them is slower.
  // With 16 there are many; a loop takes the same time and far less code.
  if (registers >= 32 || int64_t(blocks.size()) * features != width)
    return void(llvm::for_each(blocks, build));
  k.forEach(k.index(0), k.index(width), features, [&](Value at) {
    block.column = at;
    build(block);
  });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The weights of a step in a block's row, on all lanes.
Value RowSums::loadWeight(const BlockProduct &product, const RowSum &sum,
                          const Block &block, int64_t row, Value step) {
  Value at = k.add(block.firstRow, row);
  if (sum.firstTerm)
    step = k.add(sum.firstTerm, step);
  SmallVector<Value> indices = {at, product.getPlace(step)};
  if (sum.areColumns)
    indices = {step, product.getPlace(at)};
  return product.broadcast(
      product.countTerms() == 1 ? sum.weights : sum.weightPairs, indices);
}

SmallVector<Value> RowSums::addStep(const BlockProduct &product,
                                    const RowSum &sum, const Block &block,
                                    Value step, ValueRange sums) {
  SmallVector<Value> row;
  if (product.countTerms() == 1)
    row = loadRow(sum.matrix, step, block);
  else
    for (int64_t v = 0; v < block.vectors; ++v)
      row.push_back(product.load(sum.matrixPairs, step,
                                 k.add(block.column, v * k.lanes)));
  auto getWeight = [&](int64_t i) {
    return loadWeight(product, sum, block, i, step);
  };
  return product.add(sums, getWeight, row);
}

void RowSums::addSkippingZeros(const RowSum &sum, const Block &block) {
  SmallVector<Value> operands = getOperands(sum);
  llvm::append_values(operands, block.firstRow,
                      k.add(block.firstRow, block.rows), block.column);
  auto build = [&](KernelBuilder &inner, ValueRange arguments) {
    RowSums sums(inner, functions, registers, bf16);
    RowSum copy = sums.takeOperands(sum, arguments);
    ValueRange places = arguments.take_back(3);
    BlockProduct product(inner); // a term at a time
    inner.forEach(places[0], places[1], 1, [&](Value row) {
      Block ofRow = {row, 1, places[2], block.vectors, block.lastLanes};
      SmallVector<Value> before = sums.load(copy.target, ofRow);
      if (copy.corrections)
        for (Value &x : before)
          x = inner.mul(x,
                        inner.splat(inner.loadScalar(copy.corrections, row)));
      SmallVector<Value> added = sumSkippingZeros(
          inner, copy.terms, before, 1,
          [&](Value term, ValueRange carried) {
            return sums.addStep(product, copy, ofRow, term, carried);
          },
          [&](Value term, int64_t) {
            return sums.loadWeight(product, copy, ofRow, 0, term);
          });
      sums.store(added, copy.target, ofRow);
    });
  };
  std::string form = llvm::formatv("{0} {1} {2}", sum.areColumns, block.vectors,
                                   block.lastLanes);
  functions.call(k, "lattn_add_rows_skipping_zeros", form, operands, build);
}

void RowSums::finish(ArrayRef<Value> sums, const RowSum &sum,
                     const Block &block, bool skipsZeros) {
  if (!skipsZeros)
    return store(sums, sum.target, block);
  k.ifThenElse(
      isAnyNaN(k, sums), [&] { addSkippingZeros(sum, block); },
      [&] { store(sums, sum.target, block); });
}

void RowSums::addBlock(const RowSum &sum, const Block &block,
                       Value skipsZeros) {
  constexpr int64_t unroll = 4;
  BlockProduct product(k, pairs);
  auto addSteps = [&](Value step, int64_t count, ValueRange carried) {
    SmallVector<Value> sums(carried);
    for (int64_t j = 0; j < count; ++j)
      sums = addStep(product, sum, block, k.add(step, j), sums);
    return sums;
  };
  SmallVector<Value> sums = k.loopBySteps(product.countSteps(sum.terms), unroll,
                                          load(sum.target, block), addSteps);
  // 0 * x is not 0 where x is NaN or Inf: then once more, with care.
  Value isTooMuch = k.choose(
                         skipsZeros, k.b.getI1Type(),
                         [&] { return SmallVector<Value>{isAnyNaN(k, sums)}; },
                         [&] { return SmallVector<Value>{skipsZeros}; })
                        .front();
  k.ifThenElse(
      isTooMuch, [&] { addSkippingZeros(sum, block); },
      [&] { store(sums, sum.target, block); });
}

void RowSums::build(const RowSum &sum, ValueBlock block, Value skipsZeros) {
  int64_t rows = block.rows;
  auto addRows = [&](Value firstRow, int64_t rows) {
    forEachBlock(firstRow, rows, sum.width, block.vectors,
                 [&](const Block &block) { addBlock(sum, block, skipsZeros); });
  };
  Value rest = k.b.createOrFold<arith::RemSIOp>(k.loc, sum.rows, k.index(rows));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, sum.rows, rest);
  k.forEach(k.index(0), whole, rows, [&](Value row) { addRows(row, rows); });
  if (rows > 1)
    k.forEach(whole, sum.rows, 1, [&](Value row) { addRows(row, 1); });
}

SmallVector<Value> RowSums::getOperands(const RowSum &sum) {
  SmallVector<Value> operands = {
      sum.rows, sum.terms, asAnyDistance(k, sum.target),
      asAnyNumber(k, sum.weights), asAnyDistance(k, sum.matrix)};
  if (pairs)
    llvm::append_values(operands, asAnyNumber(k, sum.weightPairs),
                        asAnyNumber(k, sum.matrixPairs));
  for (Value value : {sum.firstTerm, sum.corrections})
    if (value)
      operands.push_back(value);
  return operands;
}

RowSum RowSums::takeOperands(const RowSum &sum, ValueRange from) {
  RowSum copy = sum;
  for (Value *value : {&copy.rows, &copy.terms, &copy.target, &copy.weights,
                       &copy.matrix, &copy.weightPairs, &copy.matrixPairs,
                       &copy.firstTerm, &copy.corrections})
    if (*value) {
      *value = from.front();
      from = from.drop_front();
    }
  return copy;
}

void RowSums::add(const RowSum &sum, int64_t tileRows, bool skipsZeros) {
  ValueBlock block = chooseRowSumBlock(registers, k.lanes, sum.width, tileRows);
  SmallVector<Value> operands = getOperands(sum);
  operands.push_back(arith::ConstantIntOp::create(k.b, k.loc, skipsZeros, 1));
  auto build = [&](KernelBuilder &inner, ValueRange arguments) {
    RowSums sums(inner, functions, registers, bf16);
    sums.build(sums.takeOperands(sum, arguments), block, arguments.back());
  };
  std::string form = llvm::formatv("{0} {1}", sum.areColumns, block.rows);
  functions.call(k, "lattn_add_rows", form, operands, build);
}

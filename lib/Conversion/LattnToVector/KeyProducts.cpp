//===- KeyProducts.cpp - Products of keys and packed queries --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyProducts.h"
#include "StageRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

KeyRows::KeyRows(KernelBuilder &k, Value rows)
    : any(rows), width(cast<MemRefType>(rows.getType()).getDimSize(1)) {
  DenseRows found = findDenseRows(k, rows);
  dense = found.rows ? found.rows : rows;
  isDense = found.isDense ? found.isDense
                          : arith::ConstantIntOp::create(k.b, k.loc, 1, 1);
}

void lattn::forEachBlock(KernelBuilder &k, Value numKeys, int64_t rows,
                         function_ref<void(Value key, bool clamped)> build) {
  Value rest = k.b.createOrFold<arith::RemSIOp>(k.loc, numKeys, k.index(rows));
  Value whole = k.b.createOrFold<arith::SubIOp>(k.loc, numKeys, rest);
  k.forEach(k.index(0), whole, rows,
            [&](Value key) { build(key, /*clamped=*/false); });
  k.forEach(whole, numKeys, rows, [&](Value key) { // at most one
    build(key, /*clamped=*/true);
  });
}

SmallVector<Value> lattn::getKeyNumbers(KernelBuilder &k, Value first,
                                        int64_t count, Value numKeys,
                                        bool clamped) {
  SmallVector<Value> numbers;
  for (int64_t i = 0; i < count; ++i) {
    Value key = k.add(first, i);
    if (clamped)
      key = arith::MinSIOp::create(k.b, k.loc, key, k.add(numKeys, -1));
    numbers.push_back(key);
  }
  return numbers;
}

SmallVector<Value> KeyProducts::addBlock(Value keys, Value packed, Value group,
                                         ArrayRef<Value> rows,
                                         ValueRange sums) {
  BlockProduct product(k, pairs);
  int64_t width = cast<MemRefType>(keys.getType()).getDimSize(1);
  int64_t terms = product.countTerms();
  auto add = [&](Value step, bool isLast, ValueRange carried) {
    SmallVector<Value> columns;
    for (int64_t v = 0; v < block.vectors; ++v)
      columns.push_back(product.load(packed, step, k.add(group, v * k.lanes)));
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

void KeyProducts::build(ArrayRef<Factors> products, Value target, Value group,
                        Value numKeys) {
  SmallVector<KeyRows> keys;
  for (const Factors &product : products)
    keys.emplace_back(k, product.keys);
  forEachBlock(k, numKeys, block.rows, [&](Value first, bool clamped) {
    SmallVector<Value> rows =
        getKeyNumbers(k, first, block.rows, numKeys, clamped);
    SmallVector<Value> sums(block.rows * block.vectors, k.splat(0.0));
    for (size_t i = 0; i < products.size(); ++i) {
      const KeyRows &matrix = keys[i];
      auto add = [&](Value keys) {
        return addBlock(keys, products[i].packed, group, rows, sums);
      };
      if (clamped) // at most one block: not worth twice the code
        sums = add(matrix.any);
      else
        sums = k.choose(
            matrix.isDense, SmallVector<Type>(sums.size(), k.vector),
            [&] { return add(matrix.dense); }, [&] { return add(matrix.any); });
    }
    for (int64_t i = 0; i < block.rows; ++i)
      for (int64_t v = 0; v < block.vectors; ++v)
        k.store(sums[i * block.vectors + v], target,
                {k.add(first, i), k.add(group, v * k.lanes)});
  });
}

void KeyProducts::multiply(KernelFunctions &functions,
                           ArrayRef<Factors> products, Value target,
                           Value group, Value numKeys) {
  SmallVector<Value> operands = {group, numKeys, asAnyNumber(k, target)};
  for (const Factors &product : products)
    llvm::append_values(operands, asAnyDistance(k, product.keys),
                        product.packed);
  auto buildBody = [&](KernelBuilder &inner, ValueRange arguments) {
    SmallVector<Factors> copies;
    for (size_t i = 3; i < arguments.size(); i += 2)
      copies.push_back({arguments[i], arguments[i + 1]});
    KeyProducts(inner, block, bf16)
        .build(copies, arguments[2], arguments[0], arguments[1]);
  };
  std::string form = llvm::formatv("{0}x{1}", block.rows, block.vectors);
  functions.call(k, "lattn_multiply_keys", form, operands, buildBody);
}

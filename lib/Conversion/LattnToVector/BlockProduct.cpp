//===- BlockProduct.cpp - Products whose sums stay in registers -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockProduct.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace lattn;

Value BlockProduct::countSteps(Value terms) const {
  return pairs ? k.b.createOrFold<arith::CeilDivSIOp>(k.loc, terms, k.index(2))
               : terms;
}

Value BlockProduct::broadcast(Value matrix, ValueRange at, bool isLast) const {
  return pairs ? pairs->splatPair(matrix, at, isLast)
               : k.splat(k.loadScalar(matrix, at));
}

Value BlockProduct::load(Value matrix, Value step, Value column) const {
  SmallVector<Value> at = {step, getPlace(column)};
  return pairs ? pairs->loadPairs(matrix, at) : k.load(matrix, at);
}

SmallVector<Value> BlockProduct::add(ValueRange c,
                                     function_ref<Value(int64_t row)> getA,
                                     ArrayRef<Value> b) const {
  SmallVector<Value> sums(c);
  for (size_t row = 0; row < sums.size() / b.size(); ++row) {
    Value a = getA(row);
    for (auto [v, vector] : llvm::enumerate(b)) {
      if (!vector)
        continue;
      Value &sum = sums[row * b.size() + v];
      // Only the last operand of a dot product can come from memory.
      sum = pairs ? pairs->dot(sum, vector, a) : k.fma(a, vector, sum);
    }
  }
  return sums;
}

Value lattn::dotEach(KernelBuilder &k, Value left, Value row, Value right,
                     ArrayRef<Value> rows, int64_t width, int64_t mostUnrolled,
                     bool isAlone) {
  auto add = [&](Value column, int64_t lanes, ValueRange sums) {
    auto getRow = [&](int64_t i) {
      return loadFront(k, right, {rows[i], column}, lanes);
    };
    return BlockProduct(k).add(sums, getRow, k.load(left, {row, column}));
  };
  int64_t whole = width / k.lanes, rest = width % k.lanes;
  // In a loop, so that no load is moved out of the one over rows.
  int64_t unroll = std::min(isAlone ? whole : whole / 2, mostUnrolled);
  SmallVector<Value> sums(rows.size(), k.splat(0.0));
  sums = k.unrolledLoop(whole, std::max<int64_t>(1, unroll), sums,
                        [&](Value v, ValueRange carried) {
                          return add(k.times(v, k.lanes), k.lanes, carried);
                        });
  if (rest)
    sums = add(k.index(whole * k.lanes), rest, sums);
  return sumEach(k, sums);
}

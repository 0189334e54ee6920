//===- PairProducts.cpp - Sums of products of pairs of bf16 ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"

using namespace mlir;
using namespace lattn;

Value PairProducts::dot(Value sum, Value x, Value y) {
  if (!emulated)
    return x86vector::DotBF16Op::create(k.b, k.loc, sum.getType(), sum, x, y);
  auto halves = [&](Value pairs) {
    auto parts = vector::DeinterleaveOp::create(k.b, k.loc, pairs);
    return std::pair(convertFloat(k, parts.getResult(0), k.vector),
                     convertFloat(k, parts.getResult(1), k.vector));
  };
  auto [x0, x1] = halves(x);
  auto [y0, y1] = halves(y);
  return k.fma(x0, y0, k.fma(x1, y1, sum));
}

Value PairProducts::pair(Value x, Value y) {
  if (!y)
    y = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(x.getType()));
  return vector::InterleaveOp::create(k.b, k.loc, x, y);
}

Value PairProducts::narrow(Value vector) {
  auto type = VectorType::get(k.lanes, bf16);
  if (emulated)
    return arith::TruncFOp::create(k.b, k.loc, type, vector);
  return x86vector::CvtPackedF32ToBF16Op::create(k.b, k.loc, type, vector);
}

Value PairProducts::loadPairs(Value memref, ValueRange at) {
  return vector::LoadOp::create(k.b, k.loc, pairs, memref, at);
}

Value PairProducts::splatPair(Value memref, ValueRange at, bool isLast) {
  Type word = k.b.getI32Type();
  Value bits;
  if (isLast) {
    Value half = arith::BitcastOp::create(k.b, k.loc, k.b.getI16Type(),
                                          k.loadScalar(memref, at));
    bits = arith::ExtUIOp::create(k.b, k.loc, word, half);
  } else {
    Value two = vector::LoadOp::create(k.b, k.loc, VectorType::get(2, bf16),
                                       memref, at);
    Value one =
        vector::BitCastOp::create(k.b, k.loc, VectorType::get(1, word), two);
    bits = vector::ExtractOp::create(k.b, k.loc, one, 0);
  }
  Value all = vector::BroadcastOp::create(k.b, k.loc,
                                          VectorType::get(k.lanes, word), bits);
  return vector::BitCastOp::create(k.b, k.loc, pairs, all);
}

void PairProducts::forEachPair(
    Value numKeys,
    function_ref<void(Value row, Value first, Value second)> body) {
  Value two = k.index(2);
  Value whole = k.b.createOrFold<arith::DivUIOp>(k.loc, numKeys, two);
  k.forEach(k.index(0), whole, 1, [&](Value row) {
    Value first = k.add(row, row);
    body(row, first, k.add(first, 1));
  });
  Value rest = k.b.createOrFold<arith::RemUIOp>(k.loc, numKeys, two);
  if (getConstantIntValue(rest) == 0)
    return;
  Value isOdd = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ne,
                                      rest, k.index(0));
  k.ifThenElse(isOdd, [&] { body(whole, k.add(whole, whole), Value()); });
}

void PairProducts::packWeights(Value weights, Value numKeys, int64_t vectors,
                               Value target) {
  forEachPair(numKeys, [&](Value row, Value first, Value second) {
    for (int64_t v = 0; v < vectors; ++v) {
      auto load = [&](Value key) -> Value {
        return key ? narrow(k.load(weights, {key, k.index(v * k.lanes)}))
                   : Value();
      };
      vector::StoreOp::create(k.b, k.loc, pair(load(first), load(second)),
                              target,
                              ValueRange{row, k.index(2 * v * k.lanes)});
    }
  });
}

void PairProducts::packValues(Value values, Value numKeys, Value target) {
  int64_t width = cast<MemRefType>(values.getType()).getDimSize(1);
  int64_t whole = width / k.lanes * k.lanes;
  Value none = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(bf16));
  auto packRows = [&](Value unit, int64_t vectorized) {
    forEachPair(numKeys, [&](Value row, Value first, Value second) {
      for (int64_t v = 0; v < vectorized; v += k.lanes) {
        Value x = k.load(unit, {first, k.index(v)});
        Value y = second ? k.load(unit, {second, k.index(v)}) : Value();
        vector::StoreOp::create(k.b, k.loc, pair(x, y), target,
                                ValueRange{row, k.index(2 * v)});
      }
      k.forEach(k.index(vectorized), k.index(width), 1, [&](Value v) {
        Value at = k.add(v, v);
        Value x = k.loadScalar(unit, {first, v});
        Value y = second ? k.loadScalar(unit, {second, v}) : none;
        memref::StoreOp::create(k.b, k.loc, x, target, ValueRange{row, at});
        memref::StoreOp::create(k.b, k.loc, y, target,
                                ValueRange{row, k.add(at, 1)});
      });
    });
  };
  k.ifThenElse(
      hasUnitStride(k, values),
      [&] { packRows(asUnitStride(k, values), whole); },
      [&] { packRows(values, 0); });
}

Value PairProducts::packRows(Value matrix, Value rows, int64_t mostRows) {
  int64_t width = cast<MemRefType>(matrix.getType()).getDimSize(1);
  auto type = VectorType::get(k.lanes, bf16);
  Value target = k.scratch({int64_t(llvm::divideCeil(mostRows, 2)),
                            2 * int64_t(llvm::alignTo(width, k.lanes))},
                           bf16);
  forEachPair(rows, [&](Value row, Value first, Value second) {
    for (int64_t d = 0; d < width; d += k.lanes) {
      int64_t count = std::min(k.lanes, width - d);
      auto load = [&](Value from) -> Value {
        return from ? loadFront(k, matrix, {from, k.index(d)}, count, type)
                    : Value();
      };
      k.store(pair(load(first), load(second)), target, {row, k.index(2 * d)});
    }
  });
  return target;
}

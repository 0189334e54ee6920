//===- Dropout.cpp - Which weights dropout keeps, as IR -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Philox4x32-10: Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3
// (2011).

#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

SmallVector<Value> lattn::buildExplicitDropout(OpBuilder &b, Location loc,
                                               ValueRange given, Value query,
                                               unsigned headAxis) {
  SmallVector<Value> dropout(given);
  if (dropout.size() != 3)
    return dropout;
  Value heads = isa<RankedTensorType>(query.getType())
                    ? b.createOrFold<tensor::DimOp>(loc, query, headAxis)
                    : b.createOrFold<memref::DimOp>(loc, query, headAxis);
  dropout.push_back(
      b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), heads));
  return dropout;
}

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//

/// `value` where `type` is its own, else a vector of it.
static Value broadcast(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return vector::BroadcastOp::create(b, loc, type, value);
}

static Value constant(OpBuilder &b, Location loc, Type type, uint32_t value) {
  TypedAttr attr = b.getI32IntegerAttr(static_cast<int32_t>(value));
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, cast<Attribute>(attr));
  return arith::ConstantOp::create(b, loc, attr);
}

using Counter = std::array<Value, 4>;

/// All i32, or vectors of it.
static Counter buildPhilox(OpBuilder &b, Location loc, Counter counter,
                           Value key0, Value key1) {
  Type type = counter[0].getType();
  auto number = [&](uint32_t value) { return constant(b, loc, type, value); };
  auto exclusiveOr = [&](Value x, Value y, Value z) {
    x = arith::XOrIOp::create(b, loc, x, y);
    return arith::XOrIOp::create(b, loc, x, z).getResult();
  };
  Value factor0 = number(0xD2511F53), factor1 = number(0xCD9E8D57);
  Value step0 = number(0x9E3779B9), step1 = number(0xBB67AE85);
  for (int round = 0; round < 10; ++round) {
    if (round > 0) {
      key0 = arith::AddIOp::create(b, loc, key0, step0);
      key1 = arith::AddIOp::create(b, loc, key1, step1);
    }
    auto first = arith::MulUIExtendedOp::create(b, loc, factor0, counter[0]);
    auto second = arith::MulUIExtendedOp::create(b, loc, factor1, counter[2]);
    counter = {exclusiveOr(second.getHigh(), counter[1], key0), second.getLow(),
               exclusiveOr(first.getHigh(), counter[3], key1), first.getLow()};
  }
  return counter;
}

//===----------------------------------------------------------------------===//
// DropoutBuilder
//===----------------------------------------------------------------------===//

DropoutBuilder::DropoutBuilder(OpBuilder &b, Location loc, ValueRange dropout,
                               Type type)
    : heads(dropout[3]) {
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  Value p = dropout[0], seed = dropout[1];
  auto real = [&](Type type, double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  };
  // A word's upper 24 bits are kept iff they are at least p * 2^24. No bits are
  // where p is NaN.
  Value most = real(f32, 0x1p24);
  Value least = arith::MulFOp::create(b, loc, p, most);
  least = arith::MinNumFOp::create(b, loc, least, most);
  least = arith::MaxNumFOp::create(b, loc, least, real(f32, 0));
  threshold = arith::FPToSIOp::create(b, loc, i32, least);
  Value back = arith::SIToFPOp::create(b, loc, f32, threshold);
  Value isLess =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, back, least);
  threshold = arith::AddIOp::create(
      b, loc, threshold, arith::ExtUIOp::create(b, loc, i32, isLess));
  Value one = real(type, 1);
  scale = arith::SubFOp::create(b, loc, one, convertFloat(b, loc, p, type));
  scale = arith::DivFOp::create(b, loc, one, scale);
  Value bits =
      arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32)).getResult();
  keys[0] = arith::TruncIOp::create(b, loc, i32, seed);
  keys[1] = arith::TruncIOp::create(b, loc, i32,
                                    arith::ShRUIOp::create(b, loc, seed, bits));
  offset = arith::TruncIOp::create(b, loc, i32, dropout[2]);
}

Value DropoutBuilder::buildRow(OpBuilder &b, Location loc, Value batch,
                               Value head) const {
  Type i64 = b.getI64Type();
  batch = arith::IndexCastOp::create(b, loc, i64, batch);
  head = arith::IndexCastOp::create(b, loc, i64, head);
  Value row = arith::MulIOp::create(b, loc, batch, heads);
  row = arith::AddIOp::create(b, loc, row, head);
  return arith::TruncIOp::create(b, loc, b.getI32Type(), row);
}

Counter DropoutBuilder::buildKept(OpBuilder &b, Location loc, Value row,
                                  Value query, Value group) const {
  Type type = query.getType();
  auto spread = [&](Value value) { return broadcast(b, loc, value, type); };
  Counter words =
      buildPhilox(b, loc, {spread(offset), spread(row), query, group},
                  spread(keys[0]), spread(keys[1]));
  Value bits = constant(b, loc, type, 8), least = spread(threshold);
  for (Value &word : words) {
    Value upper = arith::ShRUIOp::create(b, loc, word, bits);
    word =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, upper, least);
  }
  return words;
}

Value lattn::chooseOfFour(OpBuilder &b, Location loc, Value key,
                          std::array<Value, 4> kept) {
  Type i32 = b.getI32Type();
  Value word = arith::AndIOp::create(b, loc, key, constant(b, loc, i32, 3));
  Value isKept = kept[3];
  for (uint32_t i = 0; i < 3; ++i) {
    Value isWord = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, word,
                                         constant(b, loc, i32, i));
    isKept = arith::SelectOp::create(b, loc, isWord, kept[i], isKept);
  }
  return isKept;
}

Value lattn::buildDropped(OpBuilder &b, Location loc,
                          const DropoutBuilder &dropout, Value weight,
                          Coordinates at) {
  Type i32 = b.getI32Type();
  Value row = dropout.buildRow(b, loc, at.batch, at.head);
  Value query = arith::IndexCastOp::create(b, loc, i32, at.query);
  Value key = arith::IndexCastOp::create(b, loc, i32, at.key);
  // A key before the sequence, in a slot of local attention, is negative.
  Value group = arith::ShRSIOp::create(b, loc, key, constant(b, loc, i32, 2));
  Value isKept =
      chooseOfFour(b, loc, key, dropout.buildKept(b, loc, row, query, group));
  Value zero =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(weight.getType(), 0.0));
  Value scaled = arith::MulFOp::create(b, loc, weight, dropout.getScale());
  return arith::SelectOp::create(b, loc, isKept, scaled, zero);
}

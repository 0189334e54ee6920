//===- Pairs.cpp - Accumulators and operands ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A register of an operand holds two elements of two bytes: two registers of an
// accumulator, in the same order.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn::fragment;

Value lattn::fragment::packPair(OpBuilder &b, Location loc, Value low,
                                Value high, Type element) {
  Value pair = vector::FromElementsOp::create(
      b, loc, VectorType::get({2}, low.getType()), ValueRange{low, high});
  pair = arith::TruncFOp::create(b, loc, VectorType::get({2}, element), pair);
  return LLVM::BitcastOp::create(b, loc, b.getI32Type(), pair);
}

/// The two `element`s of `pair`, an i32, as f32, that of the low half first.
static std::pair<Value, Value> unpackPair(OpBuilder &b, Location loc,
                                          Value pair, Type element) {
  Type f32 = b.getF32Type();
  if (element.isBF16()) { // the high half of an f32
    auto i32 = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, int32_t(value), 32);
    };
    Value low = arith::ShLIOp::create(b, loc, pair, i32(16));
    Value high = arith::AndIOp::create(b, loc, pair, i32(0xffff0000));
    return {arith::BitcastOp::create(b, loc, f32, low),
            arith::BitcastOp::create(b, loc, f32, high)};
  }
  Value both =
      LLVM::BitcastOp::create(b, loc, VectorType::get({2}, element), pair);
  auto get = [&](int64_t i) -> Value {
    Value half = vector::ExtractOp::create(b, loc, both, i);
    return arith::ExtFOp::create(b, loc, f32, half);
  };
  return {get(0), get(1)};
}

static LogicalResult convertNarrow(NarrowOp op, Registers<NarrowOp> adaptor,
                                   ConversionPatternRewriter &rewriter) {
  // Four registers of 16 columns are those of two blocks of 8 side by side:
  // pairs of an accumulator are in the operand's order.
  ValueRange source = adaptor.getSource();
  SmallVector<Value> results;
  for (size_t i = 0; i < source.size(); i += 2)
    results.push_back(packPair(rewriter, op.getLoc(), source[i], source[i + 1],
                               op.getType().getElementType()));
  rewriter.replaceOpWithMultiple(op, {ValueRange(results)});
  return success();
}

static LogicalResult convertWiden(WidenOp op, Registers<WidenOp> adaptor,
                                  ConversionPatternRewriter &rewriter) {
  SmallVector<Value> results;
  for (Value pair : adaptor.getSource()) {
    auto both = unpackPair(rewriter, op.getLoc(), pair,
                           op.getSource().getType().getElementType());
    results.append({both.first, both.second});
  }
  rewriter.replaceOpWithMultiple(op, {ValueRange(results)});
  return success();
}

void lattn::fragment::populatePairPatterns(TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertNarrow, convertWiden);
}

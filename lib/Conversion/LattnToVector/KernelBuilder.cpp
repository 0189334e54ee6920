//===- KernelBuilder.cpp - What the micro-kernels are written with --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value KernelBuilder::add(Value lhs, int64_t rhs) {
  return rhs == 0 ? lhs : add(lhs, index(rhs));
}
Value KernelBuilder::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}
Value KernelBuilder::times(Value lhs, int64_t rhs) {
  return b.createOrFold<arith::MulIOp>(loc, lhs, index(rhs));
}
Value KernelBuilder::alignUp(Value value, int64_t unit) {
  Value units =
      b.createOrFold<arith::DivUIOp>(loc, add(value, unit - 1), index(unit));
  return times(units, unit);
}
Value KernelBuilder::scalar(double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(element, value));
}
Value KernelBuilder::splat(double value) {
  return arith::ConstantOp::create(
      b, loc, DenseElementsAttr::get(vector, b.getFloatAttr(element, value)));
}
Value KernelBuilder::splat(Value scalar) {
  auto type = VectorType::get(lanes, scalar.getType());
  return vector::BroadcastOp::create(b, loc, type, scalar);
}
Value KernelBuilder::load(Value memref, ValueRange at) {
  auto type = VectorType::get(
      lanes, cast<MemRefType>(memref.getType()).getElementType());
  return vector::LoadOp::create(b, loc, type, memref, at);
}
void KernelBuilder::store(Value vector, Value memref, ValueRange at) {
  vector::StoreOp::create(b, loc, vector, memref, at);
}
Value KernelBuilder::loadScalar(Value memref, ValueRange at) {
  return memref::LoadOp::create(b, loc, memref, at);
}
Value KernelBuilder::fma(Value x, Value y, Value z) {
  return vector::FMAOp::create(b, loc, x, y, z);
}
Value KernelBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(b, loc, x, y);
}
Value KernelBuilder::plus(Value x, Value y) {
  return arith::AddFOp::create(b, loc, x, y);
}
Value KernelBuilder::max(Value x, Value y) {
  Value greater =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x, y);
  return select(greater, x, y);
}
Value KernelBuilder::isEqual(Value x, Value y) {
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, y);
}
Value KernelBuilder::select(Value c, Value x, Value y) {
  return arith::SelectOp::create(b, loc, c, x, y);
}

SmallVector<Value> KernelBuilder::loop(Value from, Value to, int64_t step,
                                       ValueRange inits, Body body) {
  auto forOp = scf::ForOp::create(b, loc, from, to, index(step), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forOp.getBody());
  SmallVector<Value> results =
      body(forOp.getInductionVar(), forOp.getRegionIterArgs());
  if (!inits.empty())
    scf::YieldOp::create(b, loc, results);
  return SmallVector<Value>(forOp.getResults());
}

void KernelBuilder::forEach(Value from, Value to, int64_t step,
                            function_ref<void(Value)> body) {
  loop(from, to, step, {}, [&](Value iv, ValueRange) {
    body(iv);
    return SmallVector<Value>();
  });
}

SmallVector<Value> KernelBuilder::unrolledLoop(int64_t extent, int64_t unroll,
                                               ValueRange inits, Body body) {
  int64_t whole = extent / unroll * unroll;
  SmallVector<Value> carried(inits);
  auto steps = [&](Value first, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      carried = body(add(first, i), carried);
    return carried;
  };
  if (whole > 0)
    carried = loop(index(0), index(whole), unroll, carried,
                   [&](Value iv, ValueRange values) {
                     carried.assign(values.begin(), values.end());
                     return steps(iv, unroll);
                   });
  return extent > whole ? steps(index(whole), extent - whole) : carried;
}

SmallVector<Value> KernelBuilder::pairedLoop(Value extent, ValueRange inits,
                                             Body body) {
  return loopBySteps(extent, 2, inits,
                     [&](Value iv, int64_t count, ValueRange values) {
                       SmallVector<Value> carried(values);
                       for (int64_t i = 0; i < count; ++i)
                         carried = body(add(iv, i), carried);
                       return carried;
                     });
}

SmallVector<Value> KernelBuilder::loopBySteps(Value extent, int64_t step,
                                              ValueRange inits, StepBody body) {
  Value rest = b.createOrFold<arith::RemSIOp>(loc, extent, index(step));
  Value whole = b.createOrFold<arith::SubIOp>(loc, extent, rest);
  SmallVector<Value> carried =
      loop(index(0), whole, step, inits,
           [&](Value iv, ValueRange values) { return body(iv, step, values); });
  if (getConstantIntValue(rest) == 0)
    return carried;
  return loop(whole, extent, 1, carried,
              [&](Value iv, ValueRange values) { return body(iv, 1, values); });
}

void KernelBuilder::ifThenElse(Value condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  auto ifOp = scf::IfOp::create(b, loc, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(ifOp.elseBlock());
  otherwise();
}

Value KernelBuilder::scratch(ArrayRef<int64_t> shape, Type type) {
  auto function =
      b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>();
  if (!function)
    function = cast<func::FuncOp>(b.getInsertionBlock()->getParentOp());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  return memref::AllocaOp::create(b, loc,
                                  MemRefType::get(shape, type ? type : element),
                                  b.getI64IntegerAttr(64));
}

//===----------------------------------------------------------------------===//
// What kernels share
//===----------------------------------------------------------------------===//

Value lattn::convertFloat(KernelBuilder &k, Value value, Type type) {
  Type from = getElementTypeOrSelf(value.getType());
  Type to = getElementTypeOrSelf(type);
  if (from == to)
    return value;
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(k.b, k.loc, type, value);
  return arith::TruncFOp::create(k.b, k.loc, type, value);
}

Value lattn::hasUnitStride(KernelBuilder &k, Value matrix) {
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, matrix);
  return arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                               metadata.getStrides()[1], k.index(1));
}

Value lattn::asUnitStride(KernelBuilder &k, Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, matrix);
  auto layout = StridedLayoutAttr::get(k.b.getContext(), ShapedType::kDynamic,
                                       {ShapedType::kDynamic, 1});
  auto unit = MemRefType::get(type.getShape(), type.getElementType(), layout,
                              type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, unit, metadata.getBaseBuffer(),
      OpFoldResult(metadata.getOffset()),
      memref::getMixedSizes(k.b, k.loc, matrix),
      SmallVector<OpFoldResult>{metadata.getStrides()[0], k.b.getIndexAttr(1)});
}

SmallVector<Value> lattn::transposeSquare(KernelBuilder &k,
                                          ArrayRef<Value> rows) {
  int64_t lanes = k.lanes, half = lanes / 2;
  SmallVector<Value> current(rows), next(lanes);
  auto interleave = [&](Value x, Value y, int64_t from) -> Value {
    SmallVector<int64_t> order;
    for (int64_t i = from; i < from + half; ++i)
      llvm::append_values(order, i, lanes + i);
    return vector::ShuffleOp::create(k.b, k.loc, x, y, order);
  };
  for (int64_t done = 1; done < lanes; done *= 2) {
    for (int64_t i = 0; i < half; ++i) {
      next[2 * i] = interleave(current[i], current[i + half], 0);
      next[2 * i + 1] = interleave(current[i], current[i + half], half);
    }
    std::swap(current, next);
  }
  return current;
}

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
#include "llvm/ADT/bit.h"

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
  int64_t whole = unroll ? extent / unroll * unroll : 0;
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

int64_t KernelBuilder::countUnrolled(int64_t products) const {
  constexpr int64_t enough = 16, wideBits = 512;
  bool isWide = lanes * element.getIntOrFloatBitWidth() >= wideBits;
  return isWide && products >= enough ? 1 : 4;
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
  Value rest = b.createOrFold<arith::RemUIOp>(loc, extent, index(step));
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

SmallVector<Value> KernelBuilder::choose(Value condition, TypeRange types,
                                         Values then, Values otherwise) {
  auto ifOp = scf::IfOp::create(b, loc, types, condition,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, loc, then());
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, loc, otherwise());
  return ifOp.getResults();
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

Value lattn::hasUnitStride(KernelBuilder &k, Value array) {
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, array);
  return arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                               metadata.getStrides().back(), k.index(1));
}

Value lattn::asUnitStride(KernelBuilder &k, Value array) {
  auto type = cast<MemRefType>(array.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(k.b, k.loc, array);
  SmallVector<int64_t> known(type.getRank(), ShapedType::kDynamic);
  known.back() = 1;
  auto layout =
      StridedLayoutAttr::get(k.b.getContext(), ShapedType::kDynamic, known);
  auto unit = MemRefType::get(type.getShape(), type.getElementType(), layout,
                              type.getMemorySpace());
  SmallVector<OpFoldResult> strides(metadata.getStrides().begin(),
                                    metadata.getStrides().end());
  strides.back() = k.b.getIndexAttr(1);
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, unit, metadata.getBaseBuffer(),
      OpFoldResult(metadata.getOffset()),
      memref::getMixedSizes(k.b, k.loc, array), strides);
}

Value lattn::laneNumbers(KernelBuilder &k) {
  auto type = VectorType::get(k.lanes, k.b.getIndexType());
  auto numbers = llvm::map_to_vector(
      llvm::seq(k.lanes), [](int64_t lane) { return APInt(64, lane); });
  return arith::ConstantOp::create(
      k.b, k.loc, DenseElementsAttr::get(type, ArrayRef<APInt>(numbers)));
}

/// Calls `piece` with the parts that `count` elements are loaded and stored in:
/// powers of two of them, the largest first.
static void
forEachPiece(int64_t count,
             function_ref<void(int64_t first, int64_t size)> piece) {
  for (int64_t first = 0; first < count;) {
    int64_t size = llvm::bit_floor(uint64_t(count - first));
    piece(first, size);
    first += size;
  }
}

/// `at` with its last index moved on by `distance`.
static SmallVector<Value> moveOn(KernelBuilder &k, ValueRange at,
                                 int64_t distance) {
  SmallVector<Value> moved(at);
  moved.back() = k.add(moved.back(), distance);
  return moved;
}

Value lattn::loadFront(KernelBuilder &k, Value memref, ValueRange at,
                       int64_t count, VectorType type) {
  if (!type)
    type = k.vector;
  if (count == k.lanes)
    return convertFloat(k, k.load(memref, at), type);
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  Value all = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(type));
  forEachPiece(count, [&](int64_t first, int64_t size) {
    Value part =
        vector::LoadOp::create(k.b, k.loc, VectorType::get(size, element),
                               memref, moveOn(k, at, first));
    part = convertFloat(k, part, VectorType::get(size, type.getElementType()));
    all = vector::InsertStridedSliceOp::create(k.b, k.loc, part, all, first, 1);
  });
  return all;
}

void lattn::storeFront(KernelBuilder &k, Value vector, Value memref,
                       ValueRange at, int64_t count) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  forEachPiece(count, [&](int64_t first, int64_t size) {
    Value part = vector;
    if (size < k.lanes)
      part = vector::ExtractStridedSliceOp::create(k.b, k.loc, vector, first,
                                                   size, 1);
    k.store(convertFloat(k, part, VectorType::get(size, element)), memref,
            moveOn(k, at, first));
  });
}

/// `vector` combined with itself, turned by half its lanes, a quarter, ...
static Value combineLanes(KernelBuilder &k, Value vector,
                          function_ref<Value(Value, Value)> combine) {
  for (int64_t distance = k.lanes / 2; distance; distance /= 2) {
    auto order = llvm::map_to_vector(llvm::seq(k.lanes), [&](int64_t lane) {
      return (lane + distance) % k.lanes;
    });
    vector = combine(
        vector, vector::ShuffleOp::create(k.b, k.loc, vector, vector, order));
  }
  return vector;
}

Value lattn::maxOf(KernelBuilder &k, Value vector) {
  return combineLanes(k, vector, [&](Value x, Value y) { return k.max(x, y); });
}

Value lattn::sumOf(KernelBuilder &k, Value vector) {
  return combineLanes(k, vector,
                      [&](Value x, Value y) { return k.plus(x, y); });
}

/// x and y side by side, in blocks of `block` lanes each: their units of `unit`
/// lanes with even numbers plus those with odd numbers.
static Value addPairs(KernelBuilder &k, Value x, Value y, int64_t block,
                      int64_t unit) {
  SmallVector<int64_t> even, odd;
  for (int64_t base = 0; base < k.lanes; base += block)
    for (int64_t from : {base, base + k.lanes})
      for (int64_t i = 0; i < block; ++i)
        (i / unit % 2 ? odd : even).push_back(from + i);
  return k.plus(vector::ShuffleOp::create(k.b, k.loc, x, y, even),
                vector::ShuffleOp::create(k.b, k.loc, x, y, odd));
}

int64_t lattn::countUnitLanes(const KernelBuilder &k) {
  // Within 128 bits a shuffle is one cheap instruction.
  return std::min<int64_t>(k.lanes, 128 / k.element.getIntOrFloatBitWidth());
}

SmallVector<Value> lattn::sumUnits(KernelBuilder &k, ArrayRef<Value> vectors,
                                   int64_t unit) {
  SmallVector<Value> sums(vectors);
  for (int64_t done = 1; done < unit; done *= 2) {
    for (size_t i = 0; i < sums.size() / 2; ++i)
      sums[i] = addPairs(k, sums[2 * i], sums[2 * i + 1], unit, 1);
    sums.truncate(sums.size() / 2);
  }
  return sums;
}

Value lattn::sumEach(KernelBuilder &k, ArrayRef<Value> vectors) {
  SmallVector<Value> sums = sumUnits(k, vectors, countUnitLanes(k));
  while (sums.size() > 1) {
    for (size_t i = 0; i < sums.size() / 2; ++i)
      sums[i] =
          addPairs(k, sums[2 * i], sums[2 * i + 1], k.lanes, countUnitLanes(k));
    sums.truncate(sums.size() / 2);
  }
  return sums[0];
}

Value lattn::isAnyNaN(KernelBuilder &k, ValueRange vectors) {
  Value any;
  for (unsigned i = 0; i < vectors.size(); i += 2) {
    Value other = vectors[std::min<unsigned>(i + 1, vectors.size() - 1)];
    Value isNaN = arith::CmpFOp::create(k.b, k.loc, arith::CmpFPredicate::UNO,
                                        vectors[i], other);
    any = any ? arith::OrIOp::create(k.b, k.loc, any, isNaN) : isNaN;
  }
  return vector::ReductionOp::create(k.b, k.loc, vector::CombiningKind::OR,
                                     any);
}

SmallVector<Value> lattn::sumSkippingZeros(
    KernelBuilder &k, Value terms, ValueRange sums, int64_t rows,
    KernelBuilder::Body addTerm,
    function_ref<Value(Value term, int64_t row)> loadWeight) {
  Value zero = k.splat(0.0);
  size_t vectors = sums.size() / rows;
  auto step = [&](Value term, ValueRange carried) {
    SmallVector<Value> next = addTerm(term, carried);
    for (int64_t i = 0; i < rows; ++i) {
      Value none = k.isEqual(loadWeight(term, i), zero);
      for (size_t v = i * vectors; v < (i + 1) * vectors; ++v)
        next[v] = k.select(none, carried[v], next[v]);
    }
    return next;
  };
  return k.loop(k.index(0), terms, 1, sums, step);
}

SmallVector<Value> lattn::transposeSquare(KernelBuilder &k,
                                          ArrayRef<Value> rows, int64_t unit) {
  int64_t size = rows.size(), half = size / 2;
  SmallVector<Value> current(rows), next(size);
  auto interleave = [&](Value x, Value y, int64_t from) -> Value {
    SmallVector<int64_t> order;
    for (int64_t i = from; i < from + half; ++i)
      for (int64_t base : {int64_t(0), k.lanes})
        llvm::append_range(order,
                           llvm::seq(base + i * unit, base + (i + 1) * unit));
    return vector::ShuffleOp::create(k.b, k.loc, x, y, order);
  };
  for (int64_t done = 1; done < size; done *= 2) {
    for (int64_t i = 0; i < half; ++i) {
      next[2 * i] = interleave(current[i], current[i + half], 0);
      next[2 * i + 1] = interleave(current[i], current[i + half], half);
    }
    std::swap(current, next);
  }
  return current;
}

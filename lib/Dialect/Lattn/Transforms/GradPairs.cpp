//===- GradPairs.cpp - Gradients of what is read pair by pair -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A pair may add to any element of a bias or a captured array: pairs follow
// each other, in the order of tiles, keys and queries. Parts that run in
// parallel add to other elements, or to sums of their own, which are merged in
// order.

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Sums of parts that run in parallel
//===----------------------------------------------------------------------===//

void GradTiler::choosePairSums() {
  if (op.getDBias()) {
    PairSum sum = {op.getBias(), {}, {}, {}, false};
    // Other coordinates are other elements where one is an index by itself.
    AffineMap map = op.getEffectiveBiasMap();
    for (auto [axis, result] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(result);
          dim && dim.getPosition() < 3)
        sum.axes[dim.getPosition()] = axis;
    std::optional<RectangleAxes> rectangle = findRectangle(map);
    sum.isRectangle = rectangle && op.getDCaptures().empty();
    for (unsigned axis : llvm::seq(map.getNumResults()))
      if (!sum.isRectangle ||
          (axis != rectangle->query && axis != rectangle->key))
        sum.order.push_back(axis);
    if (sum.isRectangle)
      sum.order.append({rectangle->key, rectangle->query});
    pairSums.push_back(sum);
  }
  if (!op.getDCaptures().empty())
    for (Value array : op.getFloatCaptures()) {
      unsigned rank = cast<ShapedType>(array.getType()).getRank();
      pairSums.push_back(
          {array, {}, {}, llvm::to_vector(llvm::seq(rank)), false});
    }
}

bool GradTiler::areApart(unsigned axis) {
  return llvm::all_of(
      pairSums, [&](const PairSum &sum) { return sum.axes[axis].has_value(); });
}

Value GradTiler::arePairSumsSmall() {
  constexpr int64_t mostElements = 1 << 20;
  Value all = zero;
  for (const PairSum &sum : pairSums) {
    Value count = one;
    for (OpFoldResult extent : tensor::getMixedSizes(b, loc, sum.array))
      count = b.createOrFold<arith::MulIOp>(loc, count, index(extent));
    OpFoldResult extents[] = {batches, kvHeads, chunks};
    for (auto [axis, extent] : llvm::enumerate(extents))
      if (!sum.axes[axis])
        count = b.createOrFold<arith::MulIOp>(loc, count, index(extent));
    all = b.createOrFold<arith::AddIOp>(loc, all, count);
  }
  return b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ule, all,
      arith::ConstantIndexOp::create(b, loc, mostElements));
}

SmallVector<Value> GradTiler::buildPairSums() {
  return llvm::map_to_vector(pairSums, [&](const PairSum &sum) {
    SmallVector<OpFoldResult> shape;
    for (unsigned axis : {0, 1, 2})
      shape.push_back(sum.axes[axis] ? b.getIndexAttr(1) : parts[axis]);
    for (unsigned axis : sum.order)
      shape.push_back(tensor::getMixedSize(b, loc, sum.array, axis));
    return filled(shape, 0.0);
  });
}

/// What the part that is being built adds to.
Place GradTiler::getPlace(const PairSum &sum, Value firstBatch,
                          Value firstHead) {
  OpFoldResult single = b.getIndexAttr(1);
  Place place = {SmallVector<OpFoldResult>(sum.at.begin(), sum.at.end()),
                 {single, single, single}};
  for (unsigned axis : sum.order) {
    place.offsets.push_back(b.getIndexAttr(0));
    place.sizes.push_back(tensor::getMixedSize(b, loc, sum.array, axis));
  }
  auto times = [&](Value count) -> Value {
    return b.createOrFold<arith::MulIOp>(loc, count, group);
  };
  std::pair<Value, Value> ranges[] = {
      {firstBatch, index(partSizes[0])},
      {times(firstHead), times(index(partSizes[1]))},
      {chunk.first, chunk.rows}};
  for (auto [coordinate, range] : llvm::enumerate(ranges))
    if (sum.axes[coordinate]) {
      unsigned axis = 3 + (llvm::find(sum.order, *sum.axes[coordinate]) -
                           sum.order.begin());
      place.offsets[axis] = toGlobal(range.first, coordinate);
      place.sizes[axis] = range.second;
    }
  return place;
}

/// The sums of all parts, in their order.
SmallVector<Value> GradTiler::mergePairSums(ValueRange sums) {
  SmallVector<Value> merged;
  for (auto [sum, part] : llvm::zip_equal(pairSums, sums)) {
    SmallVector<OpFoldResult> shape = tensor::getMixedSizes(b, loc, sum.array);
    unsigned rank = shape.size();
    SmallVector<unsigned> kept = llvm::to_vector(llvm::seq(rank));
    SmallVector<unsigned> all = {rank, rank + 1, rank + 2};
    llvm::append_range(all, sum.order);
    using utils::IteratorType;
    SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
    kinds.append(3, IteratorType::reduction);
    merged.push_back(buildGeneric(
        b, loc, part, filled(shape, 0.0),
        {map(all, rank + 3), map(kept, rank + 3)}, kinds,
        [&](OpBuilder &nested, ValueRange args) -> Value {
          return arith::AddFOp::create(nested, loc, args[1], args[0]);
        }));
  }
  return merged;
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Value GradTiler::addElement(Value sum, ValueRange at, Value x) {
  Value old = tensor::ExtractOp::create(b, loc, sum, at);
  Value next =
      arith::AddFOp::create(b, loc, old, convertFloat(b, loc, x, type));
  return tensor::InsertOp::create(b, loc, next, sum, at);
}

/// `sums` and what one pair adds to them; `at` are global coordinates.
SmallVector<Value> GradTiler::addPair(Coordinates at, Value product,
                                      Value gradient, ValueRange sums) {
  SmallVector<Value> next(sums);
  if (op.getDBias()) {
    SmallVector<Value> dims = {at.batch, at.head, at.query, at.key};
    SmallVector<Value> indices = pairSums[0].at;
    AffineMap map = op.getEffectiveBiasMap();
    for (unsigned axis : pairSums[0].order)
      indices.push_back(
          affine::AffineApplyOp::create(b, loc, map.getSubMap({axis}), dims));
    next[0] = addElement(next[0], indices, gradient);
  }
  if (op.getDCaptures().empty())
    return next;
  auto i32 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
  };
  Value scale = buildScale(
      b, loc, op, tensor::getMixedSize(b, loc, op.getQuery(), 3), type);
  SmallVector<Value> arguments = {arith::MulFOp::create(b, loc, product, scale),
                                  i32(at.batch), i32(at.head), i32(at.query),
                                  i32(at.key)};
  llvm::append_range(arguments, op.getCaptures());
  SmallVector<Value> captures = op.getFloatCaptures();
  FailureOr<ReverseBlock> reverse = buildReverse(
      b, op.getScore().front(), arguments, gradient,
      [&](Value value) { return llvm::is_contained(captures, value); });
  assert(succeeded(reverse) && "differentiateScore went over the same ops");
  // A pair that is hidden may have derivatives that are NaN.
  Value isHidden = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                         gradient, constant(0.0));
  for (const ReadCotangent &read : reverse->reads) {
    unsigned number = llvm::find(captures, read.array) - captures.begin();
    number += op.getDBias() ? 1 : 0;
    Value &sum = next[number];
    Value x = convertFloat(b, loc, read.cotangent, type);
    x = arith::SelectOp::create(b, loc, isHidden, constant(0.0), x);
    SmallVector<Value> indices = pairSums[number].at;
    llvm::append_range(indices, read.indices);
    sum = addElement(sum, indices, x);
  }
  return next;
}

/// `sums` and what a tile's pairs add to them.
SmallVector<Value> GradTiler::addPairs(Value head, Value first, Value key,
                                       Value keyCount, Value queryCount,
                                       ValueRange pairs, ValueRange sums) {
  auto addEach = [&]() -> SmallVector<Value> {
    scf::LoopNest nest = scf::buildLoopNest(
        b, loc, {zero, zero}, {keyCount, queryCount}, {one, one}, sums,
        [&](OpBuilder &, Location, ValueRange at, ValueRange carried) {
          auto global = [&](Value from, Value local, unsigned coordinate) {
            return toGlobal(arith::AddIOp::create(b, loc, from, local),
                            coordinate);
          };
          Coordinates where = {toGlobal(batch, 0), toGlobal(head, 1),
                               global(first, at[1], 2), global(key, at[0], 3)};
          Value product = tensor::ExtractOp::create(b, loc, pairs[0], at);
          Value gradient = tensor::ExtractOp::create(b, loc, pairs[1], at);
          return addPair(where, product, gradient, carried);
        });
    return nest.results;
  };
  if (!pairSums[0].isRectangle)
    return addEach();
  Coordinates start = {toGlobal(batch, 0), toGlobal(head, 1),
                       toGlobal(first, 2), toGlobal(key, 3)};
  return {addRectangle(start, keyCount, queryCount, pairs[1], sums[0],
                       [&] { return addEach().front(); })};
}

//===- LocalAttentionHiddenWhole.cpp - Means of hidden slots of all rows --===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// With a bias or dropout each empty row has a mean of its own. The keys among
// its hidden slots are attended with equal scores, which drops weights as the
// op does and has derivatives. Slots outside of the sequence are added to it.

#include "LocalAttentionRows.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;
using utils::IteratorType;

/// How many such slots each row has, (B, N).
Value LocalAttentionRows::countSlots(Count what) {
  Value empty = tensor::EmptyOp::create(
      b, loc, SmallVector<OFR>{batches, length}, element);
  Value zeros =
      linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
  // Nobody reads it: it gives the loop over slots its extent.
  Value extent = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{op.getNumSlots()}, b.getI1Type());
  Value end = getValueOrCreateConstantIndexOp(b, loc, length);
  Value lastKey = arith::SubIOp::create(b, loc, end, index(1));
  AffineMap all = b.getMultiDimIdentityMap(3);
  SmallVector<IteratorType> kinds(3, IteratorType::parallel);
  kinds[2] = IteratorType::reduction;
  return generic(
      extent, zeros, {all.getMinorSubMap(1), all.getMajorSubMap(2)}, kinds,
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value row = loopIndex(nested, loc, 1);
        Value first = getFirstSlot(nested, row);
        Slot slot =
            buildSlot(nested, loopIndex(nested, loc, 2, first), end, lastKey);
        Value counts = slot.outside;
        if (what != Count::Outside)
          counts = buildIsHidden(nested, loopIndex(nested, loc, 0), row, slot,
                                 op.getKeyMask());
        if (what == Count::HiddenKeys) {
          Value isKey = arith::CmpIOp::create(nested, loc, CmpIPredicate::eq,
                                              slot.t, slot.key);
          counts = arith::AndIOp::create(nested, loc, counts, isKey);
        }
        Value next =
            arith::AddFOp::create(nested, loc, args[1], scalar(nested, 1.0));
        return arith::SelectOp::create(nested, loc, counts, next, args[1]);
      });
}

/// Adds to `rows` rows of `sums` what dropout leaves of weights of 1 in those
/// of `slots` slots that a row looks at.
void LocalAttentionRows::addKeptOutside(Value &sums, OFR firstRow, OFR rows,
                                        OFR firstSlot, int64_t slots) {
  SmallVector<Value> values(op.getDropout());
  values.push_back(arith::IndexCastOp::create(
      b, loc, b.getI64Type(), getValueOrCreateConstantIndexOp(b, loc, heads)));
  DropoutBuilder dropout(b, loc, values, element);
  SmallVector<OFR> at(3, b.getIndexAttr(0)), sizes = {batches, heads, rows};
  at[2] = firstRow;
  Value part = slice(sums, at, sizes);
  Value extent =
      tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{slots}, b.getI1Type());
  Value row0 = getValueOrCreateConstantIndexOp(b, loc, firstRow);
  Value slot0 = getValueOrCreateConstantIndexOp(b, loc, firstSlot);
  AffineMap all = b.getMultiDimIdentityMap(4);
  SmallVector<IteratorType> kinds(4, IteratorType::parallel);
  kinds[3] = IteratorType::reduction;
  part = generic(
      extent, part, {all.getMinorSubMap(1), all.getMajorSubMap(3)}, kinds,
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value row = loopIndex(nested, loc, 2, row0);
        Value t = loopIndex(nested, loc, 3, slot0);
        Value first = getFirstSlot(nested, row);
        // Unsigned: slots before the first one are many after it.
        Value after = arith::SubIOp::create(nested, loc, t, first);
        Value isSlot = arith::CmpIOp::create(
            nested, loc, CmpIPredicate::ult, after,
            arith::ConstantIndexOp::create(nested, loc, op.getNumSlots()));
        Value kept = buildDropped(
            nested, loc, dropout, scalar(nested, 1.0),
            {loopIndex(nested, loc, 0), loopIndex(nested, loc, 1), row, t});
        kept = arith::SelectOp::create(nested, loc, isSlot, kept,
                                       scalar(nested, 0.0));
        return arith::AddFOp::create(nested, loc, args[1], kept);
      });
  SmallVector<OFR> ones(3, b.getIndexAttr(1));
  sums = tensor::InsertSliceOp::create(b, loc, part, sums, at, sizes, ones);
}

/// The sum of the weights of slots outside of the sequence, (B, H, N) with
/// dropout, else (B, N).
Value LocalAttentionRows::getSumOutside() {
  if (op.getDropout().empty())
    return countSlots(Count::Outside);
  Value empty = tensor::EmptyOp::create(
      b, loc, SmallVector<OFR>{batches, heads, length}, element);
  Value sums =
      linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
  MLIRContext *context = b.getContext();
  int64_t block = op.getBlockLength();
  int64_t before = op.getLookBackward() * block;
  int64_t after = op.getForwardBlocks() * block;
  AffineExpr s0, s1;
  bindSymbols(context, s0, s1);
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, context);
  };
  if (before) {
    OFR rows = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 1, {s0, constant(before)}, context),
        {length});
    addKeptOutside(sums, b.getIndexAttr(0), rows, b.getIndexAttr(-before),
                   before);
  }
  if (after) {
    OFR firstRow = affine::makeComposedFoldedAffineMax(
        b, loc, AffineMap::get(0, 1, {s0 - after, constant(0)}, context),
        {OFR(padded)});
    firstRow = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 2, {s0, s1}, context), {firstRow, length});
    OFR rows = affine::makeComposedFoldedAffineApply(b, loc, s0 - s1,
                                                     {length, firstRow});
    addKeptOutside(sums, firstRow, rows, OFR(padded), after);
  }
  return sums;
}

/// score -> itself where the row does not see the key, else -inf. The region
/// captures the mask, if there is one.
void LocalAttentionRows::buildHiddenScore(Region &region) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(5, b.getI32Type());
  types[0] = element;
  if (op.getKeyMask())
    types.push_back(op.getKeyMask().getType());
  SmallVector<Location> locs(types.size(), loc);
  Block *block = b.createBlock(&region, region.end(), types, locs);
  auto toIndex = [&](unsigned argument) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                      block->getArgument(argument));
  };
  Value batch = toIndex(1), row = toIndex(3), t = toIndex(4);
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  Value mask = op.getKeyMask() ? block->getArgument(5) : Value();
  Value hidden = buildIsHidden(b, batch, row, {t, t, no, no}, mask);
  YieldOp::create(
      b, loc,
      arith::SelectOp::create(b, loc, hidden, block->getArgument(0), getNone(b))
          .getResult());
}

/// The mean over the keys of each row's hidden slots, like the output.
Value LocalAttentionRows::getMeanOfHiddenKeys() {
  OFR one = b.getIndexAttr(1);
  auto zeros = [&](OFR numHeads) -> Value {
    Value empty = tensor::EmptyOp::create(
        b, loc, inLayout(batches, numHeads, length, one), element);
    return linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
  };
  Value destination = tensor::EmptyOp::create(
      b, loc, inLayout(batches, heads, length, width), element);
  SmallVector<Value> captures;
  if (op.getKeyMask())
    captures.push_back(op.getKeyMask());
  auto slots = WindowAttr::get(b.getContext(), /*left=*/std::nullopt,
                               /*right=*/std::nullopt, op.getBlockLength(),
                               op.getLookBackward(), op.getForwardBlocks());
  Value offset = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(0));
  auto attention = AttentionOp::create(
      b, loc, zeros(heads), zeros(kvHeads), op.getValue(), /*bias=*/Value(),
      /*key_mask=*/Value(), /*kv_lens=*/Value(), offset,
      /*origin=*/ValueRange(), captures, /*sink=*/Value(), op.getDropout(),
      destination, /*lse=*/Value(), slots, /*causal=*/false,
      /*scale=*/FloatAttr(), AffineMapAttr(), op.getLayout(),
      /*schedule=*/ScheduleAttr());
  buildHiddenScore(attention.getScore());
  return attention.getResult(0);
}

/// The output, in empty rows the mean of the row's hidden slots.
Value LocalAttentionRows::fillFromHidden() {
  Type result = cast<ShapedType>(output.getType()).getElementType();
  AffineMap whole = b.getMultiDimIdentityMap(4);
  auto of = [&](ArrayRef<unsigned> axes) {
    return AffineMap::getMultiDimMapWithTargets(4, axes, b.getContext());
  };
  AffineMap row = of({0, op.getHeadAxis(), op.getPositionAxis()});
  AffineMap shared = of({0, op.getPositionAxis()});
  Value outside = getSumOutside();
  AffineMap outsideMap =
      cast<ShapedType>(outside.getType()).getRank() == 3 ? row : shared;
  SmallVector<Value> ins = {lse, getMeanOfHiddenKeys(), outside,
                            countSlots(Count::HiddenKeys),
                            countSlots(Count::Hidden)};
  return generic(
      ins, output, {row, whole, outsideMap, shared, shared, whole},
      SmallVector(4, IteratorType::parallel),
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value isEmpty = isNone(nested, loc, args[0]);
        Value sum = arith::MulFOp::create(nested, loc, args[1], args[3]);
        sum = arith::SubFOp::create(nested, loc, sum, args[2]);
        // Other rows may have no hidden slot: derivatives stay finite.
        Value count = arith::SelectOp::create(nested, loc, isEmpty, args[4],
                                              scalar(nested, 1.0));
        Value mean = arith::DivFOp::create(nested, loc, sum, count);
        return arith::SelectOp::create(nested, loc, isEmpty,
                                       convertFloat(nested, loc, mean, result),
                                       args[5]);
      });
}

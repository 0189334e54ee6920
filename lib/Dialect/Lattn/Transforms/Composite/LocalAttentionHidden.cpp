//===- LocalAttentionHidden.cpp - The mean of slots hidden from a row -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAttentionRows.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using utils::IteratorType;

/// The slots of one row, in a loop over (slot, column). Columns 0..Dv-1 are
/// values, column Dv counts.
class LocalAttentionRows::HiddenSlots {
public:
  HiddenSlots(LocalAttentionRows &rows, Value batch, Value head, Value row)
      : rows(rows), op(rows.op), loc(rows.loc), batch(batch), head(head),
        row(row), first(rows.getFirstSlot(rows.b, row)),
        end(getValueOrCreateConstantIndexOp(rows.b, loc, rows.length)),
        lastKey(arith::SubIOp::create(rows.b, loc, end, rows.index(1))) {}

  /// (Dv + 1): the sums of hidden slots, times `kept` if there is one.
  Value sum(Value kept);
  Value getCountColumn() { return countColumn; }

private:
  Value buildTerm(OpBuilder &b, Value kept);
  Value readKeysValue(OpBuilder &b, Value key, Value column);
  Value drop(OpBuilder &b, Value v, Value kept);

  Value choose(OpBuilder &b, Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  LocalAttentionRows &rows;
  LocalAttentionOp op;
  Location loc;
  Value batch, head, row;
  Value first, end, lastKey; // the position of slot 0, the sequence's end
  Value countColumn;
};

Value LocalAttentionRows::HiddenSlots::sum(Value kept) {
  OpBuilder &b = rows.b;
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  OFR columns =
      affine::makeComposedFoldedAffineApply(b, loc, s0 + 1, {rows.width});
  countColumn = getValueOrCreateConstantIndexOp(b, loc, rows.width);
  Value empty =
      tensor::EmptyOp::create(b, loc, SmallVector<OFR>{columns}, rows.element);
  Value sums =
      linalg::FillOp::create(b, loc, rows.scalar(b, 0.0), empty).getResult(0);
  // Or a tensor that nobody reads, for the loop's extent.
  Value extent = kept;
  if (!kept)
    extent = tensor::EmptyOp::create(
        b, loc, SmallVector<OFR>{b.getIndexAttr(op.getNumSlots())},
        b.getI1Type());
  AffineMap whole = b.getMultiDimIdentityMap(2);
  return rows.generic(
      extent, sums, {whole.getMajorSubMap(1), whole.getMinorSubMap(1)},
      ArrayRef{IteratorType::reduction, IteratorType::parallel},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value term = buildTerm(nested, kept ? args[0] : Value());
        return arith::AddFOp::create(nested, loc, args[1], term);
      });
}

/// What a slot adds to a column.
Value LocalAttentionRows::HiddenSlots::buildTerm(OpBuilder &b, Value kept) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Slot slot = rows.buildSlot(b, loopIndex(b, loc, 0, first), end, lastKey);
  Value d = loopIndex(b, loc, 1);
  Value isCount =
      arith::CmpIOp::create(b, loc, CmpIPredicate::eq, d, countColumn);
  Value v = readKeysValue(b, slot.key, choose(b, isCount, zero, d));
  v = choose(b, slot.noKey, rows.scalar(b, 0.0), v);
  v = choose(b, slot.outside, rows.scalar(b, -1.0), v);
  if (kept)
    v = drop(b, v, kept);
  v = choose(b, isCount, rows.scalar(b, 1.0), v);
  Value hidden = rows.buildIsHidden(b, batch, row, slot, op.getKeyMask());
  return choose(b, hidden, v, rows.scalar(b, 0.0));
}

Value LocalAttentionRows::HiddenSlots::readKeysValue(OpBuilder &b, Value key,
                                                     Value column) {
  SmallVector<Value> indices = {batch, head, key, column};
  if (op.isBnhd())
    std::swap(indices[1], indices[2]);
  Value v = readElement(b, loc, op.getValue(), indices);
  return convertFloat(b, loc, v, rows.element);
}

/// What is dropped takes nothing, not even NaN.
Value LocalAttentionRows::HiddenSlots::drop(OpBuilder &b, Value v, Value kept) {
  Value zero = rows.scalar(b, 0.0);
  Value isKept = arith::CmpFOp::create(b, loc, CmpFPredicate::ONE, kept, zero);
  Value scaled = arith::MulFOp::create(b, loc, v, kept);
  return choose(b, isKept, scaled, zero);
}

LocalAttentionRows::Slot
LocalAttentionRows::buildSlot(OpBuilder &b, Value t, Value end, Value lastKey) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto compare = [&](CmpIPredicate predicate, Value bound) -> Value {
    return arith::CmpIOp::create(b, loc, predicate, t, bound);
  };
  // Reads stay in bounds where the slot has no key.
  Value key = arith::MinSIOp::create(b, loc, t, lastKey);
  key = arith::MaxSIOp::create(b, loc, key, zero);
  Value outside =
      arith::OrIOp::create(b, loc, compare(CmpIPredicate::slt, zero),
                           compare(CmpIPredicate::sge, padded));
  return {t, key, outside, compare(CmpIPredicate::sge, end)};
}

/// Whether `row` does not see a slot.
Value LocalAttentionRows::buildIsHidden(OpBuilder &b, Value batch, Value row,
                                        const Slot &slot, Value mask) {
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  auto negate = [&](Value x) -> Value {
    return arith::XOrIOp::create(b, loc, x, yes);
  };
  auto either = [&](Value x, Value y) -> Value {
    return arith::OrIOp::create(b, loc, x, y);
  };
  Value hidden =
      either(slot.outside,
             negate(buildIsVisible(b, loc, op.getWindow(), row, slot.t)));
  if (!mask)
    return hidden;
  Value taken = readElement(b, loc, mask, {batch, slot.key});
  return either(hidden, either(slot.noKey, negate(taken)));
}

/// The mean of the slots hidden from `row`, (Dv): a bias of -inf leaves rows
/// empty that see some. Without hidden slots it is 0 / 0, NaN. `kept`, if there
/// is one, has a factor for each slot.
Value LocalAttentionRows::getMeanOfHidden(Value batch, Value head, Value row,
                                          Value kept) {
  HiddenSlots slots(*this, batch, head, row);
  Value sums = slots.sum(kept);
  Value count = tensor::ExtractOp::create(b, loc, sums, slots.getCountColumn());
  Value mean = slice(sums, {b.getIndexAttr(0)}, {width});
  return generic(ValueRange(), mean, ArrayRef{b.getMultiDimIdentityMap(1)},
                 ArrayRef{IteratorType::parallel},
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::DivFOp::create(nested, loc, args[0], count);
                 });
}

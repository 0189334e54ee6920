//===- Visibility.cpp - Which elements of a tile are visible --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Visibility.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using fragment::TileType;

bool Visibility::hasWindowBound(bool upper) {
  AffineMap bounds = upper ? window.upper : window.lower;
  return bounds && bounds.getNumResults() > 0;
}

/// The window's bound for `row`, counted from the step's first column; null
/// where the window has none on that side.
Value Visibility::getWindowBound(OpBuilder &nested, bool upper, Value row) {
  if (!hasWindowBound(upper))
    return {};
  auto build = upper ? buildUpperBound : buildLowerBound;
  if (rowsAreKeys) {
    Value position = arith::AddIOp::create(nested, loc, origin.key, row);
    Value at = build(nested, loc, window, position);
    Value first =
        buildPosition(nested, loc, op.getOffset(), origin.batch, origin.query);
    return arith::SubIOp::create(nested, loc, at, first);
  }
  Value query = arith::AddIOp::create(nested, loc, origin.query, row);
  Value position =
      buildPosition(nested, loc, op.getOffset(), origin.batch, query);
  Value at = build(nested, loc, window, position);
  return arith::SubIOp::create(nested, loc, at, origin.key);
}

/// `upper`, or 0 if the key of `row` is hidden from all queries.
Value Visibility::hideKeys(OpBuilder &nested, Value upper, Value row) {
  Value zero = arith::ConstantIndexOp::create(nested, loc, 0);
  Value one = arith::ConstantIndexOp::create(nested, loc, 1);
  Value last = tensor::DimOp::create(nested, loc, op.getKey(), 0);
  last = arith::SubIOp::create(nested, loc, last, one);
  row = arith::MinSIOp::create(nested, loc, row, last);
  Value key = arith::AddIOp::create(nested, loc, origin.key, row);
  auto keepIf = [&](Value visible) {
    upper = arith::SelectOp::create(nested, loc, visible, upper, zero);
  };
  if (Value lens = op.getKvLens()) {
    Value len = readBatchNumber(nested, loc, lens, origin.batch);
    len = nested.createOrFold<arith::IndexCastOp>(loc, nested.getIndexType(),
                                                  len);
    keepIf(arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::slt, key,
                                 len));
  }
  if (op.getKeyMask())
    keepIf(readMaskOf(nested, key));
  return upper;
}

/// A bound of the visible columns of each row, counted from the step's first,
/// in [0, size]; null where there is none on that side.
Value Visibility::bound(bool upper) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  bool hidesKeys = upper && rowsAreKeys && (op.getKvLens() || op.getKeyMask());
  if (!hidesKeys && !hasWindowBound(upper))
    return {};
  return map(rowType(b.getI32Type()), {},
             [&](OpBuilder &nested, ValueRange args) {
               Value at = getWindowBound(nested, upper, args[0]);
               if (at) {
                 at = arith::MaxSIOp::create(nested, loc, at, zero);
                 at = arith::MinSIOp::create(nested, loc, at, size);
               }
               if (hidesKeys)
                 at = hideKeys(nested, at ? at : size, args[0]);
               return narrow(nested, at);
             });
}

Value Visibility::readMaskOf(OpBuilder &nested, Value key) {
  return readElement(nested, loc, op.getKeyMask(), {origin.batch, key});
}

/// Whether the key mask shows the key of each of the step's columns.
Value Visibility::loadMask(int64_t columns) {
  if (!op.getKeyMask() || rowsAreKeys)
    return {};
  OpFoldResult one = b.getIndexAttr(1);
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  Coordinates first = addOrigin(b, loc, op, {none, none, none, none});
  Value size = tensor::DimOp::create(b, loc, op.getKey(), 0);
  Value keys = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get({ShapedType::kDynamic}, b.getI1Type()),
      op.getKeyMask(), {OpFoldResult(first.batch), OpFoldResult(first.key)},
      {one, OpFoldResult(size)}, {one, one});
  return fragment::LoadFlagsOp::create(
      b, loc, columnType(columns, b.getI1Type()), keys);
}

Value Visibility::hideByMask(Value tile, double hidden, Value mask) {
  return map(cast<TileType>(tile.getType()), {tile, mask},
             [&](OpBuilder &nested, ValueRange args) {
               return arith::SelectOp::create(nested, loc, args[3], args[2],
                                              constant(nested, hidden))
                   .getResult();
             });
}

Value Visibility::hide(Value tile, double hidden, Value mask) {
  if (!mask)
    mask = loadMask(cast<TileType>(tile.getType()).getColumns());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  size = tensor::DimOp::create(b, loc,
                               rowsAreKeys ? op.getQuery() : op.getKey(), 0);
  origin = addOrigin(b, loc, op, {zero, zero, zero, zero});
  if (op.getKvLens() && !rowsAreKeys) { // columns end with the keys
    Value len = readBatchNumber(b, loc, op.getKvLens(), origin.batch);
    len = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), len);
    len = arith::SubIOp::create(b, loc, len, origin.key);
    len = arith::MaxSIOp::create(b, loc, len, zero);
    size = arith::MinSIOp::create(b, loc, size, len);
  }
  Value lower = bound(/*upper=*/false), upper = bound(/*upper=*/true);
  Value end = upper ? Value() : narrow(b, size);
  SmallVector<Value> inputs = {tile};
  for (Value input : {lower, upper, mask})
    if (input)
      inputs.push_back(input);
  return map(
      cast<TileType>(tile.getType()), inputs,
      [&](OpBuilder &nested, ValueRange args) {
        Value column = narrow(nested, args[1]), visible;
        auto require = [&](Value condition) {
          if (visible)
            condition = arith::AndIOp::create(nested, loc, visible, condition);
          visible = condition;
        };
        auto compare = [&](arith::CmpIPredicate predicate, Value limit) {
          require(arith::CmpIOp::create(nested, loc, predicate, column, limit));
        };
        ValueRange limits = args.drop_front(3);
        if (lower)
          compare(arith::CmpIPredicate::sge, limits.front());
        if (upper)
          compare(arith::CmpIPredicate::slt, limits[lower ? 1 : 0]);
        if (end)
          compare(arith::CmpIPredicate::slt, end);
        if (mask)
          require(limits.back());
        return arith::SelectOp::create(nested, loc, visible, args[2],
                                       constant(nested, hidden))
            .getResult();
      });
}

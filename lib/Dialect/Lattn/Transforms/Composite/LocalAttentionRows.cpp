//===- LocalAttentionRows.cpp - The rows that local attention mends -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAttentionRows.h"
#include "Projection.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpFPredicate;
using utils::IteratorType;

//===----------------------------------------------------------------------===//
// Shorthand
//===----------------------------------------------------------------------===//

LocalAttentionRows::LocalAttentionRows(OpBuilder &b, LocalAttentionOp op,
                                       Value output, Value lse,
                                       AffineMap biasMap)
    : b(b), op(op), loc(op.getLoc()), output(output), lse(lse),
      biasMap(biasMap), element(getAccumulatorType(op.getQuery().getType())) {
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, op.getOutput());
  batches = sizes[0];
  heads = sizes[op.getHeadAxis()];
  length = sizes[op.getPositionAxis()];
  width = sizes[3];
  kvHeads = getValueOrCreateConstantIndexOp(
      b, loc, tensor::getMixedSize(b, loc, op.getKey(), op.getHeadAxis()));
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  int64_t window = op.getWindowSize();
  OFR end = length;
  if (op.getAutopad())
    end = affine::makeComposedFoldedAffineApply(
        b, loc, s0.ceilDiv(window) * window, {length});
  padded = getValueOrCreateConstantIndexOp(b, loc, end);
}

Value LocalAttentionRows::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value LocalAttentionRows::scalar(OpBuilder &b, double value) {
  return arith::ConstantOp::create(b, loc, b.getFloatAttr(element, value));
}

SmallVector<OpFoldResult>
LocalAttentionRows::inLayout(OFR batch, OFR head, OFR position, OFR width) {
  if (op.isBnhd())
    return {batch, position, head, width};
  return {batch, head, position, width};
}

Value LocalAttentionRows::slice(Value tensor, ArrayRef<OFR> offsets,
                                ArrayRef<OFR> sizes) {
  SmallVector<OFR> ones(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, tensor, offsets, sizes, ones);
}

Value LocalAttentionRows::generic(ValueRange ins, Value out,
                                  ArrayRef<AffineMap> maps,
                                  ArrayRef<IteratorType> kinds,
                                  ElementBody body) {
  return buildGeneric(b, loc, ins, out, maps, kinds, body);
}

Value LocalAttentionRows::loopIndex(OpBuilder &b, Location loc, unsigned dim,
                                    Value base) {
  Value at = linalg::IndexOp::create(b, loc, dim);
  return base ? arith::AddIOp::create(b, loc, base, at).getResult() : at;
}

Value LocalAttentionRows::indexToFloat(OpBuilder &b, Location loc, Value index,
                                       Type type) {
  index = arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, loc, type, index);
}

/// -inf
static Value buildNone(OpBuilder &b, Location loc, Type type) {
  return arith::ConstantOp::create(
      b, loc,
      b.getFloatAttr(type,
                     APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                                     /*Negative=*/true)));
}

Value LocalAttentionRows::getNone(OpBuilder &b) {
  return buildNone(b, loc, element);
}

Value LocalAttentionRows::isNone(OpBuilder &b, Location loc, Value lse) {
  return arith::CmpFOp::create(b, loc, CmpFPredicate::OEQ, lse,
                               buildNone(b, loc, lse.getType()));
}

//===----------------------------------------------------------------------===//
// Empty rows
//===----------------------------------------------------------------------===//

Value LocalAttentionRows::hasEmptyRow(Value lseRows) {
  MLIRContext *context = b.getContext();
  Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
  Value found = tensor::FromElementsOp::create(
      b, loc, RankedTensorType::get({}, b.getI1Type()), no);
  SmallVector<IteratorType> kinds(3, IteratorType::reduction);
  found = generic(lseRows, found,
                  {AffineMap::getMultiDimIdentityMap(3, context),
                   AffineMap::get(3, 0, context)},
                  kinds, [&](OpBuilder &nested, ValueRange args) -> Value {
                    return arith::OrIOp::create(nested, loc, args[1],
                                                isNone(nested, loc, args[0]));
                  });
  return tensor::ExtractOp::create(b, loc, found, ValueRange());
}

/// The mean of all slots of the block that starts at firstRow, (Dv): every slot
/// is hidden from an empty row where there is no bias.
Value LocalAttentionRows::getMeanOfSlots(Value batch, Value head,
                                         Value firstRow) {
  int64_t block = op.getBlockLength(), slots = op.getNumSlots();
  Value zero = index(0), end = getValueOrCreateConstantIndexOp(b, loc, length);
  Value first = arith::SubIOp::create(b, loc, firstRow,
                                      index(op.getLookBackward() * block));
  Value last = arith::AddIOp::create(b, loc, first, index(slots));
  Value begin = arith::MaxSIOp::create(b, loc, first, zero);
  auto countUpTo = [&](Value bound) -> Value {
    Value at = arith::MinSIOp::create(b, loc, last, bound);
    at = arith::SubIOp::create(b, loc, at, begin);
    return arith::MaxSIOp::create(b, loc, at, zero);
  };
  Value keys = countUpTo(end);
  // Slots outside the sequence, padding included, hold -1.
  Value outside =
      arith::SubIOp::create(b, loc, index(slots), countUpTo(padded));
  Value sum = arith::SubFOp::create(b, loc, scalar(b, 0.0),
                                    indexToFloat(b, loc, outside, element));
  OFR one = b.getIndexAttr(1);
  SmallVector<OFR> at = inLayout(batch, head, begin, b.getIndexAttr(0));
  SmallVector<OFR> sizes = inLayout(one, one, keys, width);
  auto type = cast<RankedTensorType>(op.getValue().getType());
  auto rowsType = RankedTensorType::get(
      {ShapedType::kDynamic, type.getDimSize(3)}, type.getElementType());
  Value values = tensor::ExtractSliceOp::create(
      b, loc, rowsType, op.getValue(), at, sizes, SmallVector<OFR>(4, one));
  Value empty =
      tensor::EmptyOp::create(b, loc, SmallVector<OFR>{width}, element);
  Value sums = linalg::FillOp::create(b, loc, sum, empty).getResult(0);
  MLIRContext *context = b.getContext();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(2, context);
  AffineMap column = AffineMap::getMultiDimMapWithTargets(2, {1}, context);
  sums = generic(values, sums, {whole, column},
                 ArrayRef{IteratorType::reduction, IteratorType::parallel},
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   Value v = convertFloat(nested, loc, args[0], element);
                   return arith::AddFOp::create(nested, loc, args[1], v);
                 });
  AffineMap identity = AffineMap::getMultiDimIdentityMap(1, context);
  return generic(
      ValueRange(), sums, {identity}, ArrayRef{IteratorType::parallel},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        return arith::DivFOp::create(
            nested, loc, args[0], scalar(nested, static_cast<double>(slots)));
      });
}

Value LocalAttentionRows::getFirstSlot(OpBuilder &b, Value row) {
  int64_t block = op.getBlockLength();
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  return affine::makeComposedAffineApply(
      b, loc, (s0.floorDiv(block) - op.getLookBackward()) * block, {OFR(row)});
}

/// What dropout makes of a weight of 1 in each slot of `row`, (J).
Value LocalAttentionRows::getKeptOfSlots(Value batch, Value head, Value row) {
  SmallVector<Value> values(op.getDropout());
  values.push_back(arith::IndexCastOp::create(
      b, loc, b.getI64Type(), getValueOrCreateConstantIndexOp(b, loc, heads)));
  DropoutBuilder dropout(b, loc, values, element);
  Value first = getFirstSlot(b, row);
  Value empty = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{op.getNumSlots()}, element);
  return generic(ValueRange(), empty, ArrayRef{b.getMultiDimIdentityMap(1)},
                 ArrayRef{IteratorType::parallel},
                 [&](OpBuilder &nested, ValueRange) -> Value {
                   Value t = loopIndex(nested, loc, 0, first);
                   return buildDropped(nested, loc, dropout,
                                       scalar(nested, 1.0),
                                       {batch, head, row, t});
                 });
}

Value LocalAttentionRows::getMeanOfRow(const Rows &rows) {
  Value first = getValueOrCreateConstantIndexOp(b, loc, rows.first);
  Value kvHead =
      buildKvHead(b, loc, rows.head,
                  getValueOrCreateConstantIndexOp(b, loc, heads), kvHeads);
  if (!biasMap && op.getDropout().empty())
    return getMeanOfSlots(rows.batch, kvHead, first);
  Value kept;
  if (!op.getDropout().empty())
    kept = getKeptOfSlots(rows.batch, rows.head, first);
  return getMeanOfHidden(rows.batch, kvHead, first, kept);
}

void LocalAttentionRows::fillEmptyRows() {
  MLIRContext *context = b.getContext();
  Type result = cast<ShapedType>(output.getType()).getElementType();
  AffineMap whole = AffineMap::getMultiDimIdentityMap(4, context);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      4, {0, op.getHeadAxis(), op.getPositionAxis()}, context);
  AffineMap column = AffineMap::getMultiDimMapWithTargets(4, {3}, context);
  // With a bias or dropout each row has a mean of its own, else a block has
  // one.
  bool alone = biasMap || !op.getDropout().empty();
  output = forEachRows(
      alone ? 1 : op.getBlockLength(), output, [&](const Rows &rows) -> Value {
        OFR one = b.getIndexAttr(1);
        Value lseRows = slice(lse, {rows.batch, rows.head, rows.first},
                              {one, one, rows.count});
        auto fill = [&](OpBuilder &, Location) {
          Value mean = getMeanOfRow(rows);
          Value filled = generic(
              ValueRange{lseRows, mean}, rows.tile, {row, column, whole},
              SmallVector<IteratorType>(4, IteratorType::parallel),
              [&](OpBuilder &nested, ValueRange args) -> Value {
                Value v = convertFloat(nested, loc, args[1], result);
                return arith::SelectOp::create(
                    nested, loc, isNone(nested, loc, args[0]), v, args[2]);
              });
          scf::YieldOp::create(b, loc, filled);
        };
        return scf::IfOp::create(b, loc, hasEmptyRow(lseRows), fill,
                                 [&](OpBuilder &, Location) {
                                   scf::YieldOp::create(b, loc, rows.tile);
                                 })
            .getResult(0);
      });
}

//===----------------------------------------------------------------------===//
// Blocks of rows
//===----------------------------------------------------------------------===//

Value LocalAttentionRows::forEachRows(
    int64_t group, Value destination,
    llvm::function_ref<Value(const Rows &)> body) {
  MLIRContext *context = b.getContext();
  AffineExpr s0, s1;
  bindSymbols(context, s0, s1);
  OFR groups = affine::makeComposedFoldedAffineApply(b, loc, s0.ceilDiv(group),
                                                     {length});
  auto forall =
      scf::ForallOp::create(b, loc, ArrayRef<OFR>{batches, heads, groups},
                            destination, /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  Value carried = forall.getRegionIterArgs()[0];
  Rows rows;
  rows.batch = forall.getInductionVar(0);
  rows.head = forall.getInductionVar(1);
  rows.first = affine::makeComposedFoldedAffineApply(
      b, loc, s0 * group, {OFR(forall.getInductionVar(2))});
  rows.count = affine::makeComposedFoldedAffineMin(
      b, loc,
      AffineMap::get(0, 2, {getAffineConstantExpr(group, context), s0 - s1},
                     context),
      {length, rows.first});
  OFR zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  rows.at = inLayout(rows.batch, rows.head, rows.first, zero);
  rows.sizes = inLayout(one, one, rows.count, width);
  rows.tile = slice(carried, rows.at, rows.sizes);
  Value computed = body(rows);
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, computed, carried, rows.at,
                                        rows.sizes, SmallVector<OFR>(4, one));
  return forall.getResult(0);
}

Value LocalAttentionRows::roundTo(Value destination) {
  constexpr int64_t group = 128; // rows of a work item
  return forEachRows(group, destination, [&](const Rows &rows) {
    Value wide = slice(output, rows.at, rows.sizes);
    return convertTo(b, loc, wide, rows.tile);
  });
}

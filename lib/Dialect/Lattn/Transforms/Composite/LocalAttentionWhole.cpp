//===- LocalAttentionWhole.cpp - Empty rows, without loops over blocks ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The same rows as fillEmptyRows, by operations on whole arrays, which have
// derivatives.

#include "LocalAttentionRows.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;
using utils::IteratorType;

/// `x` with so many rows of a value before and after those along `axis`.
static Value padAxis(OpBuilder &b, Location loc, Value x, unsigned axis,
                     OpFoldResult before, OpFoldResult after, Value value) {
  auto type = cast<RankedTensorType>(x.getType());
  SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0)), high(low);
  low[axis] = before;
  high[axis] = after;
  return tensor::PadOp::create(b, loc, Type(), x, low, high, value).getResult();
}

/// (B, kv heads, blocks, Dv)
Value LocalAttentionRows::getZerosOfBlocks(OFR blocks) {
  Value empty = tensor::EmptyOp::create(
      b, loc,
      SmallVector<OFR>{batches, getAsOpFoldResult(kvHeads), blocks, width},
      element);
  return linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
}

/// The sums of the values of each of `blocks` blocks, (B, kv heads, blocks,
/// Dv).
Value LocalAttentionRows::getSumsOfBlocks(OFR blocks) {
  unsigned axis = op.getPositionAxis();
  Value value = op.getValue();
  auto type = cast<RankedTensorType>(value.getType());
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  OFR rest = affine::makeComposedFoldedAffineApply(b, loc, s0 - s1,
                                                   {OFR(padded), length});
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  value = padAxis(b, loc, value, axis, b.getIndexAttr(0), rest, zero);
  // (.., N, ..) -> (.., blocks, W, ..)
  SmallVector<OFR> sizes = tensor::getMixedSizes(b, loc, value);
  sizes[axis] = b.getIndexAttr(op.getBlockLength());
  sizes.insert(sizes.begin() + axis, blocks);
  SmallVector<int64_t> extents;
  SmallVector<ReassociationIndices> groups(4);
  for (unsigned i = 0; i < sizes.size(); ++i) {
    extents.push_back(
        getConstantIntValue(sizes[i]).value_or(ShapedType::kDynamic));
    groups[i - (i > axis)].push_back(i);
  }
  Value split = tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(extents, type.getElementType()), value,
      groups, sizes);
  Value zeros = getZerosOfBlocks(blocks);
  SmallVector<unsigned> axes = {0, 1, 2, 4, 3};
  if (op.isBnhd())
    axes = {0, 2, 4, 1, 3};
  SmallVector<IteratorType> kinds(5, IteratorType::parallel);
  kinds[4] = IteratorType::reduction;
  return generic(split, zeros,
                 {AffineMap::getMultiDimMapWithTargets(5, axes, b.getContext()),
                  b.getMultiDimIdentityMap(5).getMajorSubMap(4)},
                 kinds, [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::AddFOp::create(
                       nested, loc, args[1],
                       convertFloat(nested, loc, args[0], element));
                 });
}

/// The sums of all slots that the rows of each block look at, like
/// getSumsOfBlocks. A slot outside of the sequence counts as -1.
Value LocalAttentionRows::getSumsOfSlots(OFR blocks) {
  Value sums = getSumsOfBlocks(blocks);
  int64_t before = op.getLookBackward(), after = op.getForwardBlocks();
  Value outside = scalar(b, -static_cast<double>(op.getBlockLength()));
  sums = padAxis(b, loc, sums, 2, b.getIndexAttr(before), b.getIndexAttr(after),
                 outside);
  Value zeros = getZerosOfBlocks(blocks);
  // Nobody reads it: it gives the loop over blocks its extent.
  Value extent = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{before + 1 + after}, b.getI1Type());
  AffineMap all = b.getMultiDimIdentityMap(5);
  SmallVector<AffineExpr> shifted(all.getResults().drop_back());
  shifted[2] = shifted[2] + b.getAffineDimExpr(4);
  SmallVector<IteratorType> kinds(5, IteratorType::parallel);
  kinds[4] = IteratorType::reduction;
  return generic(ValueRange{sums, extent}, zeros,
                 {AffineMap::get(5, 0, shifted, b.getContext()),
                  all.getMinorSubMap(1), all.getMajorSubMap(4)},
                 kinds, [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::AddFOp::create(nested, loc, args[2], args[0]);
                 });
}

/// The mean of the slots of each row's block, like the output.
Value LocalAttentionRows::getMeansOfSlots() {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  OFR blocks = affine::makeComposedFoldedAffineApply(
      b, loc, s0.floorDiv(op.getBlockLength()), {OFR(padded)});
  Value sums = getSumsOfSlots(blocks);
  Value numHeads = getValueOrCreateConstantIndexOp(b, loc, heads);
  OFR group = b.createOrFold<arith::DivUIOp>(
      loc, numHeads, arith::MaxUIOp::create(b, loc, kvHeads, index(1)));
  // (B, kv heads, group, blocks, W, Dv), in the op's layout
  SmallVector<OFR> sizes = {
      batches, OFR(kvHeads), group, blocks, b.getIndexAttr(op.getBlockLength()),
      width};
  SmallVector<unsigned> axes = {0, 1, 3, 5};
  if (op.isBnhd()) {
    sizes = {sizes[0], sizes[3], sizes[4], sizes[1], sizes[2], sizes[5]};
    axes = {0, 3, 1, 5};
  }
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  Value means =
      generic(sums, empty,
              {AffineMap::getMultiDimMapWithTargets(6, axes, b.getContext()),
               b.getMultiDimIdentityMap(6)},
              SmallVector(6, IteratorType::parallel),
              [&](OpBuilder &nested, ValueRange args) -> Value {
                return arith::DivFOp::create(
                    nested, loc, args[0],
                    scalar(nested, static_cast<double>(op.getNumSlots())));
              });
  means = tensor::CollapseShapeOp::create(
      b, loc, means, ArrayRef<ReassociationIndices>{{0}, {1, 2}, {3, 4}, {5}});
  SmallVector<OFR> zeros(4, b.getIndexAttr(0));
  return slice(means, zeros, inLayout(batches, heads, length, width));
}

/// The output, in empty rows the mean of the block's slots.
Value LocalAttentionRows::fillFromSlots() {
  Value means = getMeansOfSlots();
  Type result = cast<ShapedType>(output.getType()).getElementType();
  AffineMap whole = b.getMultiDimIdentityMap(4);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      4, {0, op.getHeadAxis(), op.getPositionAxis()}, b.getContext());
  return generic(ValueRange{lse, means}, output, {row, whole, whole},
                 SmallVector(4, IteratorType::parallel),
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   return arith::SelectOp::create(
                       nested, loc, isNone(nested, loc, args[0]),
                       convertFloat(nested, loc, args[1], result), args[2]);
                 });
}

void LocalAttentionRows::fillEmptyRowsWhole() {
  auto fill = [&](OpBuilder &nested, Location) {
    bool alone = biasMap || !op.getDropout().empty();
    scf::YieldOp::create(nested, loc,
                         alone ? fillFromHidden() : fillFromSlots());
  };
  auto keep = [&](OpBuilder &nested, Location) {
    scf::YieldOp::create(nested, loc, output);
  };
  output = scf::IfOp::create(b, loc, hasEmptyRow(lse), fill, keep).getResult(0);
}

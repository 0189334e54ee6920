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

/// The sums of all slots of each block, (B, kv heads, blocks, Dv).
Value LocalAttentionRows::getSumsOfSlots() {
  int64_t block = op.getBlockLength(), slots = op.getNumSlots();
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  OFR blocks = affine::makeComposedFoldedAffineApply(b, loc, s0.ceilDiv(block),
                                                     {length});
  Value empty = tensor::EmptyOp::create(
      b, loc,
      SmallVector<OFR>{batches, getAsOpFoldResult(kvHeads), blocks, width},
      element);
  Value zeros =
      linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
  // Nobody reads it: it gives the loop over slots its extent.
  Value extent =
      tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{slots}, b.getI1Type());
  Value end = getValueOrCreateConstantIndexOp(b, loc, length);
  Value lastKey = arith::SubIOp::create(b, loc, end, index(1));
  AffineMap all = b.getMultiDimIdentityMap(5);
  SmallVector<IteratorType> kinds(5, IteratorType::parallel);
  kinds[4] = IteratorType::reduction;
  return generic(extent, zeros, {all.getMinorSubMap(1), all.getMajorSubMap(4)},
                 kinds, [&](OpBuilder &nested, ValueRange args) -> Value {
                   Value first = affine::AffineApplyOp::create(
                       nested, loc, (s0 - op.getLookBackward()) * block,
                       ValueRange{loopIndex(nested, loc, 2)});
                   Slot slot = buildSlot(
                       nested, loopIndex(nested, loc, 4, first), end, lastKey);
                   SmallVector<Value> at = {loopIndex(nested, loc, 0),
                                            loopIndex(nested, loc, 1), slot.key,
                                            loopIndex(nested, loc, 3)};
                   if (op.isBnhd())
                     std::swap(at[1], at[2]);
                   Value v = readElement(nested, loc, op.getValue(), at);
                   v = convertFloat(nested, loc, v, element);
                   v = arith::SelectOp::create(nested, loc, slot.noKey,
                                               scalar(nested, 0.0), v);
                   v = arith::SelectOp::create(nested, loc, slot.outside,
                                               scalar(nested, -1.0), v);
                   return arith::AddFOp::create(nested, loc, args[1], v);
                 });
}

/// The output, in empty rows the mean of the block's slots.
Value LocalAttentionRows::fillFromSlots() {
  Value sums = getSumsOfSlots();
  Type result = cast<ShapedType>(output.getType()).getElementType();
  Value numHeads = getValueOrCreateConstantIndexOp(b, loc, heads);
  AffineMap whole = b.getMultiDimIdentityMap(4);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      4, {0, op.getHeadAxis(), op.getPositionAxis()}, b.getContext());
  return generic(
      lse, output, {row, whole}, SmallVector(4, IteratorType::parallel),
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value head = loopIndex(nested, loc, op.getHeadAxis());
        Value block =
            arith::ConstantIndexOp::create(nested, loc, op.getBlockLength());
        Value c = arith::DivUIOp::create(
            nested, loc, loopIndex(nested, loc, op.getPositionAxis()), block);
        Value sum = tensor::ExtractOp::create(
            nested, loc, sums,
            ValueRange{loopIndex(nested, loc, 0),
                       buildKvHead(nested, loc, head, numHeads, kvHeads), c,
                       loopIndex(nested, loc, 3)});
        Value mean = arith::DivFOp::create(
            nested, loc, sum,
            scalar(nested, static_cast<double>(op.getNumSlots())));
        return arith::SelectOp::create(
            nested, loc, isNone(nested, loc, args[0]),
            convertFloat(nested, loc, mean, result), args[1]);
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

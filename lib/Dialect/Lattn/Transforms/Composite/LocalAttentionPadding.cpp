//===- LocalAttentionPadding.cpp - The keys that autopad adds -------------===//
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
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using utils::IteratorType;

/// exp(score - lse): what a padded key weighs beside the row's other keys,
/// whose weight is 1. Without other keys they count as lse = 0. Where others
/// weigh less than rounding, as one's own key does with shared_qk, the weight
/// stays finite: derivatives multiply it by 0.
Value LocalAttentionRows::buildWeight(OpBuilder &b, Location loc, Value score,
                                      Value lse) {
  Value zero =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(lse.getType(), 0.0));
  Value shift = arith::SelectOp::create(b, loc, isNone(b, loc, lse), zero, lse);
  Value difference = arith::SubFOp::create(b, loc, score, shift);
  double most = lse.getType().isF64() ? 512.0 : 64.0;
  difference = arith::MinimumFOp::create(
      b, loc, difference,
      arith::ConstantOp::create(b, loc, b.getFloatAttr(lse.getType(), most)));
  return math::ExpOp::create(b, loc, difference);
}

/// The padded keys' weight beside that of the others, for the rows of lseTail.
/// Without a bias all of a row's padded keys weigh the same.
Value LocalAttentionRows::getPaddedMass(Value lseTail, Value firstRow) {
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, lseTail), element);
  AffineMap map = AffineMap::getMultiDimIdentityMap(3, b.getContext());
  SmallVector<IteratorType> kinds(3, IteratorType::parallel);
  Value first = getValueOrCreateConstantIndexOp(b, loc, length);
  return generic(
      lseTail, empty, {map, map}, kinds,
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value p = loopIndex(nested, loc, 2, firstRow);
        Value end = buildUpperBound(nested, loc, op.getWindow(), p);
        end = arith::MinSIOp::create(nested, loc, end, padded);
        Value count = arith::SubIOp::create(nested, loc, end, first);
        Value none = arith::ConstantIndexOp::create(nested, loc, 0);
        count = arith::MaxSIOp::create(nested, loc, count, none);
        Value weight = buildWeight(nested, loc, scalar(nested, 0.0), args[0]);
        weight = arith::MulFOp::create(
            nested, loc, weight, indexToFloat(nested, loc, count, element));
        // The weight may be infinite, beside a score of -5e4.
        Value some =
            arith::CmpIOp::create(nested, loc, CmpIPredicate::sgt, count, none);
        weight = arith::SelectOp::create(nested, loc, some, weight,
                                         scalar(nested, 0.0));
        return weight;
      });
}

/// The same with a bias: a sum over padded keys.
Value LocalAttentionRows::getMassOfBias(Value lseTail, Value firstRow) {
  MLIRContext *context = b.getContext();
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, lseTail), element);
  Value mass =
      linalg::FillOp::create(b, loc, scalar(b, 0.0), empty).getResult(0);
  Value first = getValueOrCreateConstantIndexOp(b, loc, length);
  // The loop over padded keys takes its extent from a tensor nobody reads.
  Value count = arith::SubIOp::create(b, loc, padded, first);
  Value extent = tensor::EmptyOp::create(b, loc, SmallVector<OFR>{OFR(count)},
                                         b.getI1Type());
  AffineMap row = AffineMap::getMultiDimMapWithTargets(4, {0, 1, 2}, context);
  AffineMap key = AffineMap::getMultiDimMapWithTargets(4, {3}, context);
  SmallVector<IteratorType> kinds(4, IteratorType::parallel);
  kinds[3] = IteratorType::reduction;
  return generic(ValueRange{lseTail, extent}, mass, {row, key, row}, kinds,
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   Value p = loopIndex(nested, loc, 2, firstRow);
                   Value t = loopIndex(nested, loc, 3, first);
                   SmallVector<Value> dims = {loopIndex(nested, loc, 0),
                                              loopIndex(nested, loc, 1), p, t};
                   SmallVector<Value> at;
                   for (unsigned i = 0; i < biasMap.getNumResults(); ++i)
                     at.push_back(affine::AffineApplyOp::create(
                         nested, loc, biasMap.getSubMap({i}), dims));
                   Value score = readElement(nested, loc, op.getBias(), at);
                   score = convertFloat(nested, loc, score, element);
                   // Before exp, whose derivative may be infinite.
                   Value visible =
                       buildIsVisible(nested, loc, op.getWindow(), p, t);
                   score = arith::SelectOp::create(nested, loc, visible, score,
                                                   getNone(nested));
                   Value weight = buildWeight(nested, loc, score, args[0]);
                   return arith::AddFOp::create(nested, loc, args[2], weight);
                 });
}

/// The first row that reaches beyond the last key.
OpFoldResult LocalAttentionRows::getFirstOfTail() {
  MLIRContext *context = b.getContext();
  int64_t reach = *getHalo(op.getWindow()).after;
  AffineExpr s0;
  bindSymbols(context, s0);
  return affine::makeComposedFoldedAffineMax(
      b, loc,
      AffineMap::get(0, 1, {s0 - reach, getAffineConstantExpr(0, context)},
                     context),
      {length});
}

/// rows / (1 + mass)
Value LocalAttentionRows::shareWithMass(Value rows, Value mass) {
  AffineMap whole = b.getMultiDimIdentityMap(4);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      4, {0, op.getHeadAxis(), op.getPositionAxis()}, b.getContext());
  return generic(mass, rows, {row, whole},
                 SmallVector(4, IteratorType::parallel),
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   Value total = arith::AddFOp::create(nested, loc, args[0],
                                                       scalar(nested, 1.0));
                   return arith::DivFOp::create(nested, loc, args[1], total);
                 });
}

/// A row that sees padded keys only is not empty.
Value LocalAttentionRows::rescueRows(Value lseTail, Value mass) {
  AffineMap identity = b.getMultiDimIdentityMap(3);
  return generic(mass, lseTail, {identity, identity},
                 SmallVector(3, IteratorType::parallel),
                 [&](OpBuilder &nested, ValueRange args) -> Value {
                   Value zero = scalar(nested, 0.0);
                   Value some = arith::CmpFOp::create(
                       nested, loc, CmpFPredicate::OGT, args[0], zero);
                   Value rescued = arith::AndIOp::create(
                       nested, loc, some, isNone(nested, loc, args[1]));
                   return arith::SelectOp::create(nested, loc, rescued,
                                                  scalar(nested, 0.0), args[1]);
                 });
}

void LocalAttentionRows::addPaddedKeys() {
  OFR first = getFirstOfTail();
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  OFR rows =
      affine::makeComposedFoldedAffineApply(b, loc, s0 - s1, {length, first});
  OFR zero = b.getIndexAttr(0);
  SmallVector<OFR> lseAt = {zero, zero, first};
  SmallVector<OFR> lseSizes = {batches, heads, rows};
  SmallVector<OFR> at = inLayout(zero, zero, first, zero);
  SmallVector<OFR> sizes = inLayout(batches, heads, rows, width);
  Value firstRow = getValueOrCreateConstantIndexOp(b, loc, first);
  Value lseTail = slice(lse, lseAt, lseSizes);
  Value tail = slice(output, at, sizes);
  Value mass = biasMap ? getMassOfBias(lseTail, firstRow)
                       : getPaddedMass(lseTail, firstRow);
  tail = shareWithMass(tail, mass);
  SmallVector<OFR> ones(4, b.getIndexAttr(1));
  output = tensor::InsertSliceOp::create(b, loc, tail, output, at, sizes, ones);
  if (!biasMap)
    return;
  lseTail = rescueRows(lseTail, mass);
  ones.pop_back();
  lse = tensor::InsertSliceOp::create(b, loc, lseTail, lse, lseAt, lseSizes,
                                      ones);
}

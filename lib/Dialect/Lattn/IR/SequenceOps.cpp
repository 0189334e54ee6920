//===- SequenceOps.cpp - lattn.pad_sequences and lattn.pack_sequences -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DimOfResult.h"
#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace lattn;

unsigned PadSequencesOp::getRowAxis() {
  return lattn::getRowAxis(getPacked(), getLayout());
}
unsigned PackSequencesOp::getRowAxis() {
  return lattn::getRowAxis(getPadded(), getLayout());
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static LogicalResult verifyPacked(Operation *op, Value packed, StringRef name) {
  auto type = cast<RankedTensorType>(packed.getType());
  if (type.getRank() != 3 && type.getRank() != 4)
    return op->emitOpError("expected ")
           << name << " of rank 4 (1, head, row, element), or 3 without "
           << "elements, got rank " << type.getRank();
  return verifyExtent(op, packed, name, 0, 1, "the one batch of packed rows");
}

/// How many sequences there are, as far as that is known.
static int64_t getSequenceCount(Value cuSeqlens) {
  int64_t size = cast<RankedTensorType>(cuSeqlens.getType()).getDimSize(0);
  return ShapedType::isDynamic(size) ? size : size - 1;
}

static LogicalResult verifyCuSeqlens(Operation *op, Value cuSeqlens) {
  if (cast<RankedTensorType>(cuSeqlens.getType()).getDimSize(0) == 0)
    return op->emitOpError("expected cu_seqlens of at least 1 entry, got 0");
  return success();
}

/// Errors unless `padded` has a batch for each sequence and else, but for its
/// rows, the shape and type of `packed`.
static LogicalResult verifyPadded(Operation *op, Value padded, Value packed,
                                  Value cuSeqlens, unsigned rowAxis) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(packed.getType()).getShape());
  shape[0] = getSequenceCount(cuSeqlens);
  shape[rowAxis] = ShapedType::kDynamic;
  Type element = getElementTypeOrSelf(packed.getType());
  if (failed(verifyRank(op, padded, "padded", shape.size(),
                        "as the packed rows have")) ||
      failed(verifyElementType(op, padded, "padded", element)))
    return failure();
  return verifyShape(op, padded, "padded", shape,
                     "packed rows with a batch for each sequence");
}

LogicalResult PadSequencesOp::verify() {
  // pad_sequences_c1
  if (failed(verifyPacked(*this, getPacked(), "packed")))
    return failure();
  // pad_sequences_c2
  if (failed(verifyCuSeqlens(*this, getCuSeqlens())))
    return failure();
  // pad_sequences_c3
  if (failed(verifyPadded(*this, getPadded(), getPacked(), getCuSeqlens(),
                          getRowAxis())))
    return failure();
  return verifyShape(*this, getLengths(), "lengths",
                     {getSequenceCount(getCuSeqlens())}, "the sequences");
}

LogicalResult PackSequencesOp::verify() {
  // pack_sequences_c3
  if (failed(verifyPacked(*this, getOutput(), "output")))
    return failure();
  // pack_sequences_c2
  if (failed(verifyCuSeqlens(*this, getCuSeqlens())))
    return failure();
  // pack_sequences_c1
  return verifyPadded(*this, getPadded(), getOutput(), getCuSeqlens(),
                      getRowAxis());
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult
PadSequencesOp::reifyResultShapes(OpBuilder &b,
                                  ReifiedRankedShapedTypeDims &shapes) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, getLoc(), getPacked());
  sizes[0] = getAsOpFoldResult(buildSequenceCount(b, getLoc(), getCuSeqlens()));
  sizes[getRowAxis()] = getMaxSeqlen();
  shapes.push_back(sizes);
  shapes.push_back({sizes[0]});
  return success();
}

LogicalResult
PackSequencesOp::reifyResultShapes(OpBuilder &b,
                                   ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(tensor::getMixedSizes(b, getLoc(), getOutput()));
  return success();
}

void PadSequencesOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add<DimOfResult<PadSequencesOp>>(context);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

PadSequencesOp lattn::getPaddedSequences(Value array) {
  while (auto cast = array.getDefiningOp<tensor::CastOp>())
    array = cast.getSource();
  return array.getDefiningOp<PadSequencesOp>();
}

SmallVector<OpFoldResult> lattn::getMixedSizes(OpBuilder &b, Location loc,
                                               Value array) {
  for (auto cast = array.getDefiningOp<tensor::CastOp>();
       cast && isa<RankedTensorType>(cast.getSource().getType());
       cast = array.getDefiningOp<tensor::CastOp>())
    array = cast.getSource();
  Operation *op = array.getDefiningOp();
  ReifiedRankedShapedTypeDims shapes;
  if (isa_and_nonnull<PadSequencesOp, GatherPagesOp>(op) &&
      succeeded(reifyResultShapes(b, op, shapes)))
    return shapes[cast<OpResult>(array).getResultNumber()];
  return tensor::getMixedSizes(b, loc, array);
}

Value lattn::buildSequenceCount(OpBuilder &b, Location loc, Value cuSeqlens) {
  Value entries = b.createOrFold<tensor::DimOp>(loc, cuSeqlens, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  entries = b.createOrFold<arith::MaxSIOp>(loc, entries, one);
  return b.createOrFold<arith::SubIOp>(loc, entries, one);
}

/// Entry `at` of cu_seqlens, moved into [least, most].
static Value readBorder(OpBuilder &b, Location loc, Value cuSeqlens, Value at,
                        Value least, Value most) {
  Value border = tensor::ExtractOp::create(b, loc, cuSeqlens, at);
  border = arith::IndexCastOp::create(b, loc, b.getIndexType(), border);
  border = arith::MaxSIOp::create(b, loc, border, least);
  return arith::MinSIOp::create(b, loc, border, most);
}

SequenceRows lattn::buildSequenceRows(OpBuilder &b, Location loc,
                                      Value cuSeqlens, Value sequence,
                                      Value rows, Value most) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value begin = readBorder(b, loc, cuSeqlens, sequence, zero, rows);
  Value next = arith::AddIOp::create(b, loc, sequence, one);
  Value end = readBorder(b, loc, cuSeqlens, next, begin, rows);
  Value length = arith::SubIOp::create(b, loc, end, begin);
  most = b.createOrFold<arith::MaxSIOp>(loc, most, zero);
  return {begin, b.createOrFold<arith::MinSIOp>(loc, length, most)};
}

SequenceRows lattn::buildSequenceRows(OpBuilder &b, PadSequencesOp op,
                                      Value sequence) {
  Location loc = op.getLoc();
  Value rows =
      b.createOrFold<tensor::DimOp>(loc, op.getPacked(), op.getRowAxis());
  return buildSequenceRows(b, loc, op.getCuSeqlens(), sequence, rows,
                           op.getMaxSeqlen());
}

RowSlice::RowSlice(OpBuilder &b, Location loc, Value array, Layout layout,
                   OpFoldResult batch, OpFoldResult begin, OpFoldResult size) {
  unsigned axis = getRowAxis(array, layout);
  sizes = tensor::getMixedSizes(b, loc, array);
  offsets.assign(sizes.size(), b.getIndexAttr(0));
  strides.assign(sizes.size(), b.getIndexAttr(1));
  offsets[0] = batch;
  sizes[0] = b.getIndexAttr(1);
  offsets[axis] = begin;
  sizes[axis] = size;
}

Value RowSlice::extract(OpBuilder &b, Location loc, Value array) const {
  return tensor::ExtractSliceOp::create(b, loc, array, offsets, sizes, strides);
}
Value RowSlice::insert(OpBuilder &b, Location loc, Value rows,
                       Value array) const {
  return tensor::InsertSliceOp::create(b, loc, rows, array, offsets, sizes,
                                       strides);
}

//===----------------------------------------------------------------------===//
// Decompositions
//===----------------------------------------------------------------------===//

/// A loop over sequences that carries `array`.
static Value
loopOverSequences(OpBuilder &b, Location loc, Value cuSeqlens, Value array,
                  function_ref<Value(OpBuilder &, Value, Value)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count = buildSequenceCount(b, loc, cuSeqlens);
  auto loop = scf::ForOp::create(
      b, loc, zero, count, one, array,
      [&](OpBuilder &nested, Location, Value sequence, ValueRange carried) {
        scf::YieldOp::create(nested, loc, body(nested, sequence, carried[0]));
      });
  return loop.getResult(0);
}

static Value castTo(OpBuilder &b, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, loc, type, value);
}

FailureOr<SmallVector<Value>> PadSequencesOp::decomposeOperation(OpBuilder &b) {
  Location loc = getLoc();
  ReifiedRankedShapedTypeDims shapes;
  if (failed(reifyResultShapes(b, shapes)))
    return failure();
  Type element = getElementTypeOrSelf(getPacked().getType());
  Value empty = tensor::EmptyOp::create(b, loc, shapes[0], element);
  Value none = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.0));
  Value padding = linalg::FillOp::create(b, loc, none, empty).getResult(0);
  OpFoldResult zero = b.getIndexAttr(0);
  Value padded = loopOverSequences(
      b, loc, getCuSeqlens(), padding,
      [&](OpBuilder &nested, Value sequence, Value carried) {
        auto [begin, length] = buildSequenceRows(nested, *this, sequence);
        RowSlice from(nested, loc, getPacked(), getLayout(), zero, begin,
                      length);
        RowSlice to(nested, loc, carried, getLayout(), sequence, zero, length);
        Value rows = from.extract(nested, loc, getPacked());
        return to.insert(nested, loc, rows, carried);
      });
  auto lengthsType = cast<RankedTensorType>(getLengths().getType());
  SmallVector<Value> open;
  if (lengthsType.isDynamicDim(0))
    open.push_back(buildSequenceCount(b, loc, getCuSeqlens()));
  Value lengths = tensor::GenerateOp::create(
      b, loc, lengthsType, open,
      [&](OpBuilder &nested, Location, ValueRange at) {
        Value length = buildSequenceRows(nested, *this, at[0]).length;
        tensor::YieldOp::create(nested, loc,
                                arith::IndexCastOp::create(
                                    nested, loc, nested.getI64Type(), length));
      });
  return SmallVector<Value>{castTo(b, loc, getPadded().getType(), padded),
                            lengths};
}

FailureOr<SmallVector<Value>>
PackSequencesOp::decomposeOperation(OpBuilder &b) {
  Location loc = getLoc();
  OpFoldResult zero = b.getIndexAttr(0);
  Value rows = b.createOrFold<tensor::DimOp>(loc, getOutput(), getRowAxis());
  Value most = b.createOrFold<tensor::DimOp>(loc, getPadded(), getRowAxis());
  Value packed = loopOverSequences(
      b, loc, getCuSeqlens(), getOutput(),
      [&](OpBuilder &nested, Value sequence, Value carried) {
        auto [begin, length] = buildSequenceRows(nested, loc, getCuSeqlens(),
                                                 sequence, rows, most);
        RowSlice from(nested, loc, getPadded(), getLayout(), sequence, zero,
                      length);
        RowSlice to(nested, loc, carried, getLayout(), zero, begin, length);
        Value taken = from.extract(nested, loc, getPadded());
        return to.insert(nested, loc, taken, carried);
      });
  return SmallVector<Value>{packed};
}

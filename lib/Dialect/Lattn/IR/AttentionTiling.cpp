//===- AttentionTiling.cpp - TilingInterface of lattn.attention -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loops are (batch, head, query, key). The first three are parallel; a tile of
// keys alone has no meaning for a softmax and is refused. A tile of queries
// reads the keys that its window touches.

#include "Tiling.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace lattn;

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  using utils::IteratorType;
  return {IteratorType::parallel, IteratorType::parallel,
          IteratorType::parallel, IteratorType::reduction};
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(*this);
  SmallVector<OpFoldResult> query = getMixedExtents(b, getLoc(), getQuery());
  SmallVector<OpFoldResult> key = getMixedExtents(b, getLoc(), getKey());
  SmallVector<Range> domain;
  for (OpFoldResult size : {query[0], query[getHeadAxis()],
                            query[getPositionAxis()], key[getPositionAxis()]})
    domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
  return domain;
}

/// (batch, head, position, size) in the op's layout.
static SmallVector<OpFoldResult> inLayout(AttentionOp op, OpFoldResult batch,
                                          OpFoldResult head,
                                          OpFoldResult position,
                                          OpFoldResult size) {
  if (op.isBnhd())
    return {batch, position, head, size};
  return {batch, head, position, size};
}

/// Whether a tile of `size` keys at `offset` is all of them.
static bool isWholeKeyRange(AttentionOp op, OpFoldResult offset,
                            OpFoldResult size) {
  if (!isZeroInteger(offset))
    return false;
  int64_t keys =
      cast<ShapedType>(op.getKey().getType()).getDimSize(op.getPositionAxis());
  if (ShapedType::isStatic(keys))
    return isConstantIntValue(size, keys);
  auto value = dyn_cast<Value>(size);
  auto dim = value ? value.getDefiningOp<ShapedDimOpInterface>() : nullptr;
  return dim && dim.getShapedValue() == op.getKey() &&
         isConstantIntValue(dim.getDimension(), op.getPositionAxis());
}

/// The keys that a tile of queries touches, in local coordinates; all of them
/// where the tile's queries stand at no common offset.
static std::pair<OpFoldResult, OpFoldResult>
getTouchedKeys(OpBuilder &b, AttentionOp op, Value offset,
               ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
               ArrayRef<Value> origin) {
  WindowAttrInterface window = op.getEffectiveWindow();
  if (!window || !offset || isa<ShapedType>(offset.getType()))
    return {b.getIndexAttr(0), sizes[3]};
  Location loc = op.getLoc();
  auto value = [&](OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(b, loc, ofr);
  };
  Value first = buildPosition(b, loc, offset, {}, origin[2]);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = b.createOrFold<arith::AddIOp>(loc, first, value(sizes[2]));
  last = b.createOrFold<arith::SubIOp>(loc, last, one);
  Value keyOrigin = op.getOrigin().empty() ? Value() : op.getOrigin()[3];
  TileKeyValues keys =
      buildTileKeys(b, loc, window, first, last, value(sizes[3]), keyOrigin);
  Value size = b.createOrFold<arith::SubIOp>(loc, keys.end, keys.begin);
  return {getAsOpFoldResult(keys.begin), getAsOpFoldResult(size)};
}

/// The offset of a tile, a scalar where `batch` is its only batch.
static FailureOr<Value> getTileOffset(OpBuilder &b, AttentionOp op,
                                      Value batch) {
  if (Value offset = buildExplicitOffset(b, op, batch))
    return offset;
  return op.emitOpError("on memrefs with kv_lens and no offset tiles to one "
                        "batch at a time only");
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  if (!isWholeKeyRange(*this, offsets[3], sizes[3])) {
    emitOpError("cannot be tiled along keys: softmax couples them; tile "
                "lattn.online_attention instead");
    return failure();
  }
  SmallVector<OpFoldResult> query = getMixedExtents(b, loc, getQuery());
  SmallVector<OpFoldResult> key = getMixedExtents(b, loc, getKey());
  SmallVector<OpFoldResult> value = getMixedExtents(b, loc, getValue());
  FailureOr<HeadTile> kvHeads = getKvHeadTile(
      b, *this, query[getHeadAxis()], key[getHeadAxis()], offsets[1], sizes[1]);
  if (failed(kvHeads))
    return failure();

  SmallVector<Value> origin =
      getTileOrigin(b, *this, {offsets[0], offsets[1], offsets[2], offsets[3]});
  Value batch = isAtMostOne(sizes[0]) ? origin[0] : Value();
  FailureOr<Value> offset = getTileOffset(b, *this, batch);
  if (failed(offset))
    return failure();
  auto [keyOffset, keySize] =
      getTouchedKeys(b, *this, *offset, offsets, sizes, origin);
  origin =
      getTileOrigin(b, *this, {offsets[0], offsets[1], offsets[2], keyOffset});

  SmallVector<Operation *> slices;
  OpFoldResult zero = b.getIndexAttr(0);
  auto slice = [&](Value operand, ArrayRef<OpFoldResult> at,
                   ArrayRef<OpFoldResult> extents, OpFoldResult width) {
    return sliceOf(b, loc, operand, inLayout(*this, at[0], at[1], at[2], zero),
                   inLayout(*this, extents[0], extents[1], extents[2], width),
                   slices);
  };
  OpFoldResult keysAt[] = {offsets[0], kvHeads->offset, keyOffset};
  OpFoldResult keys[] = {sizes[0], kvHeads->size, keySize};
  IRMapping mapping;
  mapping.map(getQuery(), slice(getQuery(), offsets, sizes, query[3]));
  Value keyTile = slice(getKey(), keysAt, keys, key[3]);
  Value valueTile = slice(getValue(), keysAt, keys, value[3]);
  Value output = slice(getOutput(), offsets, sizes, value[3]);
  Value lse;
  if (getLse())
    lse = sliceOf(b, loc, getLse(), offsets.take_front(3), sizes.take_front(3),
                  slices);

  AttentionOp tiled = AttentionOp::create(
      b, loc, mapping.lookup(getQuery()), keyTile, valueTile, getBias(),
      getKeyMask(), getKvLens(), *offset, origin, getCaptures(), getSink(),
      buildExplicitDropout(b, *this), output, lse, getWindowAttr(), getCausal(),
      getScaleAttr(), getBiasMapAttr(), getLayout(), getScheduleAttr());
  getScore().cloneInto(&tiled.getScore(), mapping);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

LogicalResult AttentionOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  if (resultNumber == 1) {
    resultOffsets.assign(offsets.begin(), offsets.begin() + 3);
    resultSizes.assign(sizes.begin(), sizes.begin() + 3);
    return success();
  }
  OpFoldResult width = getMixedExtents(b, getLoc(), getValue())[3];
  resultOffsets =
      inLayout(*this, offsets[0], offsets[1], offsets[2], b.getIndexAttr(0));
  resultSizes = inLayout(*this, sizes[0], sizes[1], sizes[2], width);
  return success();
}

LogicalResult AttentionOp::getIterationDomainTileFromResultTile(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &domainOffsets,
    SmallVectorImpl<OpFoldResult> &domainSizes) {
  unsigned head = resultNumber == 0 ? getHeadAxis() : 1;
  unsigned position = resultNumber == 0 ? getPositionAxis() : 2;
  int64_t width = cast<ShapedType>(getValue().getType()).getDimSize(3);
  if (resultNumber == 0 &&
      !(isZeroInteger(offsets[3]) &&
        (ShapedType::isDynamic(width) || isConstantIntValue(sizes[3], width))))
    return emitOpError("is not computed for a part of the head size");
  domainOffsets.assign(
      {offsets[0], offsets[head], offsets[position], b.getIndexAttr(0)});
  domainSizes.assign(
      {sizes[0], sizes[head], sizes[position], getIterationDomain(b)[3].size});
  return success();
}

FailureOr<TilingResult>
AttentionOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> domainOffsets, domainSizes;
  if (failed(getIterationDomainTileFromResultTile(
          b, resultNumber, offsets, sizes, domainOffsets, domainSizes)))
    return failure();
  FailureOr<TilingResult> tiled =
      getTiledImplementation(b, domainOffsets, domainSizes);
  if (failed(tiled))
    return failure();
  return TilingResult{tiled->tiledOps,
                      {tiled->tiledValues[resultNumber]},
                      tiled->generatedSlices};
}

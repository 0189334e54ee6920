//===- OnlineAttentionTiling.cpp - Tiling interfaces of lattn.online_attention ===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Loops are (batch, head, query, key), batch and head where the op has them.
// Keys are a reduction whose state the op carries, so that a loop over key
// tiles is online softmax, and partial reduction is split-KV.

#include "Tiling.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

using OnlineOp = OnlineAttentionOp;
static constexpr unsigned kAcc = 3;

/// The op's loops, by dimension.
static SmallVector<OnlineOp::Dim> getLoops(OnlineOp op) {
  SmallVector<OnlineOp::Dim> loops;
  for (OnlineOp::Dim dim : {OnlineOp::Batch, OnlineOp::Head})
    if (op.getAxis(0, dim))
      loops.push_back(dim);
  llvm::append_range(
      loops, ArrayRef<OnlineOp::Dim>{OnlineOp::QueryPos, OnlineOp::KeyPos});
  return loops;
}

SmallVector<utils::IteratorType> OnlineOp::getLoopIteratorTypes() {
  SmallVector<utils::IteratorType> kinds(getLoops(*this).size(),
                                         utils::IteratorType::parallel);
  kinds.back() = utils::IteratorType::reduction;
  return kinds;
}

SmallVector<Range> OnlineOp::getIterationDomain(OpBuilder &b) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(*this);
  SmallVector<Range> domain;
  for (Dim dim : getLoops(*this)) {
    unsigned mapped = dim == KeyPos ? 1 : 0;
    OpFoldResult size =
        isInPages(mapped)
            ? getAsOpFoldResult(getNumKeys())
            : getMixedExtents(b, getLoc(),
                              getMappedOperand(mapped))[*getAxis(mapped, dim)];
    domain.push_back({b.getIndexAttr(0), size, b.getIndexAttr(1)});
  }
  return domain;
}

namespace {
/// A tile of the loops, with what it means for each mapped operand.
class Tile {
public:
  Tile(OpBuilder &b, OnlineOp op, ArrayRef<OpFoldResult> offsets,
       ArrayRef<OpFoldResult> sizes)
      : b(b), op(op), loc(op.getLoc()), loops(getLoops(op)), offsets(offsets),
        sizes(sizes) {}

  /// Offsets and sizes of the slice of mapped operand `mapped`.
  LogicalResult getSlice(unsigned mapped, SmallVector<OpFoldResult> &at,
                         SmallVector<OpFoldResult> &extents);
  FailureOr<Value> slice(unsigned mapped);
  /// The first key and the number of keys of a tile of keys in pages.
  std::pair<Value, Value> getPagedKeys();
  /// The op on this tile, from and to the given state.
  FailureOr<TilingResult> build(ValueRange state);

  SmallVector<Operation *> slices;

private:
  OpBuilder &b;
  OnlineOp op;
  Location loc;
  SmallVector<OnlineOp::Dim> loops;
  ArrayRef<OpFoldResult> offsets, sizes;
};
} // namespace

LogicalResult Tile::getSlice(unsigned mapped, SmallVector<OpFoldResult> &at,
                             SmallVector<OpFoldResult> &extents) {
  extents = getMixedExtents(b, loc, op.getMappedOperand(mapped));
  // In tileToPartialReduction the destinations are already the parts, along
  // one more leading axis.
  unsigned rank = op.getEffectiveMaps()[mapped].getNumResults();
  extents.erase(extents.begin(), extents.end() - rank);
  at.assign(extents.size(), b.getIndexAttr(0));
  for (auto [i, dim] : llvm::enumerate(loops)) {
    std::optional<unsigned> axis = op.getAxis(mapped, dim);
    if (!axis)
      continue;
    if (dim == OnlineOp::Head && (mapped == 1 || mapped == 2)) {
      OpFoldResult heads =
          getMixedExtents(b, loc, op.getQuery())[*op.getAxis(0, dim)];
      FailureOr<HeadTile> tile =
          getKvHeadTile(b, op, heads, extents[*axis], offsets[i], sizes[i]);
      if (failed(tile))
        return failure();
      at[*axis] = tile->offset;
      extents[*axis] = tile->size;
      continue;
    }
    at[*axis] = offsets[i];
    extents[*axis] = sizes[i];
  }
  return success();
}

FailureOr<Value> Tile::slice(unsigned mapped) {
  if (op.isInPages(mapped))
    return op.getMappedOperand(mapped);
  SmallVector<OpFoldResult> at, extents;
  if (failed(getSlice(mapped, at, extents)))
    return failure();
  return sliceOf(b, loc, op.getMappedOperand(mapped), at, extents, slices);
}

std::pair<Value, Value> Tile::getPagedKeys() {
  if (!op.getPages())
    return {};
  unsigned keys = llvm::find(loops, OnlineOp::KeyPos) - loops.begin();
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  OpFoldResult first = affine::makeComposedFoldedAffineApply(
      b, loc, s0 + s1, {OpFoldResult(op.getFirstKey()), offsets[keys]});
  return {getValueOrCreateConstantIndexOp(b, loc, first),
          getValueOrCreateConstantIndexOp(b, loc, sizes[keys])};
}

FailureOr<TilingResult> Tile::build(ValueRange state) {
  FailureOr<Value> query = slice(0), key = slice(1), value = slice(2);
  if (failed(query) || failed(key) || failed(value))
    return failure();
  OpFoldResult zero = b.getIndexAttr(0);
  OpFoldResult local[4] = {zero, zero, zero, zero};
  OpFoldResult queryOffset, querySize;
  for (auto [i, dim] : llvm::enumerate(loops)) {
    local[dim] = offsets[i];
    if (dim == OnlineOp::QueryPos) {
      queryOffset = offsets[i];
      querySize = sizes[i];
    }
  }
  Value rows = op.getQueryRows();
  if (rows && !isZeroInteger(queryOffset)) {
    AffineExpr s0, s1, s2;
    bindSymbols(b.getContext(), s0, s1, s2);
    OpFoldResult left = affine::makeComposedFoldedAffineMin(
        b, loc, AffineMap::get(0, 3, {s0 - s1, s2}, b.getContext()),
        {OpFoldResult(rows), queryOffset, querySize});
    left = affine::makeComposedFoldedAffineMax(
        b, loc,
        AffineMap::get(0, 1, {s0, getAffineConstantExpr(0, b.getContext())},
                       b.getContext()),
        {left});
    rows = getValueOrCreateConstantIndexOp(b, loc, left);
  }
  auto [firstKey, numKeys] = getPagedKeys();
  auto tiled = OnlineOp::create(
      b, loc, *query, *key, *value, op.getBias(), op.getKeyMask(),
      op.getKvLens(), op.getOffset(), getTileOrigin(b, op, local),
      op.getCaptures(), rows, op.getDropout(), /*ahead=*/ValueRange(),
      op.getPages(), firstKey, numKeys, state[0], state[1], state[2],
      op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
      op.getBiasMapAttr(), op.getIndexingMapsAttr(), op.getScheduleAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&tiled.getScore(), mapping);
  return TilingResult{{tiled}, SmallVector<Value>(tiled->getResults()), slices};
}

FailureOr<TilingResult>
OnlineOp::getTiledImplementation(OpBuilder &b, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes) {
  Tile tile(b, *this, offsets, sizes);
  SmallVector<Value> state;
  for (unsigned i = 0; i < 3; ++i) {
    FailureOr<Value> slice = tile.slice(kAcc + i);
    if (failed(slice))
      return failure();
    state.push_back(*slice);
  }
  return tile.build(state);
}

LogicalResult OnlineOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  return Tile(b, *this, offsets, sizes)
      .getSlice(kAcc + resultNumber, resultOffsets, resultSizes);
}

//===----------------------------------------------------------------------===//
// Partial reduction: split-KV. Partial states lie along a new leading axis.
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>>
OnlineOp::generateInitialTensorForPartialReduction(
    OpBuilder &b, Location loc, ArrayRef<OpFoldResult> tileSizes,
    const SetVector<unsigned> &reductionDims) {
  if (!cast<DestinationStyleOpInterface>(getOperation())
           .hasPureTensorSemantics()) {
    emitOpError("splits along keys on tensors only");
    return failure();
  }
  const double identity[] = {0.0, -INFINITY, 0.0};
  SmallVector<Value> state;
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(b, loc, getMappedOperand(kAcc + i));
    for (auto [loop, dim] : llvm::enumerate(getLoops(*this)))
      if (std::optional<unsigned> axis = getAxis(kAcc + i, dim);
          axis && !isZeroInteger(tileSizes[loop]))
        shape[*axis] = tileSizes[loop];
    shape.insert(shape.begin(), tileSizes[reductionDims.front()]);
    Value empty = tensor::EmptyOp::create(b, loc, shape, getAccumulatorType());
    Value constant = arith::ConstantOp::create(
        b, loc, b.getFloatAttr(getAccumulatorType(), identity[i]));
    state.push_back(
        linalg::FillOp::create(b, loc, constant, empty).getResult(0));
  }
  return state;
}

/// Position of part `part` in mapped operand `kAcc + i` with its leading axis.
static LogicalResult getPartSlice(OpBuilder &b, OnlineOp op, unsigned i,
                                  Tile &tile, OpFoldResult part,
                                  SmallVector<OpFoldResult> &offsets,
                                  SmallVector<OpFoldResult> &sizes) {
  if (failed(tile.getSlice(kAcc + i, offsets, sizes)))
    return failure();
  offsets.insert(offsets.begin(), part);
  sizes.insert(sizes.begin(), b.getIndexAttr(1));
  return success();
}

FailureOr<TilingResult> OnlineOp::tileToPartialReduction(
    OpBuilder &b, Location loc, ReductionTilingStrategy strategy,
    ValueRange init, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &reductionDims,
    ArrayRef<OpFoldResult> splitReductionIvs) {
  if (strategy != ReductionTilingStrategy::PartialReductionOuterParallel) {
    emitOpError("splits along keys into parallel parts only");
    return failure();
  }
  Tile tile(b, *this, offsets, sizes);
  SmallVector<Value> state;
  SmallVector<Operation *> initSlices;
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<OpFoldResult> at, extents;
    if (failed(getPartSlice(b, *this, i, tile, splitReductionIvs.front(), at,
                            extents)))
      return failure();
    SmallVector<OpFoldResult> strides(at.size(), b.getIndexAttr(1));
    auto [shape, dynamic] =
        decomposeMixedValues(ArrayRef(extents).drop_front());
    auto type = RankedTensorType::get(shape, getAccumulatorType());
    auto slice = tensor::ExtractSliceOp::create(b, loc, type, init[i], at,
                                                extents, strides);
    initSlices.push_back(slice);
    state.push_back(slice);
  }
  FailureOr<TilingResult> tiled = tile.build(state);
  if (succeeded(tiled))
    llvm::append_range(tiled->generatedSlices, initSlices);
  return tiled;
}

FailureOr<MergeResult>
OnlineOp::mergeReductions(OpBuilder &b, Location loc, ValueRange partialReduce,
                          const SetVector<unsigned> &reductionDims) {
  auto merge = MergeOp::create(b, loc, partialReduce[0], partialReduce[1],
                               partialReduce[2], getAcc(), getMax(), getSum(),
                               *getAxis(kAcc, ValueDim));
  return MergeResult{{merge}, SmallVector<Value>(merge->getResults())};
}

LogicalResult OnlineOp::getPartialResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ReductionTilingStrategy strategy,
    ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
    const SetVector<unsigned> &reductionDims,
    ArrayRef<OpFoldResult> splitReductionIvs,
    SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  Tile tile(b, *this, offsets, sizes);
  return getPartSlice(b, *this, resultNumber, tile, splitReductionIvs.front(),
                      resultOffsets, resultSizes);
}

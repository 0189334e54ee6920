//===- QueryTileRows.cpp - Where the rows of a query tile lie --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Of queries, outputs, keys and values: in arrays with a batch for each
// sequence, in packed sequences, or in pages.

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

/// The rows of a tile from `first` on, of `queries`.
static Value buildTileRows(OpBuilder &b, Location loc, int64_t size,
                           OpFoldResult queries, OpFoldResult first) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  AffineExpr all = getAffineConstantExpr(size, b.getContext());
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineMin(
          b, loc, AffineMap::get(0, 2, {all, s0 - s1}, b.getContext()),
          {queries, first}));
}

void QueryTile::placeRows(Value tile) {
  int64_t size = whole.sizes.query;
  firstQuery = index(affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) * size, {OpFoldResult(tile)}));
  rows = buildTileRows(b, loc, size, whole.queries, firstQuery);
  batchInArrays = batch;
  rowInArrays = firstQuery;
}

void QueryTile::placePackedRows(Value tile) {
  int64_t size = whole.sizes.query;
  SequenceTile found = buildSequenceTile(b, whole.packedQueries, size, tile);
  batch = found.sequence;
  firstQuery = found.first;
  rows = buildTileRows(b, loc, size, found.rows.length, firstQuery);
  batchInArrays = b.getIndexAttr(0);
  rowInArrays =
      b.createOrFold<arith::AddIOp>(loc, found.rows.begin, firstQuery);
}

void QueryTile::placeKeys() {
  numKeys = whole.keys;
  if (!whole.packedKeys)
    return;
  SequenceRows keys = buildSequenceRows(
      b, whole.packedKeys,
      {getPaddedSequences(op.getKey()), getPaddedSequences(op.getValue())},
      batch);
  numKeys = keys.length;
  firstKey = keys.begin;
}

void QueryTile::getRows(int64_t width, SmallVectorImpl<OpFoldResult> &offsets,
                        SmallVectorImpl<OpFoldResult> &sizes) {
  OpFoldResult one = b.getIndexAttr(1);
  offsets.assign({batchInArrays, firstHead, rowInArrays});
  sizes.assign({one, one, one});
  sizes[whole.grouped ? 1 : 2] = rows;
  if (!width)
    return;
  if (op.isBnhd()) {
    std::swap(offsets[1], offsets[2]);
    std::swap(sizes[1], sizes[2]);
  }
  offsets.push_back(b.getIndexAttr(0));
  sizes.push_back(b.getIndexAttr(width));
}

/// The tile's rows [rows, D]; where tiles are packed, as [D, lanes], scaled.
Value QueryTile::getQueryRows(Value array) {
  if (whole.packedQueries)
    array = getPaddedSequences(array).getPacked();
  SmallVector<OpFoldResult> offsets, sizes;
  getRows(whole.headDim, offsets, sizes);
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  Type element = getElementTypeOrSelf(array.getType());
  auto type =
      RankedTensorType::get({ShapedType::kDynamic, whole.headDim}, element);
  Value query = tensor::ExtractSliceOp::create(b, loc, type, array, offsets,
                                               sizes, strides);
  if (!whole.isPacked())
    return query;
  SmallVector<OpFoldResult> shape = {b.getIndexAttr(whole.headDim),
                                     b.getIndexAttr(whole.sizes.query)};
  Value empty = tensor::EmptyOp::create(
      b, loc, shape, whole.byPairs ? element : op.getAccumulatorType());
  double scale = whole.isScaled() ? *getStaticScale(op, whole.headDim) : 1.0;
  return PackQueryOp::create(b, loc, query, empty, APFloat(scale)).getResult(0);
}

/// All of one head's keys or values, [keys, width].
Value QueryTile::getMatrix(Value tensor, int64_t width) {
  if (GatherPagesOp gather = getGatheredPages(tensor))
    return whole.byTable ? getPool(gather, width) : gather;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets = {batch, kvHead, zero, zero};
  SmallVector<OpFoldResult> sizes = {one, one, numKeys, b.getIndexAttr(width)};
  if (whole.packedKeys) {
    tensor = getPaddedSequences(tensor).getPacked();
    offsets = {zero, kvHead, firstKey, zero};
  }
  if (op.isBnhd()) {
    std::swap(offsets[1], offsets[2]);
    std::swap(sizes[1], sizes[2]);
  }
  int64_t keys = getConstantIntValue(numKeys).value_or(ShapedType::kDynamic);
  auto type = RankedTensorType::get({keys, width},
                                    getElementTypeOrSelf(tensor.getType()));
  return tensor::ExtractSliceOp::create(b, loc, type, tensor, offsets, sizes,
                                        SmallVector<OpFoldResult>(4, one));
}

Value QueryTile::sliceKeys(Value matrix, Value key, Value size) {
  if (whole.byTable)
    return matrix; // the step finds its keys
  if (auto gather = matrix.getDefiningOp<GatherPagesOp>())
    return slicePages(gather, key, size);
  SmallVector<OpFoldResult> offsets = {key, b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes = {size,
                                     tensor::getMixedSize(b, loc, matrix, 1)};
  return tensor::ExtractSliceOp::create(
      b, loc, matrix, offsets, sizes,
      SmallVector<OpFoldResult>(2, b.getIndexAttr(1)));
}

Value QueryTile::getPool(GatherPagesOp gather, int64_t width) {
  auto pool = cast<RankedTensorType>(gather.getPool().getType());
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0)),
      sizes = tensor::getMixedSizes(b, loc, gather.getPool());
  offsets[gather.getHeadAxis()] = kvHead;
  sizes[gather.getHeadAxis()] = b.getIndexAttr(1);
  sizes[3] = b.getIndexAttr(width);
  auto type = RankedTensorType::get(
      {pool.getDimSize(0), gather.getPageSize(), width}, pool.getElementType());
  return tensor::ExtractSliceOp::create(
      b, loc, type, gather.getPool(), offsets, sizes,
      SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
}

Value QueryTile::getTable(GatherPagesOp gather) {
  auto pages = cast<RankedTensorType>(gather.getPages().getType());
  OpFoldResult entries = tensor::getMixedSize(b, loc, gather.getPages(), 1);
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      b, loc,
      RankedTensorType::get({pages.getDimSize(1)}, pages.getElementType()),
      gather.getPages(), ArrayRef<OpFoldResult>{batch, zero},
      ArrayRef<OpFoldResult>{one, entries}, ArrayRef<OpFoldResult>{one, one});
}

/// The same of a page, which holds all of them, or of the pages' rows.
Value QueryTile::slicePages(GatherPagesOp gather, Value key, Value size) {
  auto pool = cast<RankedTensorType>(gather.getPool().getType());
  int64_t width = pool.getDimSize(3);
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  auto slice = [&](OpBuilder &b, Value key, OpFoldResult count) -> Value {
    PageRow from = buildPageRow(b, gather, batch, key);
    SmallVector<OpFoldResult> offsets(4, zero), sizes(4, one);
    offsets[0] = from.page;
    offsets[gather.getHeadAxis()] = kvHead;
    offsets[gather.getRowAxis()] = from.row;
    sizes[gather.getRowAxis()] = count;
    sizes[3] = b.getIndexAttr(width);
    int64_t rows = getConstantIntValue(count).value_or(ShapedType::kDynamic);
    auto type = RankedTensorType::get({rows, width}, pool.getElementType());
    return tensor::ExtractSliceOp::create(b, loc, type, gather.getPool(),
                                          offsets, sizes,
                                          SmallVector<OpFoldResult>(4, one));
  };
  if (whole.keyUnit)
    return slice(b, key, size);
  SmallVector<OpFoldResult> strides(2, one);
  Value scratch = tensor::EmptyOp::create(
      b, loc, ArrayRef<int64_t>{whole.sizes.key, width}, pool.getElementType());
  auto loop = scf::ForOp::create(
      b, loc, index(int64_t(0)), size, index(int64_t(1)), scratch,
      [&](OpBuilder &nested, Location, Value row, ValueRange carried) {
        Value at = arith::AddIOp::create(nested, loc, key, row);
        SmallVector<OpFoldResult> offsets = {row, zero},
                                  sizes = {one, nested.getIndexAttr(width)};
        Value to = tensor::ExtractSliceOp::create(nested, loc, carried[0],
                                                  offsets, sizes, strides);
        Value copied =
            linalg::CopyOp::create(nested, loc, slice(nested, at, one), to)
                .getResult(0);
        copied = tensor::InsertSliceOp::create(nested, loc, copied, carried[0],
                                               offsets, sizes, strides);
        scf::YieldOp::create(nested, loc, copied);
      });
  return tensor::ExtractSliceOp::create(
      b, loc, loop.getResult(0), SmallVector<OpFoldResult>{zero, zero},
      SmallVector<OpFoldResult>{size, b.getIndexAttr(width)}, strides);
}

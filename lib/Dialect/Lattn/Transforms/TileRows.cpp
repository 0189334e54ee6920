//===- TileRows.cpp - Tile attention by rows for the dull path ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Uses upstream's tiling of loops but not the op's TilingInterface, which clips
// keys: the oracle must not share the fast path's window geometry.

#include "SoftmaxState.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNTILEROWSPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
/// One batch of an array, with all of its other axes.
struct BatchSlice {
  BatchSlice(OpBuilder &b, Location loc, Value array, Value batch)
      : array(array), sizes(tensor::getMixedSizes(b, loc, array)),
        at(sizes.size(), b.getIndexAttr(0)),
        strides(sizes.size(), b.getIndexAttr(1)) {
    at[0] = batch;
    sizes[0] = b.getIndexAttr(1);
  }
  Value extract(OpBuilder &b, Location loc) {
    return tensor::ExtractSliceOp::create(b, loc, array, at, sizes, strides);
  }
  Value insert(OpBuilder &b, Location loc, Value part) {
    return tensor::InsertSliceOp::create(b, loc, part, array, at, sizes,
                                         strides);
  }
  Value array;
  SmallVector<OpFoldResult> sizes, at, strides;
};

/// attention -> for (batch, query tile): attention on all heads and keys
class RowTiler {
public:
  RowTiler(AttentionOp op, int64_t queryTile)
      : op(op), loc(op.getLoc()), queryTile(queryTile) {}
  SmallVector<Value> run(OpBuilder &b);

private:
  OpFoldResult countRows(OpBuilder &b, Value first);
  SmallVector<Value> getOrigin(OpBuilder &b, Value batch, Value first);
  /// `carried` with the results of the tile that starts at row `first`.
  SmallVector<Value> buildTile(OpBuilder &b, Value batch, Value first,
                               ValueRange carried);

  AttentionOp op;
  Location loc;
  int64_t queryTile;
  Value offset, queries;
  SmallVector<Value> dropout;
};
} // namespace

OpFoldResult RowTiler::countRows(OpBuilder &b, Value first) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  AffineExpr whole = getAffineConstantExpr(queryTile, b.getContext());
  return affine::makeComposedFoldedAffineMin(
      b, loc, AffineMap::get(0, 2, {whole, s0 - s1}, b.getContext()),
      {OpFoldResult(queries), OpFoldResult(first)});
}

SmallVector<Value> RowTiler::getOrigin(OpBuilder &b, Value batch, Value first) {
  Value none = arith::ConstantIndexOp::create(b, loc, 0);
  SmallVector<Value> origin = {batch, none, first, none};
  for (auto [coordinate, start] : llvm::zip(origin, op.getOrigin()))
    coordinate = b.createOrFold<arith::AddIOp>(loc, coordinate, start);
  return origin;
}

SmallVector<Value> RowTiler::buildTile(OpBuilder &b, Value batch, Value first,
                                       ValueRange carried) {
  OpFoldResult rows = countRows(b, first);
  auto sliceBatch = [&](Value array) {
    return BatchSlice(b, loc, array, batch);
  };
  auto sliceRows = [&](Value array, unsigned axis) {
    BatchSlice slice = sliceBatch(array);
    slice.at[axis] = first;
    slice.sizes[axis] = rows;
    return slice;
  };
  unsigned position = op.getPositionAxis();
  Value query = sliceRows(op.getQuery(), position).extract(b, loc);
  Value key = sliceBatch(op.getKey()).extract(b, loc);
  Value value = sliceBatch(op.getValue()).extract(b, loc);
  SmallVector<BatchSlice> parts;
  SmallVector<Value> outs;
  for (auto [i, destination] : llvm::enumerate(carried)) {
    parts.push_back(sliceRows(destination, i == 0 ? position : 2));
    outs.push_back(parts.back().extract(b, loc));
  }
  auto tile = AttentionOp::create(
      b, loc, query, key, value, op.getBias(), op.getKeyMask(), op.getKvLens(),
      offset, getOrigin(b, batch, first), op.getCaptures(), op.getSink(),
      dropout, outs[0], outs.size() > 1 ? outs[1] : Value(), op.getWindowAttr(),
      op.getCausal(), op.getScaleAttr(), op.getBiasMapAttr(), op.getLayout(),
      /*schedule=*/ScheduleAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&tile.getScore(), mapping);
  SmallVector<Value> results;
  for (auto [part, result] : llvm::zip_equal(parts, tile.getResults()))
    results.push_back(part.insert(b, loc, result));
  return results;
}

SmallVector<Value> RowTiler::run(OpBuilder &b) {
  offset = buildExplicitOffset(b, op);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, op.getQuery());
  Value lower = arith::ConstantIndexOp::create(b, loc, 0);
  Value step = arith::ConstantIndexOp::create(b, loc, 1);
  Value queryStep = arith::ConstantIndexOp::create(b, loc, queryTile);
  queries =
      getValueOrCreateConstantIndexOp(b, loc, sizes[op.getPositionAxis()]);
  dropout = buildExplicitDropout(b, op);
  Value batches = getValueOrCreateConstantIndexOp(b, loc, sizes[0]);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, {lower, lower}, {batches, queries}, {step, queryStep},
      op.getDpsInits(),
      [&](OpBuilder &nested, Location, ValueRange ivs, ValueRange carried) {
        return buildTile(nested, ivs[0], ivs[1], carried);
      });
  return nest.results;
}

static LogicalResult tileRows(RewriterBase &rewriter, AttentionOp op,
                              int64_t queryTile) {
  if (failed(requireLowerable(rewriter, op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, RowTiler(op, queryTile).run(rewriter));
  return success();
}

namespace {
struct TileRows : lattn::impl::LattnTileRowsPassBase<TileRows> {
  using Base::Base;
  void runOnOperation() override {
    if (queryTile < 1) {
      emitError(getOperation()->getLoc())
          << "lattn-tile-rows: expected tiles of at least 1, got query-tile="
          << int64_t(queryTile);
      return signalPassFailure();
    }
    auto tile = [&](RewriterBase &rewriter, AttentionOp op) {
      return tileRows(rewriter, op, queryTile);
    };
    if (failed(expandAll<AttentionOp>(getOperation(), tile)))
      signalPassFailure();
  }
};
} // namespace

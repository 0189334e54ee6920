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

/// attention -> for (batch, query tile): attention on all heads and keys
static LogicalResult tileRows(RewriterBase &rewriter, AttentionOp op,
                              int64_t queryTile) {
  if (failed(requireLowerable(rewriter, op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value offset = buildExplicitOffset(rewriter, op);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getQuery());
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, value);
  };
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  Value lower = index(zero), step = index(one);
  Value queryStep = arith::ConstantIndexOp::create(rewriter, loc, queryTile);
  Value queries = index(sizes[op.getPositionAxis()]);
  SmallVector<Value> dropout = buildExplicitDropout(rewriter, op);
  SmallVector<Value> inits(op.getDpsInits());
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, loc, {lower, lower}, {index(sizes[0]), queries},
      {step, queryStep}, inits,
      [&](OpBuilder &b, Location, ValueRange ivs, ValueRange carried) {
        AffineExpr s0, s1;
        bindSymbols(b.getContext(), s0, s1);
        OpFoldResult rows = affine::makeComposedFoldedAffineMin(
            b, loc,
            AffineMap::get(
                0, 2,
                {getAffineConstantExpr(queryTile, b.getContext()), s0 - s1},
                b.getContext()),
            {OpFoldResult(queries), OpFoldResult(ivs[1])});
        auto slice = [&](Value tensor, unsigned position, bool tiled,
                         SmallVector<OpFoldResult> &at,
                         SmallVector<OpFoldResult> &extents) -> Value {
          extents = tensor::getMixedSizes(b, loc, tensor);
          at.assign(extents.size(), zero);
          at[0] = ivs[0];
          extents[0] = one;
          if (tiled) {
            at[position] = ivs[1];
            extents[position] = rows;
          }
          return tensor::ExtractSliceOp::create(
              b, loc, tensor, at, extents,
              SmallVector<OpFoldResult>(extents.size(), one));
        };
        SmallVector<OpFoldResult> at, extents, outAt[2], outExtents[2];
        unsigned position = op.getPositionAxis();
        Value query = slice(op.getQuery(), position, true, at, extents);
        Value key = slice(op.getKey(), position, false, at, extents);
        Value value = slice(op.getValue(), position, false, at, extents);
        SmallVector<Value> outs;
        for (auto [i, carry] : llvm::enumerate(carried))
          outs.push_back(slice(carry, i == 0 ? position : 2, true, outAt[i],
                               outExtents[i]));
        Value none = arith::ConstantIndexOp::create(b, loc, 0);
        SmallVector<Value> origin = {ivs[0], none, ivs[1], none};
        for (unsigned i = 0; i < op.getOrigin().size(); ++i)
          origin[i] =
              b.createOrFold<arith::AddIOp>(loc, origin[i], op.getOrigin()[i]);
        auto tile = AttentionOp::create(
            b, loc, query, key, value, op.getBias(), op.getKeyMask(),
            op.getKvLens(), offset, origin, op.getCaptures(), op.getSink(),
            dropout, outs[0], outs.size() > 1 ? outs[1] : Value(),
            op.getWindowAttr(), op.getCausal(), op.getScaleAttr(),
            op.getBiasMapAttr(), op.getLayout(), /*schedule=*/ScheduleAttr());
        IRMapping mapping;
        op.getScore().cloneInto(&tile.getScore(), mapping);
        SmallVector<Value> results;
        for (auto [i, result] : llvm::enumerate(tile.getResults()))
          results.push_back(tensor::InsertSliceOp::create(
              b, loc, result, carried[i], outAt[i], outExtents[i],
              SmallVector<OpFoldResult>(outAt[i].size(), one)));
        return results;
      });
  rewriter.replaceOp(op, nest.results);
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
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : ops)
      if (failed(tileRows(rewriter, op, queryTile))) {
        rewriter.fail(op);
        return signalPassFailure();
      }
  }
};
} // namespace

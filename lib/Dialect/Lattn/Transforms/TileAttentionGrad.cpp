//===- TileAttentionGrad.cpp - Tile the gradients of attention ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's tiling makes one loop per dimension; gradients of keys are carried
// through the tiles of queries, whose runs over keys need a pass of our own.

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNTILEGRADPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

static LogicalResult requireTileable(RewriterBase &rewriter,
                                     AttentionGradOp op) {
  if (!cast<DestinationStyleOpInterface>(op.getOperation())
           .hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is not on tensors");
  return success();
}

namespace {
struct TileGrad : lattn::impl::LattnTileGradPassBase<TileGrad> {
  using Base::Base;
  void runOnOperation() override {
    TileSizes otherwise = {queryTile, keyTile};
    if (!otherwise.isInBounds()) {
      emitError(getOperation()->getLoc())
          << "lattn-tile-grad: expected tiles of 1 to "
          << TileSizes::mostQueries << " queries and 1 to "
          << TileSizes::mostKeys
          << " keys, got query-tile=" << int64_t(queryTile)
          << " key-tile=" << int64_t(keyTile);
      return signalPassFailure();
    }
    auto tile = [&](RewriterBase &rewriter, AttentionGradOp op) {
      if (failed(requireTileable(rewriter, op)))
        return failure();
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      TileSizes sizes = otherwise;
      if (ScheduleAttr schedule = op.getScheduleAttr(); schedule && !wholeKeys)
        sizes = schedule.getTileSizes(otherwise);
      GradTiler tiler(rewriter, op, sizes, wholeKeys);
      FailureOr<SmallVector<Value>> results = tiler.run();
      if (failed(results))
        return failure();
      rewriter.replaceOp(op, *results);
      return success();
    };
    if (failed(expandAll<AttentionGradOp>(getOperation(), tile)))
      signalPassFailure();
  }
};
} // namespace

//===- TileAttentionGrad.cpp - Tile the gradients of attention ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's tiling makes one loop per dimension; gradients of keys are carried
// through the tiles of queries, whose runs over keys need a pass of our own.

#include "AttentionBlocks.h"
#include "GradTiler.h"
#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNTILEGRADPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

static LogicalResult requireTensors(RewriterBase &rewriter,
                                    AttentionGradOp op) {
  if (!cast<DestinationStyleOpInterface>(op.getOperation())
           .hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is not on tensors");
  return success();
}

/// What `op` becomes of all keys at once, as linalg ops.
static LogicalResult tileByMasks(RewriterBase &rewriter, AttentionGradOp op,
                                 TileSizes sizes) {
  if (failed(requireTensors(rewriter, op)))
    return failure();
  GradTiler tiler(rewriter, op, sizes, /*wholeKeys=*/true);
  FailureOr<SmallVector<Value>> results = tiler.run();
  if (failed(results))
    return failure();
  rewriter.replaceOp(op, *results);
  // Where there are no elements, there is no step.
  return tiler.getStep() ? decompose(rewriter, tiler.getStep()) : success();
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
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(op);
      if (wholeKeys)
        return tileByMasks(rewriter, op, otherwise);
      if (failed(requireTensors(rewriter, op)))
        return failure();
      if (std::string error = findLanesError(op); !error.empty())
        return rewriter.notifyMatchFailure(op, error);
      if (gpu) {
        TileSizes sizes = otherwise;
        if (ScheduleAttr schedule = op.getScheduleAttr())
          sizes = schedule.getTileSizes(otherwise);
        return tileGradOnGrids(rewriter, op, sizes);
      }
      if (!hasKnownHeadSizes(op)) {
        emitWarning(op.getLoc()) << "gradients of attention run as slow loops: "
                                    "the head sizes are not known, or 0";
        return tileByMasks(rewriter, op, otherwise);
      }
      TileSizes sizes = otherwise;
      if (ScheduleAttr schedule = op.getScheduleAttr())
        sizes = schedule.getTileSizes(otherwise);
      GradTiler tiler(rewriter, op, sizes, /*wholeKeys=*/false);
      FailureOr<SmallVector<Value>> results = tiler.run();
      if (failed(results))
        return failure();
      rewriter.replaceOp(op, *results);
      return success();
    };
    auto tileTangents = [&](RewriterBase &rewriter, AttentionJvpOp op) {
      return tileTangent(rewriter, op, otherwise);
    };
    if (failed(expandAll<AttentionGradOp>(getOperation(), tile)) ||
        failed(expandAll<AttentionJvpOp>(getOperation(), tileTangents)))
      signalPassFailure();
  }

private:
  LogicalResult tileTangent(RewriterBase &rewriter, AttentionJvpOp op,
                            TileSizes otherwise) {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is not on tensors");
    if (!hasKnownHeadSizes(op))
      return rewriter.notifyMatchFailure(
          op, "its tangents need head sizes that are known, and not 0");
    if (wholeKeys)
      return expandAttentionJvp(rewriter, op);
    if (std::string error = findLanesError(op); !error.empty())
      return rewriter.notifyMatchFailure(op, error);
    if (ScheduleAttr schedule = op.getScheduleAttr())
      otherwise = schedule.getTileSizes(otherwise);
    ReportingRewriter reporting(op.getContext());
    Region score;
    if (failed(buildJvpScore(rewriter, op, score)))
      return failure();
    if (succeeded(tileAttentionJvp(reporting, op, otherwise, score)))
      return success();
    emitWarning(op.getLoc())
        << "tangents of attention run as slow loops: " << reporting.getReason();
    return expandAttentionJvp(rewriter, op);
  }

  static bool hasKnownHeadSizes(AttentionOpInterface op) {
    for (Value array : {op.getQuery(), op.getValue()}) {
      int64_t size = cast<ShapedType>(array.getType()).getDimSize(3);
      if (ShapedType::isDynamic(size) || size == 0)
        return false;
    }
    return true;
  }
};
} // namespace

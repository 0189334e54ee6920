//===- TileAttention.cpp - Clip attention to its window and tile it -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's tiling makes one loop per dimension; the three runs over keys and
// the packing of queries need a pass of our own.
//
// attention -> forall (batch, head, query tile):
//                finalize(sweep_keys(state of no keys))

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNTILEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

LogicalResult lattn::requireTileable(RewriterBase &rewriter, AttentionOp op) {
  if (failed(requireLowerable(rewriter, op)))
    return failure();
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto value = cast<ShapedType>(op.getValue().getType());
  if (query.isDynamicDim(3) || value.isDynamicDim(3))
    return rewriter.notifyMatchFailure(
        op, "the head size is not known at compile time");
  // Upstream's slices of nothing lose their axes.
  if (value.getDimSize(3) == 0)
    return rewriter.notifyMatchFailure(op, "its values have no elements");
  // Code and scratch of a tile grow with it.
  constexpr int64_t most = 8192;
  int64_t largest = std::max(query.getDimSize(3), value.getDimSize(3));
  if (largest > most)
    return rewriter.notifyMatchFailure(op, "the head size " + Twine(largest) +
                                               " is larger than " +
                                               Twine(most));
  return success();
}

LogicalResult lattn::requireTileable(RewriterBase &rewriter, AttentionOp op,
                                     TileSizes sizes) {
  if (failed(requireTileable(rewriter, op)))
    return failure();
  if (sizes.isInBounds())
    return success();
  return rewriter.notifyMatchFailure(
      op, "expected tiles of 1 to " + Twine(TileSizes::mostQueries) +
              " queries and 1 to " + Twine(TileSizes::mostKeys) +
              " keys, got " + Twine(sizes.query) + " and " + Twine(sizes.key));
}

/// (batch, head, query tile) on the blocks of a grid; neighbours share keys.
ArrayAttr lattn::getBlockMapping(Builder &b) {
  SmallVector<Attribute> ids;
  for (gpu::MappingId id :
       {gpu::MappingId::DimZ, gpu::MappingId::DimY, gpu::MappingId::DimX})
    ids.push_back(gpu::GPUBlockMappingAttr::get(b.getContext(), id));
  return b.getArrayAttr(ids);
}

LogicalResult lattn::tileAttention(RewriterBase &rewriter, AttentionOp op,
                                   TileSizes sizes, TileForm form) {
  if (failed(requireTileable(rewriter, op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  TiledAttention whole(rewriter, op, sizes, form);
  if (failed(whole.requirePages(rewriter)))
    return failure();
  SmallVector<Value> outputs = {op.getOutput()};
  if (op.getLse())
    outputs.push_back(op.getLse());
  if (whole.packedQueries)
    outputs = whole.packedQueries.getDestinations();
  std::optional<ArrayAttr> mapping;
  if (form == TileForm::GPU)
    mapping = getBlockMapping(rewriter);
  auto forall = scf::ForallOp::create(
      rewriter, op.getLoc(),
      ArrayRef<OpFoldResult>{whole.batches, whole.heads, whole.queryTiles},
      outputs, mapping);
  rewriter.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  QueryTile tile(rewriter, whole, ivs[0], ivs[1], ivs[2]);
  SmallVector<Value> state =
      tile.run(tile.getKeys(), tile.emptyState(/*withSink=*/true));
  ValueRange carried = forall.getRegionIterArgs();
  tile.finalize(state, carried);
  if (whole.packedQueries)
    whole.packedQueries.replace(rewriter, op, forall.getResults());
  else
    rewriter.replaceOp(op, forall.getResults());
  return success();
}

/// Whether more than its sizes is read of `array`.
static bool isRead(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *user) {
    return !isa<tensor::DimOp, tensor::CastOp>(user);
  });
}

/// Warns where a whole cache or all sequences will be copied.
static void warnOfCopies(Operation *root) {
  root->walk([](GatherPagesOp op) {
    if (isRead(op.getResult()))
      op.emitWarning("all keys are copied from their pages: they are read by "
                     "something else than a tiled attention");
  });
  root->walk([](PadSequencesOp op) {
    if (isRead(op.getPadded()))
      op.emitWarning("all sequences are copied to padded ones: they are read "
                     "by something else than an attention that is tiled, whose "
                     "results lattn.pack_sequences packs again");
  });
}

namespace {
struct TileAttention : lattn::impl::LattnTilePassBase<TileAttention> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t mostQueries = TileSizes::mostQueries;
    constexpr int64_t mostKeys = TileSizes::mostKeys;
    if (queryTile < 1 || keyTile < 1 || queryTile > mostQueries ||
        keyTile > mostKeys) {
      emitError(getOperation()->getLoc())
          << "lattn-tile: expected tiles of 1 to " << mostQueries
          << " queries and 1 to " << mostKeys
          << " keys, got query-tile=" << int64_t(queryTile)
          << " key-tile=" << int64_t(keyTile);
      return signalPassFailure();
    }
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : collectOps<AttentionOp>(getOperation())) {
      hoistDestinations(rewriter, op);
      TileSizes sizes =
          op.getEffectiveSchedule().getTileSizes({queryTile, keyTile});
      TileForm form = gpu ? TileForm::GPU : getCPUTileForm(op);
      if (succeeded(tileAttention(rewriter, op, sizes, form)))
        continue;
      if (gpu) {
        rewriter.fail(op);
        return signalPassFailure();
      }
      emitWarning(op.getLoc())
          << "attention stays untiled and will run as slow loops: "
          << rewriter.getReason();
    }
    // Of padded sequences that nobody reads, nothing is left for a GPU to make.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    warnOfCopies(getOperation());
  }
};
} // namespace

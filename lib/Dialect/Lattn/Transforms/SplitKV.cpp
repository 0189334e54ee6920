//===- SplitKV.cpp - Split attention along keys ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention -> forall (part, batch, head, query tile): state of the part
//              forall (batch, head, query tile): finalize(merge(states))

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPLITKVPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
/// The partial states, (parts, batch, head, query tile, a tile's state).
struct Parts {
  SmallVector<Value> tensors;
  SmallVector<SmallVector<OpFoldResult>> tileSizes; // of one part's one tile

  Parts(OpBuilder &b, TiledAttention &whole, int64_t parts) {
    OpFoldResult lanes = b.getIndexAttr(whole.sizes.query);
    tileSizes = {{b.getIndexAttr(whole.valueDim), lanes}, {lanes}, {lanes}};
    for (ArrayRef<OpFoldResult> tile : tileSizes) {
      SmallVector<OpFoldResult> shape = {b.getIndexAttr(parts), whole.batches,
                                         whole.heads, whole.queryTiles};
      llvm::append_range(shape, tile);
      tensors.push_back(tensor::EmptyOp::create(b, whole.op.getLoc(), shape,
                                                whole.op.getAccumulatorType()));
    }
  }

  /// Position of state `i` of the tile at `ivs` (batch, head, tile), of one
  /// part or of `count` parts from `part` on.
  void getSlice(OpBuilder &b, unsigned i, OpFoldResult part, int64_t count,
                ValueRange ivs, SmallVector<OpFoldResult> &offsets,
                SmallVector<OpFoldResult> &sizes) const {
    OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
    offsets = {part, ivs[0], ivs[1], ivs[2]};
    sizes = {b.getIndexAttr(count), one, one, one};
    offsets.append(tileSizes[i].size(), zero);
    llvm::append_range(sizes, tileSizes[i]);
  }
};
} // namespace

/// The first loop: every part's state. Returns the filled tensors.
static SmallVector<Value> buildParts(RewriterBase &rewriter,
                                     TiledAttention &whole, Parts &states,
                                     int64_t parts) {
  Location loc = whole.op.getLoc();
  auto forall = scf::ForallOp::create(
      rewriter, loc,
      ArrayRef<OpFoldResult>{rewriter.getIndexAttr(parts), whole.batches,
                             whole.heads, whole.queryTiles},
      states.tensors, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  QueryTile tile(rewriter, whole, ivs[1], ivs[2], ivs[3]);
  TileKeyValues keys =
      tile.getPart(tile.getKeys(), ivs[0], rewriter.getIndexAttr(parts));
  // The sink enters once, where the parts are merged.
  SmallVector<Value> state =
      tile.run(keys, tile.emptyState(/*withSink=*/false));
  rewriter.setInsertionPointToEnd(forall.getTerminator().getBody());
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<OpFoldResult> offsets, sizes;
    states.getSlice(rewriter, i, ivs[0], 1, ValueRange(ivs).drop_front(),
                    offsets, sizes);
    SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
    tensor::ParallelInsertSliceOp::create(rewriter, loc, state[i],
                                          forall.getRegionIterArgs()[i],
                                          offsets, sizes, strides);
  }
  rewriter.setInsertionPointAfter(forall);
  return SmallVector<Value>(forall.getResults());
}

LogicalResult lattn::splitKV(RewriterBase &rewriter, AttentionOp op,
                             TileSizes sizes, int64_t parts) {
  if (failed(requireTileable(rewriter, op)) ||
      failed(requireInBounds(rewriter, op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  TiledAttention whole(rewriter, op, sizes);
  Parts states(rewriter, whole, parts);
  states.tensors = buildParts(rewriter, whole, states, parts);

  SmallVector<Value> outputs = {op.getOutput()};
  if (op.getLse())
    outputs.push_back(op.getLse());
  auto forall = scf::ForallOp::create(
      rewriter, loc,
      ArrayRef<OpFoldResult>{whole.batches, whole.heads, whole.queryTiles},
      outputs, /*mapping=*/std::nullopt);
  rewriter.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  QueryTile tile(rewriter, whole, ivs[0], ivs[1], ivs[2]);
  SmallVector<Value> partial;
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<OpFoldResult> offsets, extents;
    states.getSlice(rewriter, i, rewriter.getIndexAttr(0), parts, ivs, offsets,
                    extents);
    SmallVector<int64_t> shape = {parts};
    for (OpFoldResult extent : states.tileSizes[i])
      shape.push_back(*getConstantIntValue(extent));
    partial.push_back(tensor::ExtractSliceOp::create(
        rewriter, loc, RankedTensorType::get(shape, op.getAccumulatorType()),
        states.tensors[i], offsets, extents,
        SmallVector<OpFoldResult>(extents.size(), rewriter.getIndexAttr(1))));
  }
  SmallVector<Value> state = tile.emptyState(/*withSink=*/true);
  auto merge =
      MergeOp::create(rewriter, loc, partial[0], partial[1], partial[2],
                      state[0], state[1], state[2], /*value_axis=*/0);
  ValueRange carried = forall.getRegionIterArgs();
  tile.finalize(SmallVector<Value>(merge.getResults()), carried[0],
                op.getLse() ? carried[1] : Value());
  rewriter.replaceOp(op, forall.getResults());
  return success();
}

int64_t lattn::chooseParts(AttentionOp op, TileSizes sizes) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  int64_t queries = query.getDimSize(op.getPositionAxis());
  int64_t keys = key.getDimSize(op.getPositionAxis());
  int64_t heads = query.getDimSize(op.getHeadAxis());
  int64_t batches = query.getDimSize(0);
  if (llvm::any_of(ArrayRef{queries, keys, heads, batches},
                   ShapedType::isDynamic) ||
      queries == 0)
    return 1;
  // Only keys that some tile touches count.
  int64_t touched = keys;
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    Halo halo = getHalo(window);
    if (halo.before && halo.after)
      touched = std::min(keys, *halo.before + *halo.after + sizes.query);
  }
  constexpr int64_t kKeysPerPart = 1024, kItems = 64;
  if (canGroupHeads(op)) {
    int64_t kvHeads = key.getDimSize(op.getHeadAxis());
    if (ShapedType::isDynamic(kvHeads) || kvHeads == 0)
      return 1;
    queries = heads / kvHeads;
    heads = kvHeads;
  }
  // Static sizes may be near INT64_MAX: their product is a double.
  double items =
      double(batches) * heads * llvm::divideCeil(queries, sizes.query);
  int64_t wanted = std::max(1.0, kItems / std::max(1.0, items));
  return std::clamp<int64_t>(touched / kKeysPerPart, 1, wanted);
}

namespace {
struct SplitKV : lattn::impl::LattnSplitKVPassBase<SplitKV> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t mostParts = 65536; // each has its own state
    constexpr int64_t mostQueries = TileSizes::mostQueries;
    constexpr int64_t mostKeys = TileSizes::mostKeys;
    if (parts < 0 || queryTile < 1 || keyTile < 1 || parts > mostParts ||
        queryTile > mostQueries || keyTile > mostKeys) {
      emitError(getOperation()->getLoc())
          << "lattn-split-kv: expected 0 to " << mostParts
          << " parts and tiles of 1 to " << mostQueries << " queries and 1 to "
          << mostKeys << " keys, got parts=" << int64_t(parts)
          << " query-tile=" << int64_t(queryTile)
          << " key-tile=" << int64_t(keyTile);
      return signalPassFailure();
    }
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      if (op->getParentOfType<scf::ForallOp>())
        continue; // parallel already
      TileSizes sizes =
          op.getEffectiveSchedule().getTileSizes({queryTile, keyTile});
      int64_t count = parts == 0 ? chooseParts(op, sizes) : int64_t(parts);
      if (count == 1)
        continue; // lattn-tile's case
      if (failed(splitKV(rewriter, op, sizes, count)))
        emitWarning(op.getLoc())
            << "attention is not split along keys: " << rewriter.getReason();
    }
  }
};
} // namespace

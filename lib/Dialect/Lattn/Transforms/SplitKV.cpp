//===- SplitKV.cpp - Split attention along keys ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention -> forall (part, batch, head, query tile): state of a part
//              forall (batch, head, query): finalize(merge(parts))
//
// A log-sum-exp would not do in place of max and sum: of large scores it does
// not say how many there were. The parts' arrays are the workspace that a GPU's
// launch needs.

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSPLITKVPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// The parts' accs (part, output's axes), maxima and sums (part, batch, head,
/// query).
struct Workspace {
  Value acc, max, sum;
  OpFoldResult parts;
};
} // namespace

template <typename MappingAttr>
static ArrayAttr mapTo(Builder &b, unsigned rank) {
  SmallVector<Attribute> ids;
  for (unsigned i = 0; i < rank; ++i) {
    auto id = static_cast<gpu::MappingId>(
        static_cast<uint64_t>(gpu::MappingId::LinearDim0) + i);
    ids.push_back(MappingAttr::get(b.getContext(), id));
  }
  return b.getArrayAttr(ids);
}

/// Extents of the log-sum-exp: (batch, head, query).
static SmallVector<OpFoldResult> getRowSizes(OpBuilder &b, AttentionOp op) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, op.getLoc(), op.getOutput());
  return {sizes[0], sizes[op.getHeadAxis()], sizes[op.getPositionAxis()]};
}

static Workspace buildParts(RewriterBase &b, const TiledAttention &whole,
                            OpFoldResult parts) {
  AttentionOp op = whole.op;
  Location loc = op.getLoc();
  auto allocate = [&](SmallVector<OpFoldResult> sizes) -> Value {
    sizes.insert(sizes.begin(), parts);
    return tensor::EmptyOp::create(b, loc, sizes, op.getAccumulatorType());
  };
  SmallVector<OpFoldResult> rows = getRowSizes(b, op);
  Value empty[] = {allocate(tensor::getMixedSizes(b, loc, op.getOutput())),
                   allocate(rows), allocate(rows)};
  bool gpu = whole.form == TileForm::GPU;
  std::optional<ArrayAttr> mapping;
  if (gpu)
    mapping = mapTo<gpu::GPUBlockMappingAttr>(b, 4);
  auto forall = scf::ForallOp::create(
      b, loc, ArrayRef{parts, whole.batches, whole.heads, whole.queryTiles},
      empty, mapping);
  if (gpu)
    forall->setAttr(
        kGrid, GridAttr::get(b.getContext(), "split", GridBlocks::PerTile));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  QueryTile tile(b, whole, ivs[1], ivs[2], ivs[3]);
  TileKeyValues keys = tile.getPart(tile.getKeys(), ivs[0], parts);
  // The sink enters once, where the parts are merged.
  SmallVector<Value> state =
      tile.run(keys, tile.emptyState(/*withSink=*/false));
  tile.finalize(state, forall.getRegionIterArgs(), ivs[0]);
  return {forall.getResult(0), forall.getResult(1), forall.getResult(2), parts};
}

//===----------------------------------------------------------------------===//
// Merge
//===----------------------------------------------------------------------===//

namespace {
/// What a step of the merge reads or writes of an array: [1], which row it is
/// of (batch, head, query), or `width` of its values as [1, width].
struct Slice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> shape = {1};

  Slice(Builder &b, ArrayRef<OpFoldResult> row)
      : offsets(row), sizes(row.size(), b.getIndexAttr(1)), strides(sizes) {}
  Slice(Builder &b, AttentionOp op, ArrayRef<OpFoldResult> row,
        OpFoldResult column, int64_t width)
      : Slice(b, row) {
    if (op.isBnhd())
      std::swap(offsets[1], offsets[2]);
    offsets.push_back(column);
    sizes.push_back(b.getIndexAttr(width));
    strides.push_back(b.getIndexAttr(1));
    shape.push_back(width);
  }

  /// The same of all parts, along a new first axis.
  Slice ofAll(Builder &b, OpFoldResult parts) const {
    Slice all = *this;
    all.offsets.insert(all.offsets.begin(), b.getIndexAttr(0));
    all.sizes.insert(all.sizes.begin(), parts);
    all.strides.push_back(b.getIndexAttr(1));
    int64_t known = getConstantIntValue(parts).value_or(ShapedType::kDynamic);
    all.shape.insert(all.shape.begin(), known);
    return all;
  }
  Value extract(OpBuilder &b, Location loc, Value array) const {
    auto type =
        RankedTensorType::get(shape, getElementTypeOrSelf(array.getType()));
    return tensor::ExtractSliceOp::create(b, loc, type, array, offsets, sizes,
                                          strides);
  }
  void insert(OpBuilder &b, Location loc, Value value, Value array) const {
    tensor::ParallelInsertSliceOp::create(b, loc, value, array, offsets, sizes,
                                          strides);
  }
};
} // namespace

/// The state of one row's `values`, and of its sink if it has one, after all
/// parts.
static MergeOp mergeParts(OpBuilder &b, AttentionOp op,
                          const Workspace &workspace, Value head,
                          const Slice &row, const Slice &values) {
  Location loc = op.getLoc();
  OpFoldResult one = b.getIndexAttr(1);
  SmallVector<Value> start =
      buildEmptyState(b, loc, op.getAccumulatorType(), one, values.sizes.back(),
                      /*valueAxis=*/1);
  addSink(b, op, head, start);
  Slice rows = row.ofAll(b, workspace.parts);
  Value accs = values.ofAll(b, workspace.parts).extract(b, loc, workspace.acc);
  Value maxs = rows.extract(b, loc, workspace.max);
  Value sums = rows.extract(b, loc, workspace.sum);
  return MergeOp::create(b, loc, accs, maxs, sums, start[0], start[1], start[2],
                         /*value_axis=*/1);
}

/// Merges the parts into `output` and `lse`, one of which may be null, by a
/// loop over `width` values of each row.
static SmallVector<Value> buildMerge(RewriterBase &b, AttentionOp op,
                                     const Workspace &workspace, Value output,
                                     Value lse, int64_t width) {
  Location loc = op.getLoc();
  SmallVector<Value> dests;
  for (Value dest : {output, lse})
    if (dest)
      dests.push_back(dest);
  int64_t values = cast<ShapedType>(op.getOutput().getType()).getDimSize(3);
  SmallVector<OpFoldResult> extents = getRowSizes(b, op);
  extents.push_back(b.getIndexAttr(output ? values / width : 1));
  auto forall = scf::ForallOp::create(b, loc, extents, dests, std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<OpFoldResult> ivs = getAsOpFoldResult(forall.getInductionVars());
  OpFoldResult column = affine::makeComposedFoldedAffineApply(
      b, loc, b.getAffineSymbolExpr(0) * width, ivs.pop_back_val());
  Slice row(b, ivs), element(b, op, ivs, column, width);
  MergeOp merge =
      mergeParts(b, op, workspace, forall.getInductionVar(1), row, element);
  ValueRange carried = forall.getRegionIterArgs();
  Value outputSlice = output
                          ? element.extract(b, loc, carried.front())
                          : tensor::EmptyOp::create(
                                b, loc, element.shape,
                                getElementTypeOrSelf(op.getOutput().getType()));
  SmallVector<Value> lseSlice;
  if (lse)
    lseSlice.push_back(row.extract(b, loc, carried.back()));
  auto finalize = FinalizeOp::create(b, loc, merge.getResult(0),
                                     merge.getResult(1), merge.getResult(2),
                                     outputSlice, lseSlice, /*value_axis=*/1);
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  if (output)
    element.insert(b, loc, finalize.getResult(0), carried.front());
  if (lse)
    row.insert(b, loc, finalize.getResult(1), carried.back());
  return SmallVector<Value>(forall.getResults());
}

LogicalResult lattn::splitKV(RewriterBase &rewriter, AttentionOp op,
                             TileSizes sizes, OpFoldResult parts,
                             TileForm form) {
  if (failed(requireTileable(rewriter, op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  TiledAttention whole(rewriter, op, sizes, form);
  if (failed(whole.requirePages(rewriter)))
    return failure();
  Workspace workspace = buildParts(rewriter, whole, parts);
  if (form != TileForm::GPU) {
    rewriter.replaceOp(op, buildMerge(rewriter, op, workspace, op.getOutput(),
                                      op.getLse(), whole.valueDim));
    return success();
  }
  // A thread of a GPU merges one element.
  auto merge = [&](Value output, Value lse, StringRef kernel) {
    Value merged =
        buildMerge(rewriter, op, workspace, output, lse, /*width=*/1)[0];
    auto forall = merged.getDefiningOp<scf::ForallOp>();
    forall->setAttr(
        kGrid, GridAttr::get(rewriter.getContext(), kernel, GridBlocks::Any));
    forall.setMappingAttr(mapTo<gpu::GPUThreadMappingAttr>(rewriter, 4));
    return merged;
  };
  SmallVector<Value> results = {merge(op.getOutput(), Value(), "merge")};
  if (op.getLse())
    results.push_back(merge(Value(), op.getLse(), "merge_lse"));
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitKV : lattn::impl::LattnSplitKVPassBase<SplitKV> {
  using Base::Base;
  void runOnOperation() override {
    SplitRule rule = gpu ? SplitRule::forGPU(slots) : SplitRule::forCPU();
    if (slots)
      rule.slots = slots;
    if (failed(checkOptions(rule)) || failed(checkSlots()))
      return signalPassFailure();
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : collectOps<AttentionOp>(getOperation())) {
      // In a parallel loop it is parallel already. Packed sequences have many
      // tiles.
      if (op->getParentOfType<scf::ForallOp>() || PackedQueries(op) ||
          succeeded(split(rewriter, op, rule)))
        continue;
      if (gpu) {
        rewriter.fail(op);
        return signalPassFailure();
      }
      emitWarning(op.getLoc())
          << "attention is not split along keys: " << rewriter.getReason();
    }
  }

  LogicalResult checkOptions(const SplitRule &rule) {
    constexpr int64_t mostQueries = TileSizes::mostQueries;
    constexpr int64_t mostKeys = TileSizes::mostKeys;
    if (parts >= 0 && parts <= rule.mostParts && slots >= 0 && queryTile >= 1 &&
        queryTile <= mostQueries && keyTile >= 1 && keyTile <= mostKeys)
      return success();
    return emitError(getOperation()->getLoc())
           << "lattn-split-kv: expected 0 to " << rule.mostParts
           << " parts, no negative number of slots, and tiles of 1 to "
           << mostQueries << " queries and 1 to " << mostKeys
           << " keys, got parts=" << int64_t(parts)
           << " slots=" << int64_t(slots)
           << " query-tile=" << int64_t(queryTile)
           << " key-tile=" << int64_t(keyTile);
  }

  LogicalResult checkSlots() {
    if (!gpu || parts || slots)
      return success();
    return emitError(getOperation()->getLoc(),
                     "lattn-split-kv: expected slots, the tiles that the GPU "
                     "runs at once, to choose the number of parts");
  }

  LogicalResult split(RewriterBase &rewriter, AttentionOp op,
                      const SplitRule &rule) {
    TileSizes sizes =
        op.getEffectiveSchedule().getTileSizes({queryTile, keyTile});
    TileForm form = gpu ? TileForm::GPU : getCPUTileForm(op);
    if (parts == 1)
      return success(); // lattn-tile's case
    if (parts > 1)
      return splitKV(rewriter, op, sizes, rewriter.getIndexAttr(parts), form);
    if (failed(requireLowerable(rewriter, op)))
      return failure();
    rewriter.setInsertionPoint(op);
    TiledAttention whole(rewriter, op, sizes, form);
    PartCount count = countParts(rewriter, whole, rule);
    std::optional<int64_t> known = getConstantIntValue(count.parts);
    // Packed tiles mean many queries: sizes that are not known, one part.
    if (!count.mayBeMany || known == 1 || (!known && whole.isPacked()))
      return success();
    if (failed(requireTileable(rewriter, op, sizes)) ||
        failed(whole.requirePages(rewriter)))
      return failure();
    // On a GPU decoding always splits; a kernel for one part would be one more.
    if (known || (gpu && whole.grouped))
      return splitKV(rewriter, op, sizes, count.parts, form);
    return branch(rewriter, op, sizes, cast<Value>(count.parts), form);
  }

  /// A loop without a workspace where one part is enough. Replaces `op`, of
  /// which nothing may be refused after that.
  LogicalResult branch(RewriterBase &rewriter, AttentionOp op, TileSizes sizes,
                       Value parts, TileForm form) {
    Location loc = op.getLoc();
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value isOne = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        parts, one);
    AttentionOp divided;
    auto choice = scf::IfOp::create(
        rewriter, loc, isOne,
        [&](OpBuilder &b, Location) {
          scf::YieldOp::create(b, loc, b.clone(*op)->getResults());
        },
        [&](OpBuilder &b, Location) {
          divided = cast<AttentionOp>(b.clone(*op));
          scf::YieldOp::create(b, loc, divided.getResults());
        });
    rewriter.replaceOp(op, choice.getResults());
    return splitKV(rewriter, divided, sizes, parts, form);
  }
};
} // namespace

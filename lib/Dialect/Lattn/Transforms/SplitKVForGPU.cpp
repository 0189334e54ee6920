//===- SplitKVForGPU.cpp - Split attention along keys over blocks ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention -> forall (part, batch, head, query tile): output and lse of a part
//              forall (element): the parts', weighted by their lse
//
// The parts' arrays are the workspace that a launch needs. How many there are
// depends on shapes and the GPU alone, and they are summed in their order.

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

namespace lattn {
#define GEN_PASS_DEF_LATTNSPLITKVFORGPUPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Keys below which a part costs more than it saves, and the most parts.
static constexpr int64_t kKeysPerPart = 256, kMostParts = 64;

//===----------------------------------------------------------------------===//
// How many parts
//===----------------------------------------------------------------------===//

namespace {
struct PartCount {
  OpFoldResult parts;
  bool mayBeMany;
};
} // namespace

/// As many parts as let all of `slots` blocks run, of kKeysPerPart keys each.
static PartCount countParts(OpBuilder &b, const TiledAttention &whole,
                            int64_t slots) {
  AttentionOp op = whole.op;
  Location loc = op.getLoc();
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value blocks = constant(1);
  for (OpFoldResult extent : {whole.batches, whole.heads, whole.queryTiles})
    blocks = b.createOrFold<arith::MulIOp>(loc, blocks, index(extent));
  blocks = b.createOrFold<arith::MaxSIOp>(loc, blocks, constant(1));
  Value free = b.createOrFold<arith::DivUIOp>(loc, constant(slots), blocks);
  Value keys = index(whole.keys);
  int64_t most = getConstantIntValue(whole.keys).value_or(INT64_MAX);
  if (WindowAttrInterface window = op.getEffectiveWindow()) {
    Halo halo = getHalo(window);
    if (halo.before && halo.after) {
      int64_t queries = whole.grouped ? 1 : whole.sizes.query;
      most = std::min(most, *halo.before + *halo.after + queries);
      keys = b.createOrFold<arith::MinSIOp>(loc, keys, constant(most));
    }
  }
  Value wanted =
      b.createOrFold<arith::DivUIOp>(loc, keys, constant(kKeysPerPart));
  Value parts = b.createOrFold<arith::MinSIOp>(loc, free, wanted);
  parts = b.createOrFold<arith::MinSIOp>(loc, parts, constant(kMostParts));
  parts = b.createOrFold<arith::MaxSIOp>(loc, parts, constant(1));
  bool mayBeMany =
      most / kKeysPerPart > 1 && getConstantIntValue(free).value_or(slots) > 1;
  return {getAsOpFoldResult(parts), mayBeMany};
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// The parts' outputs (part, output's axes) and lse (part, batch, head, query).
struct Workspace {
  Value output, lse;
};
} // namespace

static ArrayAttr mapTo(Builder &b, unsigned rank, bool blocks) {
  SmallVector<Attribute> ids;
  for (unsigned i = 0; i < rank; ++i) {
    auto id = static_cast<gpu::MappingId>(
        static_cast<uint64_t>(gpu::MappingId::LinearDim0) + i);
    ids.push_back(
        blocks ? Attribute(gpu::GPUBlockMappingAttr::get(b.getContext(), id))
               : gpu::GPUThreadMappingAttr::get(b.getContext(), id));
  }
  return b.getArrayAttr(ids);
}

static SmallVector<OpFoldResult> getLseSizes(OpBuilder &b, AttentionOp op) {
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
  Value empty[] = {allocate(tensor::getMixedSizes(b, loc, op.getOutput())),
                   allocate(getLseSizes(b, op))};
  auto forall = scf::ForallOp::create(
      b, loc, ArrayRef{parts, whole.batches, whole.heads, whole.queryTiles},
      empty, mapTo(b, 4, /*blocks=*/true));
  forall->setAttr(kKernelName, b.getStringAttr("split"));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  QueryTile tile(b, whole, ivs[1], ivs[2], ivs[3]);
  TileKeyValues keys = tile.getPart(tile.getKeys(), ivs[0], parts);
  // The sink enters once, where the parts are merged.
  SmallVector<Value> state =
      tile.run(keys, tile.emptyState(/*withSink=*/false));
  ValueRange carried = forall.getRegionIterArgs();
  tile.finalize(state, carried[0], carried[1], ivs[0]);
  return {forall.getResult(0), forall.getResult(1)};
}

//===----------------------------------------------------------------------===//
// Merge
//===----------------------------------------------------------------------===//

namespace {
/// Merges the parts of one row of one head.
class RowMerger {
public:
  RowMerger(OpBuilder &b, AttentionOp op, Workspace workspace, Value parts,
            ValueRange row)
      : b(b), op(op), loc(op.getLoc()), workspace(workspace), parts(parts),
        row(row), zero(index(0)), one(index(1)) {
    max = constant(-INFINITY), sum = constant(0);
    if (op.getSink())
      std::tie(max, sum) = buildSinkState(b, op, row[1]);
    Value sinkMax = max;
    max = over(max, [&](Value part, ValueRange carried) -> SmallVector<Value> {
      return {arith::MaxNumFOp::create(b, loc, carried[0], lse(part))};
    })[0];
    // Of no visible key: any finite number, for -inf - -inf is NaN.
    Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, max,
                                       constant(-INFINITY));
    shift = arith::SelectOp::create(b, loc, none, constant(0), max);
    sum = arith::MulFOp::create(b, loc, sum, weight(sinkMax));
  }

  /// The element of the output at `at`.
  Value output(ValueRange at) {
    Value acc = constant(0);
    SmallVector<Value> totals =
        over({acc, sum}, [&](Value part, ValueRange carried) {
          SmallVector<Value> place = {part};
          llvm::append_range(place, at);
          Value w = weight(lse(part));
          Value x = tensor::ExtractOp::create(b, loc, workspace.output, place);
          Value acc = math::FmaOp::create(b, loc, w, x, carried[0]);
          Value sum = arith::AddFOp::create(b, loc, carried[1], w);
          return SmallVector<Value>{acc, sum};
        });
    Value none = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                       totals[1], constant(0));
    Value quotient = arith::DivFOp::create(b, loc, totals[0], totals[1]);
    return arith::SelectOp::create(b, loc, none, constant(0), quotient);
  }

  Value logSumExp() {
    Value total = over(sum, [&](Value part, ValueRange carried) {
      return SmallVector<Value>{
          arith::AddFOp::create(b, loc, carried[0], weight(lse(part)))};
    })[0];
    Value log = math::Log2Op::create(b, loc, total, arith::FastMathFlags::afn);
    return math::FmaOp::create(b, loc, log, constant(std::log(2.0)), max);
  }

private:
  using Step = function_ref<SmallVector<Value>(Value part, ValueRange carried)>;
  SmallVector<Value> over(ValueRange start, Step step) {
    auto loop = scf::ForOp::create(b, loc, zero, parts, one, start);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, step(loop.getInductionVar(), loop.getRegionIterArgs()));
    return SmallVector<Value>(loop.getResults());
  }
  Value lse(Value part) {
    return tensor::ExtractOp::create(b, loc, workspace.lse,
                                     ValueRange{part, row[0], row[1], row[2]});
  }
  /// exp(x - shift)
  Value weight(Value x) {
    Value difference = arith::SubFOp::create(b, loc, x, shift);
    difference =
        arith::MulFOp::create(b, loc, difference, constant(1 / std::log(2.0)));
    return math::Exp2Op::create(b, loc, difference, arith::FastMathFlags::afn);
  }
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value constant(double value) {
    return arith::ConstantOp::create(
        b, loc, b.getFloatAttr(op.getAccumulatorType(), value));
  }

  OpBuilder &b;
  AttentionOp op;
  Location loc;
  Workspace workspace;
  Value parts;
  SmallVector<Value> row; // batch, head, query
  Value zero, one, max, sum, shift;
};
} // namespace

/// A loop over the elements of `dest`, each of which `build` computes.
static Value buildElements(RewriterBase &b, Location loc, Value dest,
                           StringRef name,
                           function_ref<Value(OpBuilder &, ValueRange)> build) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, dest);
  auto forall = scf::ForallOp::create(b, loc, sizes, dest,
                                      mapTo(b, sizes.size(), /*blocks=*/false));
  forall->setAttr(kKernelName, b.getStringAttr(name));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(forall.getTerminator());
  SmallVector<Value> ivs = forall.getInductionVars();
  Type element = getElementTypeOrSelf(dest.getType());
  Value value = convertFloat(b, loc, build(b, ivs), element);
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(ivs),
                            ones(ivs.size(), b.getIndexAttr(1));
  Value carried = forall.getRegionIterArgs()[0];
  Value place = tensor::ExtractSliceOp::create(
      b, loc, RankedTensorType::get({}, element), carried, offsets, ones, ones);
  place = tensor::InsertOp::create(b, loc, value, place, ValueRange());
  b.setInsertionPointToEnd(forall.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, loc, place, carried, offsets, ones,
                                        ones);
  return forall.getResult(0);
}

LogicalResult lattn::splitKVForGPU(RewriterBase &rewriter, AttentionOp op,
                                   TileSizes sizes, OpFoldResult parts) {
  if (failed(requireTileable(rewriter, op)) ||
      failed(requireInBounds(rewriter, op, sizes)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  TiledAttention whole(rewriter, op, sizes, TileForm::Rows);
  Workspace workspace = buildParts(rewriter, whole, parts);
  Value count = getValueOrCreateConstantIndexOp(rewriter, loc, parts);
  SmallVector<Value> results = {buildElements(
      rewriter, loc, op.getOutput(), "merge", [&](OpBuilder &b, ValueRange at) {
        SmallVector<Value> row = {at[0], at[op.getHeadAxis()],
                                  at[op.getPositionAxis()]};
        return RowMerger(b, op, workspace, count, row).output(at);
      })};
  if (Value lse = op.getLse())
    results.push_back(buildElements(
        rewriter, loc, lse, "merge_lse", [&](OpBuilder &b, ValueRange row) {
          return RowMerger(b, op, workspace, count, row).logSumExp();
        }));
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct SplitKVForGPU : lattn::impl::LattnSplitKVForGPUPassBase<SplitKVForGPU> {
  using Base::Base;
  void runOnOperation() override {
    if (parts < 0 || parts > kMostParts || slots < 1) {
      emitError(getOperation()->getLoc())
          << "lattn-split-kv-for-gpu: expected 0 to " << kMostParts
          << " parts and at least one slot, got parts=" << int64_t(parts)
          << " slots=" << int64_t(slots);
      return signalPassFailure();
    }
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : ops)
      if (failed(split(rewriter, op))) {
        rewriter.fail(op);
        return signalPassFailure();
      }
  }

  LogicalResult split(RewriterBase &rewriter, AttentionOp op) {
    constexpr TileSizes otherwise = {64, 64};
    TileSizes sizes = op.getEffectiveSchedule().getTileSizes(otherwise);
    if (parts == 1)
      return success(); // lattn-tile's case
    if (parts > 1)
      return splitKVForGPU(rewriter, op, sizes, rewriter.getIndexAttr(parts));
    if (failed(requireTileable(rewriter, op)))
      return failure();
    rewriter.setInsertionPoint(op);
    TiledAttention whole(rewriter, op, sizes, TileForm::Rows);
    PartCount count = countParts(rewriter, whole, slots);
    std::optional<int64_t> known = getConstantIntValue(count.parts);
    if (!count.mayBeMany || known == 1)
      return success();
    // Decoding always splits; a kernel for one part would be one more.
    if (known || whole.grouped)
      return splitKVForGPU(rewriter, op, sizes, count.parts);
    return branch(rewriter, op, sizes, cast<Value>(count.parts));
  }

  /// A kernel without a workspace where one part is enough.
  LogicalResult branch(RewriterBase &rewriter, AttentionOp op, TileSizes sizes,
                       Value parts) {
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
    return splitKVForGPU(rewriter, divided, sizes, parts);
  }
};
} // namespace

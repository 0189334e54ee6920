//===- FuseQueryKey.cpp - What is done to rows moves into attention's blocks -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's tile-and-fuse would keep positions global; here each block counts
// from its first key, which only differences of positions allow, so that tables
// and xpos scales stay bounded however long the sequence is.
//
//   rotary(query), rotary(key) -> attention
// ->
//   forall (batch, head, block of queries)
//     rotate_pairs(block of query), rotate_pairs(its keys) -> attention
//
// Keys and values that no tile reads well where they lie are staged there too:
// a row is copied once a block, not once for each of its query tiles.

#include "PackedSequences.h"
#include "SoftmaxState.h"
#include "lattn/Dialect/Lattn/IR/RotaryTable.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNFUSEQUERYKEYPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Larger tables are computed when the program runs.
static constexpr int64_t kMaxTableBytes = 1 << 20;
/// Positions of a block spread over at most this many times the xpos base: the
/// smallest scale is then 0.29^27 (1e-15) and the largest its inverse.
static constexpr double kMaxXposSpread = 55;
/// Positions of rotary may differ from those of attention by at most so many:
/// the table has rows for what lies between.
static constexpr int64_t kMaxShift = 1 << 16;

namespace {

/// What an operand of attention went through.
struct Chain {
  explicit Chain(Value operand) : source(operand) {
    if ((rotary = source.getDefiningOp<RotaryOp>()))
      source = rotary.getInput();
    if ((normalize = source.getDefiningOp<L2NormalizeOp>()))
      source = normalize.getInput();
  }
  explicit operator bool() const { return rotary || normalize; }

  Value source;
  RotaryOp rotary;
  L2NormalizeOp normalize;
};

class Fuser {
public:
  Fuser(RewriterBase &rewriter, AttentionOp op, int64_t block, bool stage,
        bool keepBF16)
      : rewriter(rewriter), op(op), loc(op.getLoc()), query(op.getQuery()),
        key(op.getKey()), block(block), stage(stage),
        keepBF16(keepBF16 && isOfBF16()) {}
  /// Whether rotary or normalisation is there to fuse.
  bool isCandidate(bool xposOnly) {
    return (query || key) && !isEmpty() &&
           (!xposOnly || (query.rotary && query.rotary.getXposScaleBase()));
  }
  /// Fails, the rewriter told why, where the block cannot be made.
  LogicalResult plan();
  /// The same, for blocks that only stage their rows: of many queries.
  LogicalResult planStaging() {
    constexpr int64_t fewQueries = 64;
    int64_t queries = cast<ShapedType>(op.getQuery().getType())
                          .getDimSize(op.getPositionAxis());
    bool few = (ShapedType::isStatic(queries) && queries < fewQueries) ||
               op.getEffectiveSchedule().getLanes() == Lanes::Features;
    // Products of bf16 that the op asks for take no wide rows.
    Products products =
        op.getEffectiveSchedule().getProducts().value_or(Products::Widened);
    bool rowsFit = keepBF16 || products == Products::Widened;
    return success(stage && !few && rowsFit && !isEmpty() &&
                   !isReadElsewhere(op.getQuery(), op.getKey()) &&
                   succeeded(plan()) && isStageable());
  }
  LogicalResult fuse();

private:
  bool isOfBF16() {
    return llvm::all_of(ValueRange{query.source, key.source, op.getValue()},
                        [](Value rows) {
                          return getElementTypeOrSelf(rows.getType()).isBF16();
                        });
  }
  /// Whether a block's keys and values stay in a cache, or nearly.
  bool isStageable() {
    constexpr int64_t mostBytes = int64_t(1) << 21;
    auto width = [](Value rows) {
      return cast<ShapedType>(rows.getType()).getDimSize(3);
    };
    int64_t bytes = op.getAccumulatorType().getIntOrFloatBitWidth() / 8;
    return maxKeys * (width(op.getKey()) + width(op.getValue())) * bytes <=
           mostBytes;
  }
  /// A slice of what has no elements would be out of bounds.
  bool isEmpty() {
    return llvm::any_of(ValueRange{op.getQuery(), op.getKey()},
                        [](Value value) {
                          return llvm::is_contained(
                              cast<ShapedType>(value.getType()).getShape(), 0);
                        });
  }
  LogicalResult fail(const Twine &reason) {
    return rewriter.notifyMatchFailure(op, reason);
  }
  LogicalResult planRotary();
  Value getTable(RotaryOp rotary);
  Value slice(Value whole, Value tile, Value source);
  Value createScratch(Value rows, int64_t maxRows, Type element);
  Value scratchLike(Value rows, int64_t maxRows, Type element);
  Value stageRows(Value rows, bool keepBF16);
  void stageKeysAndValues(AttentionOp tile);
  Value apply(const Chain &chain, Value whole, Value tile, int64_t maxRows,
              Value start, Value table);
  Value getQueryStart(AttentionOp tile);
  void setProducts(AttentionOp tile);

  RewriterBase &rewriter;
  AttentionOp op;
  Location loc;
  Chain query, key;
  int64_t block, maxKeys = 0;
  bool stage, keepBF16;
  /// Table rows of a key's position 0 and of a query's, relative to the block's
  /// first key; the furthest that a query stands from it.
  int64_t keyRow = 0, queryRow = 0, reach = 0, tableRows = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Whether and how
//===----------------------------------------------------------------------===//

static std::optional<int64_t> getConstant(Value index) {
  return index ? getConstantIntValue(index) : 0;
}

/// The constant position of query 0, if there is one.
static std::optional<int64_t> getConstantOffset(AttentionOp op) {
  APInt offset;
  if (op.getOffset()) {
    if (isa<ShapedType>(op.getOffset().getType()) ||
        !matchPattern(op.getOffset(), m_ConstantInt(&offset)))
      return std::nullopt;
    return offset.getSExtValue();
  }
  unsigned axis = op.getPositionAxis();
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  if (op.getKvLens() || query.isDynamicDim(axis) || key.isDynamicDim(axis))
    return std::nullopt;
  return key.getDimSize(axis) - query.getDimSize(axis);
}

LogicalResult Fuser::planRotary() {
  RotaryOp q = query.rotary, k = key.rotary;
  if (!q || !k)
    return fail("only one of query and key is rotated");
  if (q.getDim() != k.getDim() || q.getTheta() != k.getTheta() ||
      q.getInterleaved() != k.getInterleaved() ||
      q.getXposScaleBase() != k.getXposScaleBase() ||
      q.getRowAxis() != op.getPositionAxis() ||
      k.getRowAxis() != op.getPositionAxis())
    return fail("query and key are rotated differently");
  if (q.getXposScaleBase() && (q.getDownscale() || !k.getDownscale()))
    return fail("xpos scales do not cancel");
  if (getConstant(q.getCenter()) != getConstant(k.getCenter()) ||
      !getConstant(q.getCenter()))
    return fail("the centers of xpos scales are not equal constants");
  std::optional<int64_t> queryStart = getConstant(q.getStart()),
                         keyStart = getConstant(k.getStart()),
                         offset = getConstantOffset(op);
  if (!queryStart || !keyStart || !offset)
    return fail("where positions start is not a constant");
  constexpr int64_t limit = WindowAttr::kMaxExtent;
  for (int64_t value : {*queryStart, *keyStart, *offset})
    if (value < -limit || value > limit)
      return fail("positions start too far away");
  // A query stands up to `reach` after the block's first key.
  int64_t ahead = *queryStart - *keyStart - *offset;
  if (std::abs(ahead) > kMaxShift)
    return fail("query and key are rotated from positions too far apart");
  Halo halo = getHalo(op.getEffectiveWindow());
  reach = *halo.before;
  keyRow = std::max<int64_t>(0, -ahead);
  queryRow = keyRow + ahead;
  if (double base = q.getXposScaleBase()
                        ? std::abs(q.getXposScaleBase()->convertToDouble())
                        : 0)
    while (block > 1 && reach + *halo.after + std::abs(ahead) + block >
                            kMaxXposSpread * base)
      block /= 2;
  maxKeys = *halo.before + block + *halo.after;
  tableRows = std::max(keyRow + maxKeys, queryRow + reach + block);
  return success();
}

LogicalResult Fuser::plan() {
  if (!op.getOrigin().empty())
    return fail("it is a tile already");
  if (failed(requireTileable(rewriter, op)))
    return failure();
  WindowAttrInterface window = op.getEffectiveWindow();
  Halo halo = getHalo(window);
  constexpr int64_t limit = int64_t(1) << 24;
  if (!halo.before || !halo.after || *halo.before > limit ||
      *halo.after > limit)
    return fail("its window does not bound the keys of a block");
  maxKeys = *halo.before + block + *halo.after;
  if (!query.rotary && !key.rotary)
    return success();
  return planRotary();
}

//===----------------------------------------------------------------------===//
// The fused block
//===----------------------------------------------------------------------===//

Value Fuser::getTable(RotaryOp rotary) {
  FloatType element = getAccumulatorType(rotary.getInput().getType());
  int64_t width = cast<ShapedType>(rotary.getInput().getType()).getDimSize(3);
  int64_t center = tableRows / 2;
  if (tableRows * width * element.getWidth() / 8 <= kMaxTableBytes)
    return arith::ConstantOp::create(rewriter, loc,
                                     getRotaryTable(rotary, tableRows, center));
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  return buildRotaryTable(rewriter, rotary, rewriter.getIndexAttr(tableRows),
                          index(0), index(center));
}

/// The part of `source` that `tile` is of `whole`.
Value Fuser::slice(Value whole, Value tile, Value source) {
  auto extract = tile.getDefiningOp<tensor::ExtractSliceOp>();
  if (!extract || extract.getSource() != whole)
    return source;
  return tensor::ExtractSliceOp::create(
      rewriter, loc, source, extract.getMixedOffsets(), extract.getMixedSizes(),
      extract.getMixedStrides());
}

/// Scratch of a known size for up to `maxRows` rows like `rows`.
Value Fuser::createScratch(Value rows, int64_t maxRows, Type element) {
  SmallVector<int64_t> shape(cast<ShapedType>(rows.getType()).getShape());
  shape[0] = shape[op.getHeadAxis()] = 1;
  shape[op.getPositionAxis()] = maxRows;
  return tensor::EmptyOp::create(rewriter, loc, shape, element);
}

/// A destination for `rows` inside scratch of a known size.
Value Fuser::scratchLike(Value rows, int64_t maxRows, Type element) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, rows);
  Value scratch = createScratch(rows, maxRows, element);
  SmallVector<OpFoldResult> zeros(4, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(4, rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, scratch, zeros, sizes,
                                        ones);
}

Value Fuser::stageRows(Value rows, bool keepBF16) {
  auto type = cast<RankedTensorType>(rows.getType());
  Type element = keepBF16 ? type.getElementType() : getAccumulatorType(type);
  return StageRowsOp::create(rewriter, loc, type.clone(element), rows,
                             createScratch(rows, maxKeys, element),
                             op.getPositionAxis());
}

void Fuser::stageKeysAndValues(AttentionOp tile) {
  // Wide queries meet wide keys.
  if (!key)
    tile.getKeyMutable().assign(stageRows(tile.getKey(), keepBF16 && !query));
  tile.getValueMutable().assign(stageRows(tile.getValue(), keepBF16));
}

Value Fuser::apply(const Chain &chain, Value whole, Value tile, int64_t maxRows,
                   Value start, Value table) {
  Value rows = slice(whole, tile, chain.source);
  // Never rounded (attention_p2).
  Type wide = getAccumulatorType(rows.getType());
  if (L2NormalizeOp normalize = chain.normalize)
    rows = L2NormalizeOp::create(rewriter, loc, rows,
                                 scratchLike(rows, maxRows, wide),
                                 normalize.getEps())
               .getResult(0);
  if (RotaryOp rotary = chain.rotary)
    rows = RotatePairsOp::create(rewriter, loc, rows, table, start,
                                 scratchLike(rows, maxRows, wide),
                                 rotary.getInterleaved(), rotary.getRowAxis())
               .getResult(0);
  return rows;
}

/// The table's row of the block's first query. Blocks beyond the last key see
/// nothing: they must only stay within the table.
Value Fuser::getQueryStart(AttentionOp tile) {
  std::optional<int64_t> offset = getConstantOffset(op);
  AffineExpr q0, k0;
  bindSymbols(rewriter.getContext(), q0, k0);
  // origin counts from query 0, which stands at `offset`.
  OpFoldResult distance = affine::makeComposedFoldedAffineMin(
      rewriter, loc,
      AffineMap::get(
          0, 2,
          {q0 + *offset - k0, getAffineConstantExpr(reach, q0.getContext())},
          q0.getContext()),
      {OpFoldResult(tile.getOrigin()[2]), OpFoldResult(tile.getOrigin()[3])});
  AffineExpr s0;
  bindSymbols(rewriter.getContext(), s0);
  OpFoldResult row = affine::makeComposedFoldedAffineApply(
      rewriter, loc, s0 + queryRow, {distance});
  // Queries before the first key see nothing either.
  row = affine::makeComposedFoldedAffineMax(
      rewriter, loc,
      AffineMap::get(0, 1, {s0, getAffineConstantExpr(0, s0.getContext())},
                     s0.getContext()),
      {row});
  return getValueOrCreateConstantIndexOp(rewriter, loc, row);
}

/// Rows that were turned or normalised are wide: of bf16 are values at most.
void Fuser::setProducts(AttentionOp tile) {
  std::optional<Products> given = op.getEffectiveSchedule().getProducts(),
                          possible;
  Lanes lanes = op.getEffectiveSchedule().getLanes().value_or(Lanes::Queries);
  if (keepBF16 && lanes == Lanes::Queries)
    possible = Products::DotValues;
  if (given == Products::Widened || given == possible)
    return;
  if (given)
    op.emitRemark() << "products = " << stringifyProducts(*given)
                    << " of its schedule does not apply: rotated or normalised "
                       "rows are f32";
  tile.setScheduleAttr(tile.getEffectiveSchedule().withProducts(possible));
}

LogicalResult Fuser::fuse() {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Value queryTable, keyTable;
  if (query.rotary) {
    queryTable = keyTable = getTable(query.rotary);
    if (query.rotary.getXposScaleBase())
      keyTable = getTable(key.rotary);
  }
  Value wholeQuery = op.getQuery(), wholeKey = op.getKey();
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  // Loops that count tiles, from 0 by 1: what lattn-outline-parallel takes.
  SmallVector<Range> domain = op.getIterationDomain(rewriter);
  AffineExpr s0;
  bindSymbols(rewriter.getContext(), s0);
  OpFoldResult blocks = affine::makeComposedFoldedAffineApply(
      rewriter, loc, s0.ceilDiv(block), {domain[2].size});
  options.setNumThreads(
      {domain[0].size, domain[1].size, blocks, rewriter.getIndexAttr(0)});
  options.setTileSizes(
      getAsIndexOpFoldResult(rewriter.getContext(), {1, 1, block, 0}));
  // A row of bnhd is one of a page that all heads share.
  if (op.isBnhd())
    options.setInterchange({0, 2, 1, 3});
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return fail("it cannot be tiled");
  auto tile = cast<AttentionOp>(tiled->tiledOps.back());
  if (query || key)
    setProducts(tile);
  rewriter.setInsertionPoint(tile);
  Value keyStart, queryStart;
  if (query.rotary) {
    keyStart = arith::ConstantIndexOp::create(rewriter, loc, keyRow);
    queryStart = getQueryStart(tile);
  }
  Value queryRows =
      apply(query, wholeQuery, tile.getQuery(), block, queryStart, queryTable);
  Value keyRows =
      apply(key, wholeKey, tile.getKey(), maxKeys, keyStart, keyTable);
  if (query)
    tile.getQueryMutable().assign(queryRows);
  if (key)
    tile.getKeyMutable().assign(keyRows);
  if (stage && isStageable())
    stageKeysAndValues(tile);
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

LogicalResult lattn::fuseQueryKey(RewriterBase &rewriter, AttentionOp op,
                                  int64_t block) {
  Fuser fuser(rewriter, op, block, /*stage=*/false, /*keepBF16=*/false);
  if (!fuser.isCandidate(/*xposOnly=*/false))
    return rewriter.notifyMatchFailure(op, "there is nothing to fuse");
  return failed(fuser.plan()) ? failure() : fuser.fuse();
}

namespace {
struct FuseQueryKey : lattn::impl::LattnFuseQueryKeyPassBase<FuseQueryKey> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t most = int64_t(1) << 24;
    if (block < 1 || block > most) {
      emitError(getOperation()->getLoc())
          << "lattn-fuse-query-key: expected a block of 1 to " << most
          << " queries, got " << int64_t(block);
      return signalPassFailure();
    }
    ReportingRewriter rewriter(&getContext());
    for (AttentionOp op : collectOps<AttentionOp>(getOperation())) {
      Fuser fuser(rewriter, op, block, stage, keepBF16);
      if (!fuser.isCandidate(xposOnly)) {
        if (succeeded(fuser.planStaging()))
          (void)fuser.fuse();
        continue;
      }
      if (Location loc = op.getLoc();
          failed(fuser.plan()) || failed(fuser.fuse()))
        emitRemark(loc) << "rotary and normalisation before attention are not "
                           "fused and run over the whole sequence: "
                        << rewriter.getReason();
    }
    cutXposGradients(rewriter, getOperation());
  }
};
} // namespace

//===- QueryTile.cpp - One tile of queries and its runs over key tiles ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include <numeric>

using namespace mlir;
using namespace lattn;

TileForm lattn::getCPUTileForm(AttentionOp op) {
  switch (op.getEffectiveSchedule().getLanes().value_or(Lanes::Queries)) {
  case Lanes::Queries:
    return TileForm::Packed;
  case Lanes::Features:
    return TileForm::Rows;
  case Lanes::Mixed:
    return TileForm::Mixed;
  }
  llvm_unreachable("unknown lanes");
}

bool lattn::isSameForAllRows(AttentionOpInterface op) {
  if (op.getBias()) {
    AffineMap map = op.getEffectiveBiasMap();
    if (map.isFunctionOfDim(OnlineAttentionOp::Head) ||
        map.isFunctionOfDim(OnlineAttentionOp::QueryPos))
      return false;
  }
  if (op.getScore().empty())
    return true;
  constexpr unsigned head = 2, query = 3;
  Block &region = op.getScore().front();
  return region.getArgument(head).use_empty() &&
         region.getArgument(query).use_empty();
}

/// Whether a window may begin within a page. A GPU copies the next key tile
/// ahead, so that all steps but the last are whole tiles: the first one then
/// has keys before the window, which steps of heads in groups do not hide.
static bool beginsInPages(AttentionOp op) {
  WindowAttrInterface window = op.getEffectiveWindow();
  return window && window.getLowerBounds().getNumResults() > 0 &&
         (getGatheredPages(op.getKey()) || getGatheredPages(op.getValue()));
}

bool lattn::canShareTile(AttentionOp op, TileForm form) {
  if (!op.getDropout().empty())
    return false;
  if (form == TileForm::GPU)
    return op.getScore().empty() && !op.getBias() && !op.getSink() &&
           !beginsInPages(op);
  return isSameForAllRows(op);
}

bool lattn::canGroupHeads(AttentionOp op, TileForm form) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  return query.getDimSize(op.getPositionAxis()) == 1 && canShareTile(op, form);
}

/// How many heads of queries share each of keys.
static OpFoldResult getGroupSize(OpBuilder &b, Location loc, OpFoldResult heads,
                                 OpFoldResult kvHeads) {
  auto whole = getConstantIntValue(heads), parts = getConstantIntValue(kvHeads);
  if (whole && parts && *parts > 0)
    return b.getIndexAttr(*whole / *parts);
  auto index = [&](OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  };
  // No heads at all are no groups.
  Value divisor =
      arith::MaxSIOp::create(b, loc, index(kvHeads), index(b.getIndexAttr(1)));
  return arith::DivUIOp::create(b, loc, index(heads), divisor).getResult();
}

/// Whether scores are products of bf16, so that queries are packed as they are.
static bool hasBF16Scores(AttentionOp op) {
  std::optional<Products> products = op.getEffectiveSchedule().getProducts();
  return products == Products::Dot || products == Products::AMX;
}

/// Fewer keys of a page are not worth a step, or its part, of their own.
static int64_t getFewestKeysOfPage(TileSizes sizes) {
  constexpr int64_t fewestKeys = 16;
  return std::min(fewestKeys, sizes.key);
}

/// Whether one table names pages of one size of both keys and values, which the
/// kernel of few queries reads.
static bool canReadTable(AttentionOp op, TileForm form, TileSizes sizes) {
  GatherPagesOp keys = getGatheredPages(op.getKey()),
                values = getGatheredPages(op.getValue());
  return form == TileForm::Rows && keys && values &&
         keys.getPages() == values.getPages() &&
         keys.getPageSize() == values.getPageSize() &&
         keys.getPageSize() >= getFewestKeysOfPage(sizes);
}

/// Makes the key tile divide the pages, so that they are read in place, or with
/// `byTable` consist of such parts. Returns the size of these parts. Tiles of
/// small pages, and of those that no tile of a good size divides, gather their
/// rows.
static int64_t fitToPages(AttentionOp op, bool grouped, TileForm form,
                          bool byTable, TileSizes &sizes) {
  constexpr int64_t mostKeysOfWindow = 64;
  int64_t unit = 0;
  for (Value rows : {op.getKey(), op.getValue()})
    if (GatherPagesOp gather = getGatheredPages(rows))
      unit = std::gcd(unit, gather.getPageSize());
  if (!unit)
    return 0;
  int64_t key = std::min(sizes.key, unit);
  // The first tile starts at a multiple, so that large ones hold more keys
  // outside of the window.
  if (op.getEffectiveWindow() && !grouped)
    key = std::min(key, mostKeysOfWindow);
  // Tensor cores take 16 keys at once.
  int64_t step = form == TileForm::GPU ? 16 : 1;
  while (key > 0 && (unit % key || key % step))
    --key;
  if (byTable) {
    sizes.key -= sizes.key % key;
    return key;
  }
  if (key < getFewestKeysOfPage(sizes))
    return 0;
  sizes.key = key;
  return key;
}

TiledAttention::TiledAttention(OpBuilder &b, AttentionOp op, TileSizes sizes,
                               TileForm form)
    : AttentionExtents(b, op), op(op), sizes(sizes), form(form),
      grouped(canGroupHeads(op, form)), byPairs(hasBF16Scores(op)),
      packedQueries(op), packedKeys(getPaddedKeys(op, op.getPositionAxis())) {
  Location loc = op.getLoc();
  grouped &= !packedQueries;
  byTable = canReadTable(op, form, sizes);
  keyUnit = fitToPages(op, grouped, form, byTable, this->sizes);
  headDim = cast<ShapedType>(op.getQuery().getType()).getDimSize(3);
  valueDim = cast<ShapedType>(op.getValue().getType()).getDimSize(3);
  if (grouped) {
    queries = getGroupSize(b, loc, heads, kvHeads);
    heads = kvHeads;
  }
  AffineExpr s0;
  bindSymbols(b.getContext(), s0);
  queryTiles = affine::makeComposedFoldedAffineApply(
      b, loc, s0.ceilDiv(sizes.query), {queries});
  if (packedQueries) {
    batches = b.getIndexAttr(1);
    queryTiles = packedQueries.buildTileCount(b, sizes.query);
  }
  // A block of a GPU reads its batch's length itself.
  bool perTile = form == TileForm::GPU && op.getKvLens() && !op.getOffset();
  if (op.getEffectiveWindow() && !perTile)
    offset = buildExplicitOffset(b, op);
  dropout = buildExplicitDropout(b, op);
}

LogicalResult TiledAttention::requirePages(RewriterBase &rewriter) const {
  AttentionOp attention = op;
  for (Value rows : {attention.getKey(), attention.getValue()})
    if (GatherPagesOp gather = getGatheredPages(rows);
        gather && form == TileForm::GPU && !keyUnit)
      return rewriter.notifyMatchFailure(
          op, "expected pages of a multiple of 16 keys for a GPU, got pages "
              "of " +
                  Twine(gather.getPageSize()));
  return success();
}

Value QueryTile::index(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}
Value QueryTile::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}
Value QueryTile::global(Value local, unsigned coordinate) {
  if (op.getOrigin().empty())
    return local;
  return b.createOrFold<arith::AddIOp>(loc, local, op.getOrigin()[coordinate]);
}

/// The default offset, from the borders: the lengths are an array of another
/// kernel.
Value QueryTile::buildOffsetOfPackedKeys() {
  Value queries = b.createOrFold<tensor::DimOp>(
      loc, op.getQuery(), static_cast<int64_t>(op.getPositionAxis()));
  Value first = b.createOrFold<arith::SubIOp>(loc, index(numKeys), queries);
  return b.createOrFold<arith::IndexCastOp>(loc, b.getI64Type(), first);
}

QueryTile::QueryTile(OpBuilder &b, const TiledAttention &whole,
                     Value outerBatch, Value head, Value tile)
    : b(b), whole(whole), op(whole.op), loc(op.getLoc()), batch(outerBatch),
      head(head) {
  if (whole.packedQueries)
    placePackedRows(tile);
  else
    placeRows(tile);
  kvHead = buildKvHead(b, loc, head, index(whole.heads), index(whole.kvHeads));
  firstHead = head;
  if (whole.grouped) {
    firstHead = b.createOrFold<arith::AddIOp>(
        loc, firstQuery,
        b.createOrFold<arith::MulIOp>(loc, head, index(whole.queries)));
    rowInArrays = firstQuery = index(int64_t(0));
  }
  placeKeys();
  query = getQueryRows(op.getQuery());
  if (whole.byTable)
    table = getTable(getGatheredPages(op.getKey()));
  keyMatrix = getMatrix(op.getKey(), whole.headDim);
  valueMatrix = getMatrix(op.getValue(), whole.valueDim);
  offset = whole.offset;
  if (!offset && op.getEffectiveWindow())
    offset = whole.packedKeys ? buildOffsetOfPackedKeys()
                              : buildExplicitOffset(b, op, batch);
  if (offset && isa<ShapedType>(offset.getType()))
    offset = readBatchNumber(b, loc, offset, global(batch, 0));
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// `keys`, or none where there are no `rows`.
static TileKeyValues buildKeysOfRows(OpBuilder &b, Location loc, Value rows,
                                     TileKeyValues keys) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value isEmpty =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rows, zero);
  auto choose = [&](Value key) -> Value {
    return arith::SelectOp::create(b, loc, isEmpty, zero, key);
  };
  return {choose(keys.begin), choose(keys.interiorBegin),
          choose(keys.interiorEnd), choose(keys.end)};
}

TileKeyValues QueryTile::getKeys() {
  TileKeyValues keys =
      findTileKeys(b, op, {batch, firstQuery, rows, offset}, index(numKeys),
                   whole.grouped, whole.getMaskedSteps());
  if (whole.packedQueries)
    keys = buildKeysOfRows(b, loc, rows, keys);
  if (whole.keyUnit && getStepWindow())
    beginAtMultiple(b, loc, keys, whole.keyUnit);
  else if (whole.form == TileForm::GPU && !op.getDropout().empty())
    beginAtMultiple(b, loc, keys, kKeysOfRandomCall);
  return keys;
}

/// Keys of a part of [begin, end): whole key tiles, so that only the last part
/// may end in a partial one.
static Value buildPartLength(OpBuilder &b, Location loc, TileKeyValues keys,
                             int64_t keyTile, OpFoldResult parts) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  auto apply = [&](AffineExpr expr, ArrayRef<OpFoldResult> symbols) {
    return getValueOrCreateConstantIndexOp(
        b, loc, affine::makeComposedFoldedAffineApply(b, loc, expr, symbols));
  };
  OpFoldResult begin = keys.begin, end = keys.end;
  if (auto known = getConstantIntValue(parts))
    return apply((s1 - s0).ceilDiv(keyTile * *known) * keyTile, {begin, end});
  // Affine maps divide by constants only.
  Value count = cast<Value>(parts);
  Value tiles = apply((s1 - s0).ceilDiv(keyTile), {begin, end});
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  tiles = arith::AddIOp::create(b, loc, tiles, count);
  tiles = arith::SubIOp::create(b, loc, tiles, one);
  tiles = arith::DivUIOp::create(b, loc, tiles, count);
  return apply(s0 * keyTile, {OpFoldResult(tiles)});
}

TileKeyValues QueryTile::getPart(TileKeyValues keys, Value part,
                                 OpFoldResult parts) {
  Value length = buildPartLength(b, loc, keys, whole.sizes.key, parts);
  auto border = [&](Value part) {
    Value at = b.createOrFold<arith::MulIOp>(loc, part, length);
    at = b.createOrFold<arith::AddIOp>(loc, keys.begin, at);
    return b.createOrFold<arith::MinSIOp>(loc, at, keys.end);
  };
  Value begin = border(part);
  Value end = border(b.createOrFold<arith::AddIOp>(loc, part, index(1)));
  auto clamp = [&](Value value) {
    value = b.createOrFold<arith::MaxSIOp>(loc, value, begin);
    return b.createOrFold<arith::MinSIOp>(loc, value, end);
  };
  return {begin, clamp(keys.interiorBegin), clamp(keys.interiorEnd), end};
}

//===----------------------------------------------------------------------===//
// State and runs
//===----------------------------------------------------------------------===//

SmallVector<Value> QueryTile::emptyState(bool withSink) {
  Type element = op.getAccumulatorType();
  OpFoldResult lanes = b.getIndexAttr(whole.sizes.query);
  SmallVector<Value> state =
      buildEmptyState(b, loc, element, lanes, b.getIndexAttr(whole.valueDim),
                      whole.getValueAxis());
  if (withSink && whole.grouped)
    addSinkOfHeads(b, op, firstHead, state);
  else if (withSink)
    addSink(b, op, head, state);
  return state;
}

SmallVector<Value> QueryTile::getGlobalOrigin(Value key) {
  return {global(batch, 0), global(head, 1), global(firstQuery, 2),
          global(key, 3)};
}

WindowAttrInterface QueryTile::getStepWindow() {
  return whole.grouped ? WindowAttrInterface() : op.getEffectiveWindow();
}

/// A step over `size` keys from `key` on, which all runs do.
SmallVector<Value> QueryTile::step(Value key, Value size, ValueRange state) {
  using Online = OnlineAttentionOp;
  auto map = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(6, dims, b.getContext());
  };
  AffineMap row = map({Online::QueryPos});
  AffineMap queryMap = map({Online::HeadDim, Online::QueryPos});
  AffineMap accMap = map({Online::ValueDim, Online::QueryPos});
  if (!whole.isPacked())
    queryMap = map({Online::QueryPos, Online::HeadDim});
  if (whole.getValueAxis() == 1)
    accMap = map({Online::QueryPos, Online::ValueDim});
  ArrayAttr maps = b.getAffineMapArrayAttr(
      {queryMap, map({Online::KeyPos, Online::HeadDim}),
       map({Online::KeyPos, Online::ValueDim}), accMap, row, row});
  double scale = whole.isScaled() ? 1.0 : *getStaticScale(op, whole.headDim);
  WindowAttrInterface window = getStepWindow();
  auto online = Online::create(
      b, loc, query, sliceKeys(keyMatrix, key, size),
      sliceKeys(valueMatrix, key, size), op.getBias(), op.getKeyMask(),
      /*kv_lens=*/Value(), window ? offset : Value(), getGlobalOrigin(key),
      op.getCaptures(), rows, whole.dropout, /*ahead=*/ValueRange(), table,
      table ? key : Value(), table ? size : Value(), state[0], state[1],
      state[2], window,
      /*causal=*/false, b.getF64FloatAttr(scale), op.getBiasMapAttr(), maps,
      op.getEffectiveSchedule().withTileSizes(whole.sizes).withFallback({}));
  IRMapping mapping;
  op.getScore().cloneInto(&online.getScore(), mapping);
  return SmallVector<Value>(online.getResults());
}

SmallVector<Value> QueryTile::run(TileKeyValues keys, ArrayRef<Value> state) {
  return sweepKeys(
      b, op, keys, whole.sizes.key, whole.grouped, state,
      [&](Value key, Value size, ValueRange state) {
        return step(key, size, state);
      },
      whole.keyUnit, whole.getMaskedSteps());
}

void QueryTile::finalize(ArrayRef<Value> state, ValueRange dests, Value part) {
  /// Where the tile lies in a destination, and what lies there.
  struct Place {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    Value tile;
  };
  SmallVector<Place> places;
  for (auto [i, dest] : llvm::enumerate(dests)) {
    Place &place = places.emplace_back();
    int64_t width = i == 0 ? whole.valueDim : 0;
    getRows(width, place.offsets, place.sizes);
    if (part) {
      place.offsets.insert(place.offsets.begin(), OpFoldResult(part));
      place.sizes.insert(place.sizes.begin(), b.getIndexAttr(1));
    }
    place.strides.assign(place.sizes.size(), b.getIndexAttr(1));
    SmallVector<int64_t> shape = {ShapedType::kDynamic};
    if (i == 0)
      shape.push_back(width);
    place.tile = tensor::ExtractSliceOp::create(
        b, loc,
        RankedTensorType::get(shape, getElementTypeOrSelf(dest.getType())),
        dest, place.offsets, place.sizes, place.strides);
  }
  SmallVector<Value> rows;
  for (const Place &place : llvm::drop_begin(places))
    rows.push_back(place.tile);
  auto finalize =
      FinalizeOp::create(b, loc, state[0], state[1], state[2],
                         places.front().tile, rows, whole.getValueAxis());
  auto inParallel =
      cast<scf::ForallOp>(b.getInsertionBlock()->getParentOp()).getTerminator();
  b.setInsertionPointToEnd(inParallel.getBody());
  for (auto [place, result, dest] :
       llvm::zip_equal(places, finalize.getResults(), dests))
    tensor::ParallelInsertSliceOp::create(b, loc, result, dest, place.offsets,
                                          place.sizes, place.strides);
}

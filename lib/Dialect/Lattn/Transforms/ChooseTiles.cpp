//===- ChooseTiles.cpp - Tile sizes by a cost model -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Cycles of a query tile, from what bounds the micro-kernel: FMAs and exp in
// registers, what a step over a key tile costs however small it is, keys and
// values that come from a cache further away. The constants are measured; see
// docs/Performance.md. The number of threads does not enter: the sizes decide
// in which order scores are summed.

#include "QueryTile.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/AMXTile.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCHOOSETILESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Whether query, key and value are bf16.
static bool isOfBF16(AttentionOp op) {
  return llvm::all_of(ValueRange{op.getQuery(), op.getKey(), op.getValue()},
                      [](Value array) {
                        return getElementTypeOrSelf(array.getType()).isBF16();
                      });
}

namespace {
class TileCost {
public:
  TileCost(AttentionOp op, const TileModel &model);
  /// Cycles of one query.
  double get(TileSizes sizes) const;
  /// The same with products of tiles of bf16; infinite where they cannot be.
  double getByAMX(TileSizes sizes) const;
  int64_t getLanes() const { return lanes; }
  /// No tile need be larger, up to whole groups.
  int64_t getMostQueries() const { return queries; }

private:
  /// Keys that a tile of queries sees, steps over them, and keys in steps with
  /// a mask.
  struct Extent {
    double seen, steps, hidden;
  };
  Extent getExtent(TileSizes sizes) const;
  /// Of `cycles` for a tile that sees `seen` keys: with what keys and values
  /// from L2 or beyond cost, for one query.
  double getOfOne(double cycles, double seen, TileSizes sizes) const;

  static constexpr double exp = 6.5, mask = 6, packing = 5, rescale = 1.5;
  static constexpr double call = 250, copy = 1.5, late = 20;

  TileModel model;
  int64_t lanes;
  int64_t queries, keys; // a typical length where it is not known
  WindowAttrInterface window;
  int64_t headDim, valueDim, elementBytes;
  std::optional<Products> products; // that the op asks for
  bool masked, staged, byPairs, valuesByPairs;
};
} // namespace

TileCost::TileCost(AttentionOp op, const TileModel &model) : model(model) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  unsigned position = op.getPositionAxis();
  Type accumulator = op.getAccumulatorType();
  unsigned bits = accumulator.getIntOrFloatBitWidth();
  lanes = std::max<int64_t>(1, model.vectorBits / bits);
  // Larger sizes change no choice. Static ones may be near INT64_MAX.
  constexpr int64_t typical = 4096, typicalGroup = 8, most = int64_t(1) << 40;
  auto extent = [&](ShapedType type, unsigned axis, int64_t otherwise) {
    return type.isDynamicDim(axis) ? otherwise
                                   : std::min(most, type.getDimSize(axis));
  };
  queries = extent(query, position, typical);
  keys = extent(key, position, typical);
  if (canGroupHeads(op, TileForm::Packed)) {
    int64_t heads = query.getDimSize(op.getHeadAxis());
    int64_t kvHeads = key.getDimSize(op.getHeadAxis());
    queries = ShapedType::isDynamic(heads) || ShapedType::isDynamic(kvHeads)
                  ? typicalGroup
                  : std::min(most, heads / std::max<int64_t>(1, kvHeads));
  }
  headDim = extent(query, 3, 1);
  valueDim = extent(cast<ShapedType>(op.getValue().getType()), 3, 1);
  elementBytes = bits / 8;
  // Converted, or rows a whole fraction of 4 KiB apart: copied for each tile.
  bool inBlock = op.getKey().getDefiningOp<StageRowsOp>();
  products = op.getEffectiveSchedule().getProducts();
  byPairs = products ? *products == Products::Dot || *products == Products::AMX
                     : model.hasBF16Dot && isOfBF16(op);
  valuesByPairs = byPairs || products == Products::DotValues;
  staged = key.getElementType() != accumulator || valuesByPairs ||
           (op.isBnhd() && !inBlock);
  window = op.getEffectiveWindow();
  masked = window || op.getKeyMask();
}

TileCost::Extent TileCost::getExtent(TileSizes sizes) const {
  int64_t most = getMostSeenKeys(window, sizes.query).value_or(keys);
  double seen = std::min(keys, most);
  // Without bounds on both sides half the keys, as under a causal mask.
  if (masked && seen == keys)
    seen = (seen + sizes.query) / 2;
  double steps = std::ceil(seen / sizes.key);
  // Edges end on whole steps: on average one and a half on both sides.
  double hidden = masked ? std::min(seen, sizes.query + 1.5 * sizes.key) : 0;
  return {seen, steps, hidden};
}

double TileCost::getOfOne(double cycles, double seen, TileSizes sizes) const {
  double bytes = seen * (headDim + valueDim) * elementBytes;
  // What consecutive tiles share stays in L2 a little beyond its size.
  cycles += bytes / (bytes <= 1.5 * model.l2Bytes ? 128 : 48);
  // Few queries do not fill a tile.
  int64_t tiles = llvm::divideCeil(queries, sizes.query);
  // The next tile's queries and outputs are asked for in the first steps; more
  // lines at once than a CPU waits for hold it up (lattn-prefetch-tiles).
  constexpr double linesInFlight = 24, mostSteps = 4;
  double steps = std::clamp(std::ceil(seen / sizes.key), 1.0, mostSteps);
  double lines = double(std::min(sizes.query, queries)) * (headDim + valueDim) *
                 elementBytes / 64;
  cycles += late * std::max(0.0, lines - steps * linesInFlight);
  return cycles * tiles / std::max<int64_t>(1, queries);
}

double TileCost::get(TileSizes sizes) const {
  if (products == Products::AMX)
    return std::numeric_limits<double>::infinity();
  auto [rows, vectors] = chooseAttentionBlock(
      model.vectorBits, model.registers, llvm::divideCeil(sizes.query, lanes));
  double depth = headDim + valueDim;
  double groups = llvm::divideCeil(sizes.query, vectors * lanes);
  auto [seen, steps, hidden] = getExtent(sizes);
  // Only the last step is partial.
  double padded = seen + (sizes.key % rows ? steps : 1) * (rows - 1) / 2;
  // Blocks of keys that all queries see pay no mask.
  hidden = std::min(hidden, 2.0 * (sizes.query + rows));

  // Loads bound a block of one vector whose broadcasts are instructions.
  double fmasPerCycle = vectors == 1 && model.registers < 32 ? 1.5 : 2;
  double fmas = padded * headDim / (byPairs ? 2 : 1) +
                seen * valueDim / (valuesByPairs ? 2 : 1);
  double vectorCycles = fmas / fmasPerCycle + seen * exp + hidden * mask +
                        steps * valueDim * rescale + packing * depth;
  double cycles = groups * vectors * vectorCycles;

  constexpr double bytesFromL2 = 48;
  double state = vectors * lanes * depth * elementBytes;
  double tile = sizes.key * (depth + vectors * lanes) * elementBytes;
  bool fitsL1 = tile + groups * state <= 1.25 * model.l1Bytes;
  cycles += groups * steps * (call + (fitsL1 ? 0 : state / bytesFromL2));

  // Once a tile, whatever its queries.
  if (staged)
    cycles += copy * seen * depth / lanes;
  return getOfOne(cycles, seen, sizes);
}

double TileCost::getByAMX(TileSizes sizes) const {
  if (!model.hasAMX || !byPairs || products == Products::Dot)
    return std::numeric_limits<double>::infinity();
  int64_t vectors =
      AMXTile::chooseBlock(llvm::divideCeil(sizes.query, lanes)).vectors;
  double groups = llvm::divideCeil(sizes.query, vectors * lanes);
  auto [seen, steps, hidden] = getExtent(sizes);
  AMXCycles products(sizes.key, vectors, headDim, valueDim);
  // Beside exp: the maxima, and weights to pairs. Queries become pairs in each
  // step. Values are transposed once for all groups, 32 keys x 16 at a time.
  constexpr double weights = 3, square = 100;
  double vectorCycles = seen * (exp + weights) + hidden * mask +
                        steps * (valueDim + headDim) * rescale +
                        packing * (headDim + valueDim);
  double cycles =
      groups * (vectors * vectorCycles + steps * (products.get() + call));
  cycles += steps * square * llvm::divideCeil(sizes.key, AMXTile::depth) *
            llvm::divideCeil(valueDim, AMXTile::rows);
  if (headDim % AMXTile::depth || valueDim % AMXTile::rows)
    cycles += copy * seen * (headDim + valueDim) / lanes;
  return getOfOne(cycles, seen, sizes);
}

/// Queries up to which a tile is cheaper with features on the lanes: a query
/// costs about a third more than its share of full lanes. Measured; narrow keys
/// are converted once for either form, which packed tiles of few queries feel
/// more.
static int64_t getMostRows(AttentionOp op, const TileModel &model) {
  Type element = op.getAccumulatorType();
  int64_t lanes =
      std::max<int64_t>(1, model.vectorBits / element.getIntOrFloatBitWidth());
  bool isNarrow = getElementTypeOrSelf(op.getKey().getType()) != element;
  return std::max<int64_t>(1, isNarrow ? lanes * 3 / 4 : lanes / 2);
}

TileSizes lattn::chooseTileSizes(AttentionOp op, const TileModel &model,
                                 TileSizes wanted) {
  TileCost cost(op, model);
  TileSizes best;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t vectors : {1, 2, 4, 8}) {
    int64_t query = wanted.query ? wanted.query : vectors * cost.getLanes();
    if (vectors > 1 && (wanted.query || query >= 2 * cost.getMostQueries()))
      continue;
    auto consider = [&](int64_t key, auto get) {
      TileSizes sizes = {query, wanted.key ? wanted.key : key};
      double cycles = (cost.*get)(sizes);
      if (cycles < least) {
        least = cycles;
        best = sizes;
      }
    };
    for (int64_t key : {72, 64, 48, 24, 12})
      consider(key, &TileCost::get);
    for (int64_t key : {128, 64, 32})
      consider(key, &TileCost::getByAMX);
  }
  return best;
}

/// Those that the op asks for, or the cheapest that there are for it.
static std::optional<Products>
chooseProducts(AttentionOp op, const TileModel &model, TileSizes sizes) {
  std::optional<Products> given = op.getEffectiveSchedule().getProducts();
  if (given || !model.hasBF16Dot || !isOfBF16(op))
    return given;
  TileCost cost(op, model);
  return cost.getByAMX(sizes) < cost.get(sizes) ? Products::AMX : Products::Dot;
}

/// Errors where the target lacks the products that `op` asks for.
static LogicalResult checkProducts(AttentionOp op, const TileModel &model) {
  std::optional<Products> given = op.getEffectiveSchedule().getProducts();
  if (!given || *given == Products::Widened)
    return success();
  if (model.hasBF16Dot && (*given != Products::AMX || model.hasAMX))
    return success();
  return op.emitError() << "the schedule asks for products = "
                        << stringifyProducts(*given)
                        << ", which the target does not have";
}

/// Rounds queries up to whole vectors, which hold a query a lane.
static LogicalResult roundToVectors(AttentionOp op, TileSizes &sizes,
                                    int64_t vectorBits) {
  Type type = op.getAccumulatorType();
  int64_t lanes =
      std::max<int64_t>(1, vectorBits / type.getIntOrFloatBitWidth());
  int64_t rounded = llvm::alignTo(sizes.query, lanes);
  if (rounded > TileSizes::mostQueries)
    return op.emitError() << "expected a query tile of at most "
                          << TileSizes::mostQueries << ", got " << rounded
                          << ", in vectors of " << lanes << " queries in "
                          << type;
  if (rounded != sizes.query)
    op.emitRemark() << "query tile of " << sizes.query << " rounded up to "
                    << rounded << ": a vector holds " << lanes << " queries in "
                    << type;
  sizes.query = rounded;
  return success();
}

/// "KERNEL=32x96"
static bool parseTuned(StringRef text, TunedTiles &tuned) {
  auto [kernel, sizes] = text.split('=');
  auto [query, key] = sizes.split('x');
  TileSizes parsed;
  if (kernel.empty() || query.getAsInteger(10, parsed.query) ||
      key.getAsInteger(10, parsed.key) || !parsed.isInBounds())
    return false;
  tuned[kernel.str()] = parsed;
  return true;
}

namespace {
struct ChooseTiles : lattn::impl::LattnChooseTilesPassBase<ChooseTiles> {
  using Base::Base;
  LogicalResult initialize(MLIRContext *context) override {
    measured.clear();
    for (const std::string &text : tuned)
      if (!parseTuned(text, measured))
        return emitError(UnknownLoc::get(context))
               << "lattn-choose-tiles: tuned: expected KERNEL=QUERIESxKEYS "
                  "such "
                  "as f32.bhnd.d64.v64=16x48, got '"
               << text << "'";
    return success();
  }

  void runOnOperation() override {
    // 0: chosen.
    TileSizes asked = {queryTile ? int64_t(queryTile) : 1,
                       keyTile ? int64_t(keyTile) : 1};
    if (!asked.isInBounds()) {
      emitError(getOperation()->getLoc())
          << "lattn-choose-tiles: expected tiles of 1 to "
          << TileSizes::mostQueries << " queries and 1 to "
          << TileSizes::mostKeys
          << " keys, or 0 for those to choose, got query-tile="
          << int64_t(queryTile) << " key-tile=" << int64_t(keyTile);
      return signalPassFailure();
    }
    bool failed = false;
    getOperation()->walk(
        [&](AttentionOp op) { failed |= mlir::failed(complete(op)); });
    if (failed)
      signalPassFailure();
  }

private:
  /// Sizes of tiles with features on the lanes, if there are few queries; a
  /// query tile that is asked for is one of packed queries.
  std::optional<TileSizes>
  chooseFeatures(AttentionOp op, const TileModel &model, TileSizes asked) {
    ScheduleAttr schedule = op.getEffectiveSchedule();
    int64_t most = getMostRows(op, model);
    int64_t queries = TileCost(op, model).getMostQueries();
    bool isWidened =
        schedule.getProducts().value_or(Products::Widened) == Products::Widened;
    bool isWanted = schedule.getLanes()
                        ? schedule.getLanes() == Lanes::Features
                        : !asked.query && isWidened && queries <= most;
    if (!isWanted)
      return std::nullopt;
    constexpr int64_t keys = 64;
    return TileSizes{asked.query ? asked.query
                                 : std::clamp<int64_t>(queries, 1, most),
                     asked.key ? asked.key : keys};
  }

  /// Gives `op` the parts of a schedule that it lacks.
  LogicalResult complete(AttentionOp op) {
    TileModel model = {vectorBits, registers, l1Bytes, l2Bytes, bf16Dot, amx};
    if (failed(checkProducts(op, model)))
      return failure();
    ScheduleAttr schedule = op.getEffectiveSchedule();
    TileSizes sizes = schedule.getTileSizes({queryTile, keyTile});
    if (auto features = chooseFeatures(op, model, sizes)) {
      op.setScheduleAttr(
          schedule.withTileSizes(*features).withLanes(Lanes::Features));
      return success();
    }
    if (!schedule.getQueryTile() || !schedule.getKeyTile())
      sizes = choose(op, model, sizes);
    if (failed(roundToVectors(op, sizes, vectorBits)))
      return failure();
    op.setScheduleAttr(schedule.withTileSizes(sizes).withProducts(
        chooseProducts(op, model, sizes)));
    return success();
  }

  /// Sizes of which those of `wanted` that are not 0 are taken.
  TileSizes choose(AttentionOp op, const TileModel &model, TileSizes wanted) {
    std::optional<TileSizes> sizes;
    if (!wanted.query && !wanted.key)
      sizes = getTunedTileSizes(op, measured);
    auto options =
        remark::RemarkOpts::name("tiles").category("lattn-choose-tiles");
    if (sizes)
      remark::passed(op.getLoc(), options)
          << remark::add("tile sizes as measured")
          << remark::metric("Queries", sizes->query)
          << remark::metric("Keys", sizes->key);
    else
      remark::missed(op.getLoc(), options)
          << remark::add("tile sizes not as measured")
          << remark::metric("Kernel", getKernelName(op));
    return sizes ? *sizes : chooseTileSizes(op, model, wanted);
  }

  TunedTiles measured;
};
} // namespace

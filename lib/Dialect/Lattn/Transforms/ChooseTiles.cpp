//===- ChooseTiles.cpp - Tile sizes by a cost model -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which tiles are cheapest is in TileCost.cpp, what was measured in the option.

#include "GradTiler.h"
#include "QueryTile.h"
#include "TileCost.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/Target/AttentionBlock.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCHOOSETILESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Queries up to which a tile is cheaper with features on the lanes. Measured:
/// with AVX-512 a query costs about a third more than its share of full lanes,
/// with AVX2 less than that share. Narrow keys are converted once for either
/// form, which packed tiles of few queries feel more.
static int64_t getMostRows(AttentionOp op, const TileModel &model) {
  Type element = op.getAccumulatorType();
  int64_t lanes =
      std::max<int64_t>(1, model.vectorBits / element.getIntOrFloatBitWidth());
  constexpr int64_t wideBits = 512;
  if (model.vectorBits < wideBits)
    return lanes;
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
    if (std::optional<int64_t> key = cost.getBand(query))
      consider(*key, &TileCost::getMixed);
    consider(64, &TileCost::getMixed);
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
  if (cost.getByAMX(sizes) < cost.get(sizes))
    return Products::AMX;
  return model.hasAMX ? Products::Widened : Products::Dot;
}

static std::optional<Products> chooseProducts(AttentionGradOp op,
                                              const TileModel &model) {
  bool areOfBF16 = isOfBF16(cast<AttentionOpInterface>(op.getOperation())) &&
                   getElementTypeOrSelf(op.getDOutput().getType()).isBF16();
  if (!model.hasBF16Dot || model.hasAMX || !areOfBF16)
    return std::nullopt;
  return Products::Dot;
}

/// Tangents have no kernel of other products than widened ones.
static std::optional<Products> chooseProducts(AttentionJvpOp,
                                              const TileModel &) {
  return std::nullopt;
}

/// Those that the op asks for, or mixed ones where they are cheapest.
static std::optional<Lanes> chooseLanes(AttentionOp op, const TileModel &model,
                                        TileSizes sizes) {
  std::optional<Lanes> given = op.getEffectiveSchedule().getLanes();
  TileCost cost(op, model);
  if (given ||
      cost.getMixed(sizes) >= std::min(cost.get(sizes), cost.getByAMX(sizes)))
    return given;
  return Lanes::Mixed;
}

/// Errors where the target lacks the products that `op` asks for.
static LogicalResult checkProducts(Operation *op, std::optional<Products> given,
                                   const TileModel &model) {
  if (!given || *given == Products::Widened)
    return success();
  if (model.hasBF16Dot && (*given != Products::AMX || model.hasAMX))
    return success();
  return op->emitError() << "the schedule asks for products = "
                         << stringifyProducts(*given)
                         << ", which the target does not have";
}

/// Rounds queries up to whole vectors, which hold a query a lane.
static LogicalResult roundToVectors(AttentionOpInterface op, TileSizes &sizes,
                                    int64_t vectorBits) {
  Type type = op.getAccumulatorType();
  int64_t lanes =
      std::max<int64_t>(1, vectorBits / type.getIntOrFloatBitWidth());
  int64_t rounded = llvm::alignTo(sizes.query, lanes);
  if (rounded > TileSizes::mostQueries)
    return op->emitError() << "expected a query tile of at most "
                           << TileSizes::mostQueries << ", got " << rounded
                           << ", in vectors of " << lanes << " queries in "
                           << type;
  if (rounded != sizes.query)
    op->emitRemark() << "query tile of " << sizes.query << " rounded up to "
                     << rounded << ": a vector holds " << lanes
                     << " queries in " << type;
  sizes.query = rounded;
  return success();
}

/// Measured: one group of vectors of queries wastes fewest pairs at the edges
/// of a window. Where it is long, two of them share what is read and written of
/// keys.
static TileSizes chooseGradTileSizes(AttentionOpInterface op,
                                     std::optional<Products> products,
                                     const TileModel &model) {
  constexpr int64_t longWindow = 512;
  int64_t keys = products == Products::Dot ? 128 : 64;
  Type type = op.getAccumulatorType();
  int64_t lanes =
      std::max<int64_t>(1, model.vectorBits / type.getIntOrFloatBitWidth());
  int64_t query =
      lanes *
      chooseAttentionBlock(model.vectorBits, model.registers, 2).vectors;
  WindowAttrInterface window = op.getEffectiveWindow();
  Halo halo = window ? getHalo(window) : Halo();
  if (!halo.before || !halo.after)
    return {2 * query, keys};
  int64_t seen = std::min(*halo.before, longWindow) +
                 std::min(*halo.after, longWindow) + query;
  if (seen > longWindow)
    return {2 * query, keys};
  return {query, std::min<int64_t>(keys, llvm::alignTo(seen, 16))};
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
    getOperation()->walk(
        [&](AttentionGradOp op) { failed |= mlir::failed(complete(op)); });
    getOperation()->walk(
        [&](AttentionJvpOp op) { failed |= mlir::failed(complete(op)); });
    if (failed)
      signalPassFailure();
  }

private:
  /// One step for all keys that a tile of `queries` sees, if these are not
  /// many: nothing is left for an interior then. Keys in pages are better taken
  /// by whole pages.
  static int64_t chooseFeatureKeys(AttentionOp op, int64_t queries) {
    constexpr int64_t keys = 256, multiple = 16;
    std::optional<int64_t> seen =
        getMostSeenKeys(op.getEffectiveWindow(), queries);
    if (!seen || *seen > 2 * keys || getGatheredPages(op.getKey()))
      return keys;
    return llvm::alignTo(*seen, multiple);
  }

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
    TileSizes sizes = {asked.query ? asked.query
                                   : std::clamp<int64_t>(queries, 1, most),
                       asked.key};
    if (!sizes.key)
      sizes.key = chooseFeatureKeys(op, sizes.query);
    return sizes;
  }

  /// Sizes of tiles with features on the lanes, if they are asked for, or if
  /// there are so few queries that most lanes would stay empty.
  std::optional<TileSizes> chooseFeatures(AttentionGradOp op, TileSizes asked) {
    constexpr int64_t mostRows = 8, keys = 64;
    ScheduleAttr schedule = op.getScheduleAttr();
    std::optional<Lanes> lanes =
        schedule ? schedule.getLanes() : std::optional<Lanes>();
    int64_t rows = countRowsOfGroup(op).value_or(mostRows + 1);
    bool isWanted = lanes ? lanes == Lanes::Features
                          : !asked.query && rows >= 1 && rows <= mostRows &&
                                findObstacleToFeatures(op).empty();
    if (!isWanted)
      return std::nullopt;
    return TileSizes{asked.query ? asked.query
                                 : std::clamp<int64_t>(rows, 1, mostRows),
                     asked.key ? asked.key : keys};
  }
  std::optional<TileSizes> chooseFeatures(AttentionJvpOp, TileSizes) {
    return std::nullopt;
  }

  /// Gives `op` the parts of a schedule that it lacks.
  template <typename DerivativeOp> LogicalResult complete(DerivativeOp op) {
    TileModel model = {vectorBits, registers, l1Bytes, l2Bytes, bf16Dot, amx};
    ScheduleAttr schedule = op.getScheduleAttr();
    if (!schedule)
      schedule = ScheduleAttr::get(&getContext(), {}, {}, {}, {}, {}, {});
    if (failed(checkProducts(op, schedule.getProducts(), model)))
      return failure();
    if (std::string error = findLanesError(op); !error.empty())
      return op.emitOpError(error);
    TileSizes asked = schedule.getTileSizes({queryTile, keyTile});
    if (std::optional<TileSizes> features = chooseFeatures(op, asked)) {
      op.setScheduleAttr(
          schedule.withTileSizes(*features).withLanes(Lanes::Features));
      return success();
    }
    if (!schedule.getProducts())
      schedule = schedule.withProducts(chooseProducts(op, model));
    TileSizes sizes = chooseGradTileSizes(op, schedule.getProducts(), model);
    sizes = {asked.query ? asked.query : sizes.query,
             asked.key ? asked.key : sizes.key};
    if (failed(roundToVectors(op, sizes, vectorBits)))
      return failure();
    op.setScheduleAttr(schedule.withTileSizes(sizes));
    return success();
  }

  /// Gives `op` the parts of a schedule that it lacks.
  LogicalResult complete(AttentionOp op) {
    TileModel model = {vectorBits, registers, l1Bytes, l2Bytes, bf16Dot, amx};
    ScheduleAttr schedule = op.getEffectiveSchedule();
    if (failed(checkProducts(op, schedule.getProducts(), model)))
      return failure();
    TileSizes sizes = schedule.getTileSizes({queryTile, keyTile});
    if (auto features = chooseFeatures(op, model, sizes)) {
      schedule = schedule.withTileSizes(*features).withLanes(Lanes::Features);
      // One query reads as fast as memory gives with products of any kind.
      if (features->query > 1 && model.hasBF16Dot && !model.hasAMX &&
          isOfBF16(op) && !schedule.getProducts())
        schedule = schedule.withProducts(Products::Dot);
      op.setScheduleAttr(schedule);
      return success();
    }
    if (!schedule.getQueryTile() || !schedule.getKeyTile())
      sizes = choose(op, model, sizes);
    if (failed(roundToVectors(op, sizes, vectorBits)))
      return failure();
    schedule =
        schedule.withTileSizes(sizes).withLanes(chooseLanes(op, model, sizes));
    if (schedule.getLanes() != Lanes::Mixed)
      schedule = schedule.withProducts(chooseProducts(op, model, sizes));
    op.setScheduleAttr(schedule);
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

//===- ChooseGPUTiles.cpp - Tile sizes for a GPU --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tiles for the blocks of a GPU: how many queries and keys fit its registers
// and its shared memory.

#include "../SpecializeWarps/Ring.h"
#include "GPUTileSizes.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/Remarks.h"
#include <set>

namespace lattn {
#define GEN_PASS_DEF_LATTNCHOOSEGPUTILESPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

static constexpr int64_t kWarpQueries = 16;

/// Whether rows may lie at multiples of 16 bytes, by what is known of strides.
static bool mayBeAligned(Value array) {
  auto tensor = cast<RankedTensorType>(array.getType());
  int64_t elements = 16 / (tensor.getElementTypeBitWidth() / 8);
  SmallVector<int64_t> strides = {tensor.getDimSize(3)};
  int64_t offset = 0;
  if (auto buffer = array.getDefiningOp<bufferization::ToTensorOp>()) {
    auto type = cast<MemRefType>(buffer.getBuffer().getType());
    strides.clear(); // appended to
    if (failed(type.getStridesAndOffset(strides, offset)))
      return true;
    int64_t inner = strides.pop_back_val();
    if (ShapedType::isStatic(inner) && inner != 1)
      return false;
  }
  strides.push_back(offset);
  return llvm::all_of(strides, [&](int64_t stride) {
    return ShapedType::isDynamic(stride) || stride % elements == 0;
  });
}

/// The operands that a kernel will copy slowly, a sentence each.
static SmallVector<std::string> getUnaligned(AttentionOp op) {
  std::pair<const char *, Value> operands[] = {
      {"query", op.getQuery()}, {"key", op.getKey()}, {"value", op.getValue()}};
  SmallVector<std::string> texts;
  for (auto [name, value] : operands)
    if (!mayBeAligned(value))
      texts.push_back(std::string(name) +
                      " is copied by elements, for its rows do not all begin "
                      "at multiples of 16 bytes");
  return texts;
}

/// Says what was chosen, and what of it the window shows.
static void remarkOnWork(AttentionOp op, const WarpgroupWork &work) {
  auto options =
      remark::RemarkOpts::name("tiles").category("lattn-choose-gpu-tiles");
  remark::analysis(op.getLoc(), options)
      << remark::add("tiles of warpgroups")
      << remark::metric("Queries", work.sizes.query)
      << remark::metric("Keys", work.sizes.key)
      << remark::metric("FullSteps", work.full)
      << remark::metric("EdgeSteps", work.edge)
      << remark::metric("Visible", work.visible)
      << remark::metric("Executed", work.executed)
      << remark::metric("Cycles", int64_t(work.cycles));
}

namespace {
struct ChooseGPUTiles
    : lattn::impl::LattnChooseGPUTilesPassBase<ChooseGPUTiles> {
  using Base::Base;
  void runOnOperation() override {
    if (llvm::Error error = readTarget()) {
      emitError(getOperation()->getLoc())
          << "lattn-choose-gpu-tiles: " << llvm::toString(std::move(error));
      return signalPassFailure();
    }
    bool failed = false;
    said.clear();
    getOperation()->walk([&](AttentionOp op) {
      std::string obstacle = getObstacle(op);
      if (obstacle.empty())
        obstacle = choose(op);
      failed |= !obstacle.empty();
      if (!obstacle.empty() && isNew(op, obstacle))
        op.emitOpError() << "cannot become a GPU kernel: " << obstacle;
      if (obstacle.empty())
        for (const std::string &text : getUnaligned(op))
          if (isNew(op, text))
            op.emitRemark(text);
    });
    getOperation()->walk([&](AttentionGradOp op) {
      std::string obstacle = getObstacle(op);
      if (obstacle.empty())
        obstacle = choose(op);
      failed |= !obstacle.empty();
      if (!obstacle.empty())
        op.emitOpError() << "cannot become GPU kernels: " << obstacle;
    });
    if (failed)
      signalPassFailure();
  }

private:
  llvm::Error readTarget() {
    llvm::Expected<GPUTarget> found = getGPUTarget(chip);
    if (!found)
      return found.takeError();
    target = *found;
    mostBytes = target->blockSharedBytes -
                (target->hasWarpgroups ? kBesideRingsBytes : 0);
    if (sharedBytes)
      mostBytes = sharedBytes;
    return llvm::Error::success();
  }

  /// Copies of an op, from branches, say the same thing once.
  bool isNew(Operation *op, StringRef text) {
    return said.insert({op->getLoc().getAsOpaquePointer(), text.str()}).second;
  }

  /// What is wrong with options and the sizes that are asked for; empty if
  /// nothing is.
  std::string checkOptions(TileSizes wanted) {
    if (warps < (target->hasWarpgroups ? 0 : 1) ||
        warps > GPUTarget::mostBlockWarps)
      return "expected 1 to " + std::to_string(GPUTarget::mostBlockWarps) +
             " warps of a block, got " + std::to_string(warps);
    if (stages < 2 || stages > fragment::kMostStages)
      return "expected 2 to " + std::to_string(fragment::kMostStages) +
             " stages, got " + std::to_string(stages);
    TileSizes least = {wanted.query ? wanted.query : 1,
                       wanted.key ? wanted.key : 1};
    if (!least.isInBounds())
      return "expected at most " + std::to_string(TileSizes::mostQueries) +
             " queries and " + std::to_string(TileSizes::mostKeys) +
             " keys a tile, or 0 for those to choose, got " +
             std::to_string(wanted.query) + " and " +
             std::to_string(wanted.key);
    return "";
  }

  /// Gives `op` its schedule. What prevents that; empty where nothing does.
  template <typename Op> std::string choose(Op op) {
    ScheduleAttr schedule = op.getScheduleAttr();
    if (!schedule)
      schedule = ScheduleAttr::get(&getContext(), {}, {}, {}, {}, {}, {});
    TileSizes wanted = schedule.getTileSizes({queryTile, keyTile});
    std::string text = checkOptions(wanted);
    if (!text.empty())
      return text;
    if (target->hasWarpgroups) {
      std::string obstacle = getObstacleToGroups(wanted.query);
      if (obstacle.empty())
        return chooseForGroups(op, schedule, wanted);
      if (isNew(op, obstacle))
        op.emitRemark("the kernel is that of earlier GPUs: ") << obstacle;
    }
    TileSizes sizes = getSizes(op, wanted);
    text = check(sizes, getStagedBytes(op, sizes, stages));
    if (text.empty())
      op.setScheduleAttr(schedule.withTileSizes(sizes).withFallback({}));
    return text;
  }

  int64_t getWarps() { return warps ? int64_t(warps) : GPUTarget::usualWarps; }

  /// Sizes by warps of their own; those of `wanted` that are not 0 are taken.
  template <typename Op> TileSizes getSizes(Op op, TileSizes wanted) {
    TileSizes sizes = wanted;
    if (!sizes.key)
      sizes.key = getStep(op);
    if (!sizes.query)
      sizes.query = chooseRows(op, getWarps(), sizes.key);
    // On chips with warpgroups, a warp has 16 rows.
    if (!wanted.query &&
        (!warps || getStagedBytes(op, sizes, stages) > mostBytes))
      sizes.query = kWarpQueries * getWarps();
    while (!wanted.key && sizes.key > 16 &&
           getStagedBytes(op, sizes, stages) > mostBytes)
      sizes.key -= 16;
    return sizes;
  }

  /// Why warps are no groups of four with 16 queries each; empty where they
  /// are.
  std::string getObstacleToGroups(int64_t queries) {
    if (warps % fragment::kGroupWarps)
      return "warpgroups are of four warps, got " + std::to_string(warps);
    if (warps && queries && queries != kWarpQueries * warps)
      return "a warp of a warpgroup has 16 queries, got " +
             std::to_string(queries) + " of " + std::to_string(warps) +
             " warps";
    return "";
  }

  /// Sizes for groups of warps.
  TileSizes getGroupSizes(AttentionOp op, TileSizes wanted) {
    WarpgroupWork work =
        chooseWarpgroupTiles(op, wanted, {*target, stages, mostBytes});
    if (check(work.sizes, getSharedBytes(op, work.sizes, stages)).empty())
      remarkOnWork(op, work);
    return work.sizes;
  }
  TileSizes getGroupSizes(AttentionGradOp op, TileSizes wanted) {
    return chooseGroupSizes(op, wanted, {*target, stages, mostBytes});
  }

  template <typename Op>
  std::string chooseForGroups(Op op, ScheduleAttr schedule, TileSizes wanted) {
    if (!wanted.query)
      wanted.query = kWarpQueries * warps;
    if (wanted.query % kGroupQueries)
      return check(wanted, 0);
    TileSizes sizes = getGroupSizes(op, wanted);
    std::string text = check(sizes, getSharedBytes(op, sizes, stages));
    if (!text.empty())
      return text;
    TileSizes fallback = getSizes(op, {0, 0});
    if (ScheduleAttr given = schedule.getFallback()) {
      fallback = given.getTileSizes(fallback);
      text = check(fallback, getStagedBytes(op, fallback, stages));
      if (!text.empty())
        return "the schedule's fallback: " + text;
    }
    op.setScheduleAttr(schedule.withTileSizes(sizes).withFallback(
        ScheduleAttr::get(op.getContext(), fallback.query, fallback.key,
                          std::nullopt, std::nullopt, std::nullopt, {})));
    return text;
  }

  /// Why tiles of such sizes cannot be; empty where they can.
  std::string check(TileSizes sizes, int64_t bytes) {
    // Of TMA tiles; keys are columns of scores, too.
    constexpr int64_t most =
        std::min(fragment::kMostTMARows, fragment::kMostGroupColumns);
    int64_t rows = kWarpQueries * getWarps();
    std::string text;
    llvm::raw_string_ostream os(text);
    if (sizes.query % rows || sizes.query < 1)
      os << "expected a multiple of " << rows << " queries a tile for "
         << getWarps() << " warps, got " << sizes.query;
    else if (sizes.key % 16 || sizes.key < 1)
      os << "expected a multiple of 16 keys a tile, got " << sizes.key;
    else if (!warps && (sizes.query > most || sizes.key > most))
      os << "expected at most " << most
         << " queries and keys a tile of warpgroups, got " << sizes.query
         << " and " << sizes.key;
    else if (bytes > mostBytes)
      os << "tiles of " << sizes.query << " queries and " << sizes.key
         << " keys in " << stages << " stages take " << bytes
         << " bytes of shared memory; a block has at most " << mostBytes;
    return text;
  }

  std::optional<GPUTarget> target;
  int64_t mostBytes = 0; // of shared memory, for tiles
  std::set<std::pair<const void *, std::string>> said;
};
} // namespace

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
#include "WarpgroupCost.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include <set>

namespace lattn {
#define GEN_PASS_DEF_LATTNCHOOSEGPUTILESPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// A larger head leaves no registers for scores beside its output.
static constexpr int64_t kMostHeadSize = 256;
static constexpr int64_t kWarpQueries = 16;

/// Whether `loop` carries an array that an iteration writes elsewhere. On GPUs
/// it would need memory for each iteration.
static bool replacesArrays(scf::ForOp loop) {
  return llvm::any_of(
      llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()),
      [&](auto pair) {
        auto [carried, dest] = pair;
        while (auto op =
                   dest.template getDefiningOp<DestinationStyleOpInterface>())
          dest = op.getTiedOpOperand(cast<OpResult>(dest))->get();
        bool isElsewhere = loop.isDefinedOutsideOfLoop(dest) ||
                           dest.template getDefiningOp<tensor::EmptyOp>() ||
                           isa<BlockArgument>(dest);
        return isa<TensorType>(carried.getType()) && dest != carried &&
               isElsewhere;
      });
}

/// Why no kernel can be made of `op`; empty where one can.
static std::string getObstacle(AttentionOp op) {
  auto type = [](Value value) { return cast<ShapedType>(value.getType()); };
  Type element = type(op.getQuery()).getElementType();
  std::string text;
  llvm::raw_string_ostream os(text);
  int64_t headDim = type(op.getQuery()).getDimSize(3),
          valueDim = type(op.getValue()).getDimSize(3);
  if (!element.isF16() && !element.isBF16())
    os << "expected query, key and value of f16 or bf16, got " << element;
  else if (type(op.getKey()).getElementType() != element ||
           type(op.getValue()).getElementType() != element)
    os << "expected query, key and value of one element type, got " << element
       << ", " << type(op.getKey()).getElementType() << " and "
       << type(op.getValue()).getElementType();
  else if (ShapedType::isDynamic(headDim) || ShapedType::isDynamic(valueDim))
    os << "expected head sizes that are known";
  else if (headDim < 1 || valueDim < 1 || headDim > kMostHeadSize ||
           valueDim > kMostHeadSize)
    os << "expected head sizes of 1 to " << kMostHeadSize << ", got " << headDim
       << " and " << valueDim;
  else if (!op.getDropout().empty())
    os << "dropout has no GPU kernel yet";
  else if (auto products = op.getEffectiveSchedule().getProducts())
    os << "the schedule's products = " << stringifyProducts(*products)
       << " are those of a CPU";
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop && text.empty();
       loop = loop->getParentOfType<scf::ForOp>())
    if (replacesArrays(loop))
      os << "it is in a loop, '" << loop->getName()
         << "', that carries an array: expected each iteration to write its "
            "result to that array, got another destination";
  return text;
}

/// The same for gradients.
static std::string getObstacle(AttentionGradOp op) {
  auto type = [](Value value) { return cast<ShapedType>(value.getType()); };
  std::string text;
  llvm::raw_string_ostream os(text);
  Type element = type(op.getQuery()).getElementType();
  std::pair<const char *, Value> operands[] = {{"query", op.getQuery()},
                                               {"key", op.getKey()},
                                               {"value", op.getValue()},
                                               {"d_output", op.getDOutput()}};
  for (auto [name, value] : operands) {
    Type given = type(value).getElementType();
    int64_t width = type(value).getDimSize(3);
    if (!given.isF16() && !given.isBF16())
      os << "expected " << name << " of f16 or bf16, got " << given;
    else if (given != element)
      os << "expected query and " << name << " of one element type, got "
         << element << " and " << given;
    else if (ShapedType::isDynamic(width))
      os << "expected a head size of " << name << " that is known";
    else if (width < 1 || width > kMostHeadSize)
      os << "expected head sizes of 1 to " << kMostHeadSize << ", got " << width
         << " of " << name;
    if (!text.empty())
      return text;
  }
  if (!WindowBounds(op.getEffectiveWindow()).getInverse())
    os << "expected a window whose bounds are chains of + c, * c, floordiv c "
          "and ceildiv c from the position on, got "
       << op.getEffectiveWindow();
  std::pair<const char *, bool> missing[] = {
      {"gradients with dropout have", !op.getDropout().empty()},
      {"the gradient of a bias has", bool(op.getDBias())},
      {"gradients of captured arrays have", !op.getDCaptures().empty()}};
  for (auto [name, isThere] : missing)
    if (isThere)
      return std::string(name) + " no GPU kernel yet";
  return text;
}

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

/// The head size of `array` in whole fragments.
static int64_t getWidth(Value array) {
  return llvm::alignTo(cast<ShapedType>(array.getType()).getDimSize(3), 16);
}

/// A tile's scores and the weights made of them are registers, beside those of
/// the output, of which a large head leaves few. A bias, a mask or a region
/// takes registers, too, beside the addresses of a large query head.
static int64_t getKeys(AttentionOp op) {
  bool modified = op.getBias() || op.getKeyMask() || !op.getScore().empty();
  int64_t widest = getWidth(op.getValue());
  if (modified)
    widest = std::max(widest, getWidth(op.getQuery()));
  return widest > 128 ? 32 : 64;
}

static int64_t getStagedBytes(AttentionOp op, TileSizes sizes, int64_t stages) {
  int64_t head = getWidth(op.getQuery()), value = getWidth(op.getValue());
  return 2 * (sizes.query * head + stages * sizes.key * (head + value));
}

/// The most positions of a step whose scores and their gradients fit a thread's
/// registers beside the sums of its rows.
static int64_t getStepOfGrad(AttentionGradOp op) {
  int64_t widths = getWidth(op.getQuery()) + getWidth(op.getValue());
  return widths <= 128 ? 32 : 16;
}

/// Two matrices of a tile's rows stay, and two of a step's positions come, with
/// their numbers.
static int64_t getStagedBytes(AttentionGradOp op, TileSizes sizes,
                              int64_t stages) {
  int64_t widths = getWidth(op.getQuery()) + getWidth(op.getValue());
  int64_t sums = 2 * 4 * stages * sizes.key; // lse and sums of rows, in f32
  return 2 * widths * (sizes.query + stages * sizes.key) + sums;
}

/// The same for groups of four warps. Scores and their gradients take a
/// register each for two positions of a step, and sums of wide heads most of
/// the others.
static int64_t getStepOfGroups(AttentionGradOp op) {
  return 64;
}

static int64_t getSharedBytes(AttentionGradOp op, TileSizes sizes,
                              int64_t stages) {
  int64_t head = getWidth(op.getQuery()), value = getWidth(op.getValue());
  auto bytes = [&](int64_t rows) {
    return getStageBytes(rows, head) + getStageBytes(rows, value);
  };
  int64_t vector = llvm::alignTo(4 * sizes.key, kVectorAlignment);
  return bytes(sizes.query) + stages * (bytes(sizes.key) + 2 * vector);
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
  bool isNew(AttentionOp op, StringRef text) {
    return said.insert({op.getLoc().getAsOpaquePointer(), text.str()}).second;
  }

  std::string choose(AttentionOp op) {
    if (warps < (target->hasWarpgroups ? 0 : 1) ||
        warps > GPUTarget::mostBlockWarps)
      return "expected 1 to " + std::to_string(GPUTarget::mostBlockWarps) +
             " warps of a block, got " + std::to_string(warps);
    if (stages < 2 || stages > fragment::kMostStages)
      return "expected 2 to " + std::to_string(fragment::kMostStages) +
             " stages, got " + std::to_string(stages);
    TileSizes wanted =
        op.getEffectiveSchedule().getTileSizes({queryTile, keyTile});
    TileSizes least = {wanted.query ? wanted.query : 1,
                       wanted.key ? wanted.key : 1};
    if (!least.isInBounds())
      return "expected at most " + std::to_string(TileSizes::mostQueries) +
             " queries and " + std::to_string(TileSizes::mostKeys) +
             " keys a tile, or 0 for those to choose, got " +
             std::to_string(wanted.query) + " and " +
             std::to_string(wanted.key);
    if (target->hasWarpgroups) {
      std::string obstacle = getObstacleToGroups(wanted.query);
      if (obstacle.empty())
        return chooseForGroups(op, wanted);
      if (isNew(op, obstacle))
        op.emitRemark("the kernel is that of earlier GPUs: ") << obstacle;
    }
    TileSizes sizes = getSizes(op, wanted);
    std::string text = check(sizes, getStagedBytes(op, sizes, stages));
    if (text.empty())
      op.setScheduleAttr(
          op.getEffectiveSchedule().withTileSizes(sizes).withFallback({}));
    return text;
  }

  /// Rows of a block's tile, and positions of a step.
  std::string choose(AttentionGradOp op) {
    ScheduleAttr schedule = op.getScheduleAttr();
    if (!schedule)
      schedule = ScheduleAttr::get(&getContext(), {}, {}, {}, {}, {}, {});
    TileSizes wanted = schedule.getTileSizes({queryTile, keyTile});
    if (target->hasWarpgroups && getObstacleToGroups(wanted.query).empty())
      return chooseForGroups(op, schedule, wanted);
    TileSizes sizes = getSizes(op, wanted);
    std::string text = check(sizes, getStagedBytes(op, sizes, stages));
    if (text.empty())
      op.setScheduleAttr(schedule.withTileSizes(sizes).withFallback({}));
    return text;
  }

  TileSizes getSizes(AttentionGradOp op, TileSizes sizes) {
    if (!sizes.query)
      sizes.query = kWarpQueries * getWarps();
    if (!sizes.key)
      for (sizes.key = getStepOfGrad(op);
           sizes.key > 16 && getStagedBytes(op, sizes, stages) > mostBytes;)
        sizes.key -= 16;
    return sizes;
  }

  /// Two groups of 64 rows, and the most positions of a step that their
  /// registers hold.
  std::string chooseForGroups(AttentionGradOp op, ScheduleAttr schedule,
                              TileSizes wanted) {
    TileSizes sizes = wanted;
    if (!sizes.query)
      sizes.query = warps ? kWarpQueries * warps : 2 * kGroupQueries;
    if (!sizes.key)
      for (sizes.key = getStepOfGroups(op);
           sizes.key > 16 && getSharedBytes(op, sizes, stages) > mostBytes;)
        sizes.key -= 16;
    std::string text = check(sizes, getSharedBytes(op, sizes, stages));
    if (sizes.query % kGroupQueries || !text.empty())
      return text;
    TileSizes fallback = getSizes(op, {0, 0});
    if (ScheduleAttr given = schedule.getFallback()) {
      fallback = given.getTileSizes(fallback);
      text = check(fallback, getStagedBytes(op, fallback, stages));
      if (!text.empty())
        return "the schedule's fallback: " + text;
    }
    op.setScheduleAttr(
        schedule.withTileSizes(sizes).withFallback(ScheduleAttr::get(
            op.getContext(), fallback.query, fallback.key, std::nullopt,
            std::nullopt, std::nullopt, {})));
    return text;
  }

  int64_t getWarps() { return warps ? int64_t(warps) : GPUTarget::usualWarps; }

  /// Sizes by warps of their own; those of `wanted` that are not 0 are taken.
  TileSizes getSizes(AttentionOp op, TileSizes wanted) {
    TileSizes sizes = wanted;
    if (!sizes.query)
      sizes.query = kWarpQueries * getWarps();
    if (!sizes.key)
      sizes.key = getKeys(op);
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

  std::string chooseForGroups(AttentionOp op, TileSizes wanted) {
    if (!wanted.query)
      wanted.query = kWarpQueries * warps;
    if (wanted.query % kGroupQueries)
      return check(wanted, 0);
    WarpgroupWork work =
        chooseWarpgroupTiles(op, wanted, {*target, stages, mostBytes});
    std::string text =
        check(work.sizes, getSharedBytes(op, work.sizes, stages));
    if (!text.empty())
      return text;
    ScheduleAttr schedule = op.getEffectiveSchedule();
    TileSizes fallback = getSizes(op, {0, 0});
    if (ScheduleAttr given = schedule.getFallback()) {
      fallback = given.getTileSizes(fallback);
      text = check(fallback, getStagedBytes(op, fallback, stages));
      if (!text.empty())
        return "the schedule's fallback: " + text;
    }
    remarkOnWork(op, work);
    op.setScheduleAttr(schedule.withTileSizes(work.sizes)
                           .withFallback(ScheduleAttr::get(
                               op.getContext(), fallback.query, fallback.key,
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

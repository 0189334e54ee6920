//===- WarpgroupCost.cpp - Tile sizes for Hopper's warpgroups -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What bounds a block: products, exponentials and what else the threads do,
// copies of keys and values from L2, and what nothing runs beside. Small tiles
// execute fewer pairs that the window hides, large ones read keys less often.

#include "WarpgroupCost.h"
#include "../SpecializeWarps/Ring.h"
#include "lattn/Analysis/TilePlan.h"
#include <cmath>

using namespace mlir;
using namespace lattn;

namespace {
/// Costs on a multiprocessor of H100, none fitted to times. Products and
/// exponentials: CUDA C++ Programming Guide, "Arithmetic Instructions".
/// Instructions: of machine code (docs/GPU.md). L2: between what others
/// measured (25 to 30) and the width of its port (64). The others are guesses.
struct Costs {
  double productsPerCycle = 2048; // multiply-adds of bf16
  double exponentialsPerCycle = 16;
  /// Of a warp: for each key, for each column of the output, for a step.
  double fullKey = 2.25, edgeKey = 4.25, column = 0.5, step = 120;
  double bytesPerCycle = 32; // from L2
  double startCycles = 50;   // of a step's products
  double blockCycles = 2000; // until the first product, after the last
};
constexpr Costs kCosts;

/// Cycles of a step, of all groups of a block.
struct StepCycles {
  double products, full, edge, copy;
};
} // namespace

/// Larger sizes, up to INT64_MAX, change no choice, but each tile is counted.
static int64_t getDim(Value array, unsigned axis, int64_t otherwise) {
  constexpr int64_t most = int64_t(1) << 17;
  auto type = cast<ShapedType>(array.getType());
  return type.isDynamicDim(axis) ? otherwise
                                 : std::min(most, type.getDimSize(axis));
}

/// Columns that products take of rows.
static int64_t getColumns(Value array) {
  return llvm::alignTo(cast<ShapedType>(array.getType()).getDimSize(3), 16);
}

int64_t lattn::getSharedBytes(AttentionOp op, TileSizes sizes, int64_t stages) {
  int64_t head = getColumns(op.getQuery()), value = getColumns(op.getValue());
  return getStageBytes(sizes.query, head) +
         stages *
             (getStageBytes(sizes.key, head) + getStageBytes(sizes.key, value));
}

/// The most keys of a step that are tried: none fits more.
static constexpr int64_t kMostKeys = 176;

/// Keys of a step that leave the registers of `groups` groups unspilled
/// (test/GPU/ptxas).
static int64_t getMostKeys(int64_t groups, int64_t valueColumns) {
  bool isSmall = valueColumns <= 64, isUsual = valueColumns <= 128;
  switch (groups) {
  case 1:
    return isSmall ? kMostKeys : isUsual ? 96 : 0;
  case 2:
    return isUsual ? kMostKeys : 80;
  case 3:
    return isSmall ? 96 : 0;
  default:
    return 0;
  }
}

/// Blocks that share a multiprocessor, by registers and shared memory.
static int64_t getBlocks(const GPUTarget &target, int64_t groups,
                         int64_t sharedBytes) {
  int64_t byShared =
      target.multiprocessorSharedBytes /
      (sharedBytes + kBesideRingsBytes + GPUTarget::reservedSharedBytes);
  auto registers = GPUTarget::getRoleRegisters(groups);
  return std::min<int64_t>(registers ? registers->blocks : 1, byShared);
}

static StepCycles getStepCycles(AttentionOp op, TileSizes sizes) {
  double groups = sizes.query / kGroupQueries, keys = sizes.key;
  double output = getColumns(op.getValue());
  double columns = getColumns(op.getQuery()) + output;
  double pairs = groups * kGroupQueries * keys;
  auto instructions = [&](double key) {
    return groups * (key * keys + kCosts.column * output + kCosts.step);
  };
  double exponentials = pairs / kCosts.exponentialsPerCycle;
  StepCycles cycles;
  cycles.products =
      pairs * columns / kCosts.productsPerCycle + groups * kCosts.startCycles;
  cycles.full = std::max(exponentials, instructions(kCosts.fullKey));
  cycles.edge = std::max(exponentials, instructions(kCosts.edgeKey));
  cycles.copy = keys * columns * 2 / kCosts.bytesPerCycle;
  return cycles;
}

namespace {
/// The sequences that a choice is made for: where lengths are not known, long
/// ones.
struct Extents {
  explicit Extents(AttentionOp op);
  /// The share of time in which multiprocessors have no block left.
  double getWaves(int64_t query, int64_t slots) const;

  TileDomain domain = {};
  int64_t heads; // of all batches; a group of heads counts as one
};
} // namespace

Extents::Extents(AttentionOp op) {
  constexpr int64_t typical = 4096, manyHeads = 1024, typicalGroup = 8;
  unsigned axis = op.getPositionAxis(), head = op.getHeadAxis();
  int64_t queries = getDim(op.getQuery(), axis, typical);
  domain.window = op.getEffectiveWindow();
  domain.keys = getDim(op.getKey(), axis, std::max(typical, queries));
  domain.numKeys = domain.keys;
  domain.offset = domain.keys - queries;
  domain.grouped = canGroupHeads(op, TileForm::GPU);
  domain.hasKeyMask = bool(op.getKeyMask());
  heads = getDim(op.getQuery(), head, manyHeads);
  if (domain.grouped) {
    int64_t kvHeads = getDim(op.getKey(), head, heads / typicalGroup);
    queries = heads / std::max<int64_t>(kvHeads, 1);
    heads = kvHeads;
  }
  domain.rows = queries;
  heads *= getDim(op.getQuery(), 0, manyHeads);
}

double Extents::getWaves(int64_t query, int64_t slots) const {
  Halo halo = getHalo(domain.window);
  double blocks = double(heads) * llvm::divideCeil(domain.rows, query);
  // Parts of the keys fill the others where there are many (CountParts.cpp).
  constexpr int64_t few = 512;
  bool bounded = halo.before && halo.after && *halo.before + *halo.after < few;
  if (!bounded || blocks < 1)
    return 1;
  return std::ceil(blocks / slots) * slots / blocks;
}

/// All but the visible pairs, which are the same for all sizes.
static WarpgroupWork estimateWork(AttentionOp op, TileSizes sizes,
                                  WarpgroupBlock block) {
  Extents extents(op);
  int64_t groups = std::max<int64_t>(1, sizes.query / kGroupQueries);
  StepCycles step = getStepCycles(op, sizes);
  WarpgroupWork work;
  work.sizes = sizes;
  double beside = 0, alone = 0; // cycles of all blocks
  TilePlan plan(extents.domain, sizes);
  for (int64_t tile = 0; tile < plan.getNumTiles(); ++tile) {
    TileKeys keys = plan.getKeys(tile);
    KeySteps steps = countKeySteps(keys, keys.touched.begin, sizes.key);
    work.full += groups * steps.full;
    work.edge += groups * steps.edge;
    double full = std::max(step.products, step.full);
    double edge = std::max(step.products, step.edge);
    double copies = steps.getAll() * step.copy;
    beside += std::max(steps.full * full + steps.edge * edge, copies);
    // Nothing of a group's own runs beside its masked steps.
    edge = std::max(edge, (step.products + step.edge) / groups);
    alone += kCosts.blockCycles +
             std::max(steps.full * full + steps.edge * edge, copies);
  }
  work.executed = (work.full + work.edge) * kGroupQueries * sizes.key;
  int64_t bytes = getSharedBytes(op, sizes, block.stages);
  work.fits = bytes <= block.sharedBytes &&
              sizes.key <= getMostKeys(groups, getColumns(op.getValue()));
  int64_t together =
      std::max<int64_t>(1, getBlocks(block.target, groups, bytes));
  work.cycles =
      std::max(beside, alone / together) *
      extents.getWaves(sizes.query, block.target.multiprocessors * together);
  return work;
}

WarpgroupWork lattn::chooseWarpgroupTiles(AttentionOp op, TileSizes wanted,
                                          WarpgroupBlock block) {
  std::optional<WarpgroupWork> best;
  auto consider = [&](int64_t query, int64_t key) {
    WarpgroupWork work = estimateWork(op, {query, key}, block);
    if (!best || (work.fits && !best->fits) ||
        (work.fits == best->fits && work.cycles < best->cycles))
      best = work;
  };
  for (int64_t query : {128, 64, 192}) {
    if (wanted.query && query != 128)
      continue;
    for (int64_t key = wanted.key ? wanted.key : kMostKeys; key >= 16;
         key -= 16) {
      consider(wanted.query ? wanted.query : query, key);
      if (wanted.key)
        break;
    }
  }
  best->visible = TilePlan(Extents(op).domain, best->sizes).countVisible();
  return *best;
}

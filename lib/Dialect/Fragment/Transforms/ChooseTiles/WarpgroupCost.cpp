//===- WarpgroupCost.cpp - Tile sizes for Hopper's warpgroups -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What bounds a block: products; the chain of a group's products and softmax,
// which other groups run beside; copies of keys and values from L2. Small tiles
// execute fewer pairs that the window hides, large ones start fewer steps.

#include "WarpgroupCost.h"
#include "../SpecializeWarps/Ring.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include <cmath>

using namespace mlir;
using namespace lattn;

namespace {
/// Costs on a multiprocessor of H100. Products: CUDA C++ Programming Guide,
/// "Arithmetic Instructions". The others come from times of kernels, which
/// benchmarks/gpu/fit.py compares with this model. What a group waits for
/// itself exceeds what its instructions occupy: a tile of 64 queries takes
/// exponentials for 4 cycles a key.
struct Costs {
  double productsPerCycle = 2048; // multiply-adds of bf16
  double startCycles = 300;       // of a step's products
  double key = 10, edge = 15;     // of a group's softmax; of masks, too
  double flag = 1;                // of a key mask, by its instructions
  double bytesPerCycle = 40;      // from L2; at least 38 were measured
  double blockCycles = 4000;      // until the first product, after the last
  double sharpness = 8;           // of the bend where products become the bound
};
constexpr Costs kCosts;

/// Cycles of a step, of all groups of a block.
struct StepCycles {
  double full, edge, copy;
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
  int64_t step =
      getStageBytes(sizes.key, head) + getStageBytes(sizes.key, value);
  if (hasBiasTiles(op))
    step += getStageBytes(sizes.query, sizes.key);
  return getStageBytes(sizes.query, head) + stages * step;
}

/// The most keys of a step that are tried: none fits more.
static constexpr int64_t kMostKeys = 176;

/// Keys of a step that leave the registers of `groups` groups unspilled
/// (test/GPU/ptxas). A bias, dropout or a region takes registers, too.
static int64_t getMostKeys(AttentionOp op, int64_t groups) {
  int64_t valueColumns = getColumns(op.getValue());
  bool isRandom = !op.getDropout().empty();
  bool isModified = op.getBias() || isRandom || !op.getScore().empty();
  bool isSmall = valueColumns <= 64, isUsual = valueColumns <= 128;
  // Bounds on both sides, or none, take registers of addresses or of scores.
  Halo halo = getHalo(op.getEffectiveWindow());
  bool leavesRegisters = valueColumns <= 96 && !isModified &&
                         !op.getKeyMask() && !halo.before && halo.after;
  switch (groups) {
  case 1:
    return isSmall ? (isModified ? 112 : kMostKeys) : isUsual ? 96 : 0;
  case 2:
    return !isUsual     ? (op.getBias() || isRandom ? 48 : 64)
           : isModified ? 128
                        : kMostKeys;
  case 3:
    if (isSmall)
      return isModified ? 48 : 128;
    return leavesRegisters ? 112 : 0;
  default:
    return 0;
  }
}

/// Queries, keys and values.
static constexpr int64_t kAttentionArrays = 3;

/// Blocks that share a multiprocessor, by registers and shared memory.
static int64_t getBlocks(const GPUTarget &target, int64_t groups,
                         int64_t sharedBytes) {
  int64_t byShared =
      target.multiprocessorSharedBytes /
      (sharedBytes + kBesideRingsBytes + GPUTarget::reservedSharedBytes);
  auto registers = GPUTarget::getRoleRegisters(groups, kAttentionArrays);
  return std::min<int64_t>(registers ? registers->blocks : 1, byShared);
}

/// Cycles of a step of one group, where `groups` take turns on a
/// multiprocessor. One alone hides half of its products behind its softmax.
static double getGroupCycles(double products, double softmax, double groups) {
  if (groups == 1)
    return std::max(products, products / 2 + softmax);
  double n = kCosts.sharpness;
  return std::pow(std::pow(products, n) +
                      std::pow((products + softmax) / groups, n),
                  1 / n);
}

static StepCycles getStepCycles(AttentionOp op, TileSizes sizes,
                                int64_t together) {
  double groups = std::max<int64_t>(1, sizes.query / kGroupQueries);
  double keys = sizes.key;
  double columns = getColumns(op.getQuery()) + getColumns(op.getValue());
  double products = kGroupQueries * keys * columns / kCosts.productsPerCycle +
                    kCosts.startCycles;
  auto cycles = [&](double key) {
    return groups * getGroupCycles(products, key * keys, groups * together);
  };
  double key = kCosts.key + (op.getKeyMask() ? kCosts.flag : 0);
  double bytes = 2 * keys * (columns + (hasBiasTiles(op) ? sizes.query : 0));
  return {cycles(key), cycles(key + kCosts.edge), bytes / kCosts.bytesPerCycle};
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
  heads = getDim(op.getQuery(), head, manyHeads);
  if (domain.grouped) {
    int64_t kvHeads = getDim(op.getKey(), head, heads / typicalGroup);
    queries = heads / std::max<int64_t>(kvHeads, 1);
    heads = kvHeads;
  }
  domain.rows = queries;
  heads *= getDim(op.getQuery(), 0, manyHeads);
}

TileDomain lattn::getTypicalDomain(AttentionOp op) {
  return Extents(op).domain;
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
  int64_t bytes = getSharedBytes(op, sizes, block.stages);
  int64_t together =
      std::max<int64_t>(1, getBlocks(block.target, groups, bytes));
  StepCycles step = getStepCycles(op, sizes, together);
  double full = std::max(step.full, step.copy);
  double edge = std::max(step.edge, step.copy);
  WarpgroupWork work;
  work.sizes = sizes;
  TilePlan plan(extents.domain, sizes);
  for (int64_t tile = 0; tile < plan.getNumTiles(); ++tile) {
    TileKeys keys = plan.getKeys(tile);
    KeySteps steps = countKeySteps(keys, keys.touched.begin, sizes.key);
    work.full += groups * steps.full;
    work.edge += groups * steps.edge;
    work.cycles +=
        steps.full * full + steps.edge * edge + kCosts.blockCycles / together;
  }
  work.executed = (work.full + work.edge) * kGroupQueries * sizes.key;
  work.fits =
      bytes <= block.sharedBytes && sizes.key <= getMostKeys(op, groups);
  work.cycles *=
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

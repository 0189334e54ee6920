//===- TileCost.cpp - Cycles of tiles of attention ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileCost.h"
#include "QueryTile.h"
#include "lattn/Analysis/TilePlan.h"
#include "lattn/Target/AMXTile.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

bool lattn::isOfBF16(AttentionOpInterface op) {
  return llvm::all_of(ValueRange{op.getQuery(), op.getKey(), op.getValue()},
                      [](Value array) {
                        return getElementTypeOrSelf(array.getType()).isBF16();
                      });
}

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
  mayBeAMX =
      model.hasAMX && (products ? *products == Products::AMX : isOfBF16(op));
  // CPUs with AMX make twice as many products by FMAs as by dot products.
  byPairs = products ? *products == Products::Dot || *products == Products::AMX
                     : model.hasBF16Dot && !model.hasAMX && isOfBF16(op);
  valuesByPairs = byPairs || products == Products::DotValues;
  staged = key.getElementType() != accumulator || valuesByPairs ||
           (op.isBnhd() && !inBlock);
  window = op.getEffectiveWindow();
  // Blocks of 4 queries x 4 vectors of features need many registers.
  mayBeMixed = !valuesByPairs && !canGroupHeads(op, TileForm::Packed) &&
               op.getEffectiveSchedule().getLanes() != Lanes::Queries &&
               model.registers >= 32 && model.vectorBits >= 512;
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

double TileCost::getOfOne(double cycles, double seen, TileSizes sizes,
                          bool isSpread) const {
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
  if (!isSpread)
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

  // Loads bound a block of one vector, more so if broadcasts are instructions.
  double fmasPerCycle = vectors > 1            ? 2
                        : model.registers < 32 ? 1.5
                                               : fmasOfLoads;
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

std::optional<int64_t> TileCost::getBand(int64_t query) const {
  std::optional<int64_t> band = getMostSeenKeys(window, query);
  int64_t rows =
      chooseAttentionBlock(model.vectorBits, model.registers, 1).rows;
  if (!band || *band > TileSizes::mostKeys - rows)
    return std::nullopt;
  return llvm::alignTo(*band, rows);
}

double TileCost::getMixed(TileSizes sizes) const {
  if (!mayBeMixed)
    return std::numeric_limits<double>::infinity();
  auto [rows, vectors] = chooseAttentionBlock(
      model.vectorBits, model.registers, llvm::divideCeil(sizes.query, lanes));
  ValueBlock block = chooseValueBlock(model.registers, lanes, valueDim);
  double width = vectors * lanes;
  double groups = llvm::divideCeil(sizes.query, width);
  auto [seen, steps, hidden] = getExtent(sizes);
  double padded = seen + (sizes.key % rows ? steps : 1) * (rows - 1) / 2;
  hidden = std::min(hidden, 2 * (width + rows));

  // A block of queries sees fewer keys than the tile. Beside its products it
  // has bounds, and sums to load, check and store. The last vector of a row is
  // loaded in pieces.
  constexpr double bounds = 10, sums = 1.5, piece = 1.5;
  double seenByBlock = seen;
  if (getMostSeenKeys(window, sizes.query))
    seenByBlock = std::max<double>(1, seen - sizes.query + block.rows);
  double features = llvm::divideCeil(valueDim, lanes);
  double pieces = llvm::popcount(uint64_t(valueDim % lanes));
  double blockCycles =
      seenByBlock * (block.rows * features / 2 + piece * pieces) +
      steps * (bounds + block.rows * features * sums);
  // Values come from L2 for each block where L1 does not hold those of a step.
  constexpr double bytesFromL2 = 132;
  double step = std::min<double>(seen, sizes.key);
  if (step * (valueDim + width) * elementBytes > model.l1Bytes)
    blockCycles += seenByBlock * valueDim * elementBytes / bytesFromL2;

  double vectorCycles = padded * headDim / fmasOfLoads + seen * exp +
                        hidden * mask + packing * headDim;
  // Blocks of queries that the last tile lacks are left out.
  double blocks =
      llvm::divideCeil(std::min<int64_t>(width, queries), block.rows);
  double cycles =
      groups * (vectors * vectorCycles + blocks * blockCycles + steps * call);
  if (staged)
    cycles += copy * seen * (headDim + valueDim) / lanes;
  return getOfOne(cycles, seen, sizes, /*isSpread=*/steps == 1);
}

double TileCost::getByAMX(TileSizes sizes) const {
  if (!mayBeAMX)
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

//===- FindParts.cpp - What a launch is made of ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../StageShared/TiledRows.h"
#include "Specializer.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::MultiplyOp;
using fragment::RepeatIfNaNOp;
using fragment::TileType;
using fragment::WorkTileOp;

LogicalResult Specializer::findProducts() {
  auto sweeps = launch.getBody().front().getOps<SweepKeysOp>();
  if (!llvm::hasSingleElement(sweeps))
    return failure();
  sweep = *sweeps.begin();
  SmallVector<MultiplyOp> multiplies = getMultiplies(sweep);
  if (multiplies.size() != 2 || !multiplies[0].getTransposed() ||
      multiplies[1].getTransposed())
    return failure();
  step = sweep.getKeyTile();
  query = multiplies[0].getLeft().getDefiningOp<LoadOp>();
  output = multiplies[1].getType();
  warps = output.getWarps();
  return success(query && warps % fragment::kGroupWarps == 0 &&
                 output.getRowGroups() == 1 &&
                 output.getColumns() <= fragment::kMostGroupColumns &&
                 step <= fragment::kMostGroupColumns);
}

FailureOr<Ring> Specializer::addRing(Value matrix, int64_t rows,
                                     int64_t columns, int64_t stages,
                                     std::string &reason) {
  FailureOr<TMASource> source = findTMASource(matrix, launch, reason);
  if (failed(source))
    return failure();
  Ring ring;
  ring.source = *source;
  ring.tiles = (columns + kTMATileColumns - 1) / kTMATileColumns;
  ring.rows = rows;
  ring.stages = stages;
  ring.offset = bytes;
  bytes += stages * ring.getStageBytes();
  return ring;
}

LogicalResult Specializer::findRings(std::string &reason) {
  SmallVector<MultiplyOp> multiplies = getMultiplies(sweep);
  memref::SubViewOp keys = getTiledRows(multiplies[0], sweep);
  memref::SubViewOp values = getTiledRows(multiplies[1], sweep);
  if (!keys || !values)
    return failure();
  auto add = [&](std::optional<Ring> &ring, const char *name, Value matrix,
                 int64_t rows, int64_t columns, int64_t stages) {
    std::string why;
    FailureOr<Ring> added = addRing(matrix, rows, columns, stages, why);
    if (failed(added)) {
      reason = std::string(name) + ": " + why;
      return failure();
    }
    ring = *added;
    return success();
  };
  int64_t headDim = query.getType().getColumns();
  return failure(
      failed(add(queryRing, "query", query.getSource(), output.getRows(),
                 headDim, 1)) ||
      failed(add(keyRing, "key", keys.getSource(), step, headDim, stages)) ||
      failed(add(valueRing, "value", values.getSource(), step,
                 output.getColumns(), stages)));
}

/// What does a work tile again, for values that are not finite or scores that
/// are too large. What is between it and the sweep only says whether to.
LogicalResult Specializer::findRepeat() {
  auto repeats = launch.getBody().front().getOps<RepeatIfNaNOp>();
  if (repeats.empty())
    return success();
  again = *repeats.begin();
  return success(llvm::hasSingleElement(repeats) &&
                 llvm::all_of(sweep->getUsers(), [&](Operation *user) {
                   return !again->isBeforeInBlock(user);
                 }));
}

/// The work tile, which alone depends on the block's number.
LogicalResult Specializer::findWorkTile() {
  Value block = launch.getBlockIds().x;
  if (!block.hasOneUse())
    return failure();
  workTile = dyn_cast<WorkTileOp>(*block.user_begin());
  if (!workTile || workTile->getBlock() != &launch.getBody().front() ||
      llvm::any_of(workTile.getExtents(), [&](Value extent) {
        return launch.getBody().isAncestor(extent.getParentRegion());
      }))
    return failure();
  workTiles.all = launch.getGridSizeX();
  workTiles.tiles = workTile.getExtents().back();
  workTiles.queries = output.getRows();
  workTiles.keys = step;
  return success();
}

/// Whether all threads may do `op`: addresses, bounds, and what is read for
/// them.
static bool isForAll(Operation &op) {
  if (op.getNumRegions() ||
      llvm::any_of(op.getResultTypes(), llvm::IsaPred<TileType>))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return isMemoryEffectFree(&op) ||
         (effects && effects.onlyHasEffect<MemoryEffects::Read>());
}

/// What the thread that copies has to know of a work tile.
LogicalResult Specializer::findAddresses() {
  llvm::SetVector<Value> wanted;
  wanted.insert(sweep.getFirstKey());
  wanted.insert(sweep.getEndKey());
  for (Ring *ring : {&*queryRing, &*keyRing, &*valueRing})
    for (OpFoldResult offset : ring->source.first)
      if (auto value = dyn_cast<Value>(offset))
        wanted.insert(value);
  for (Operation &op :
       llvm::reverse(launch.getBody().front().without_terminator())) {
    if (llvm::none_of(op.getResults(),
                      [&](Value result) { return wanted.contains(result); }))
      continue;
    if (!isForAll(op))
      return failure();
    addresses.insert(&op);
    wanted.insert_range(op.getOperands());
  }
  return success();
}

LogicalResult Specializer::analyze(std::string &reason) {
  if (failed(findProducts()) || failed(findRings(reason)) ||
      failed(findRepeat()) || failed(findWorkTile()) || failed(findAddresses()))
    return failure();
  tmaEpilogue = findTMAEpilogue(launch, output, *queryRing);
  return success();
}

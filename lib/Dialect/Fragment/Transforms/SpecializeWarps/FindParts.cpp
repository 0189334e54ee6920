//===- FindParts.cpp - What a launch is made of ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Specializer.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::MultiplyOp;
using fragment::RepeatIfNaNOp;
using fragment::TileType;
using fragment::WorkTileOp;

/// The products of the sweep. Their left operands are residents, or what a step
/// computes.
LogicalResult Specializer::findProducts() {
  auto sweeps = launch.getBody().front().getOps<SweepKeysOp>();
  if (!llvm::hasSingleElement(sweeps))
    return failure();
  sweep = *sweeps.begin();
  step = sweep.getKeyTile();
  SmallVector<MultiplyOp> multiplies = getMultiplies(sweep);
  if (multiplies.empty())
    return failure();
  TileType tile = multiplies.front().getType();
  rows = tile.getRows();
  warps = tile.getWarps();
  for (MultiplyOp multiply : multiplies) {
    TileType tile = multiply.getType();
    if (tile.getRows() != rows || tile.getWarps() != warps ||
        tile.getRowGroups() != 1 ||
        tile.getColumns() > fragment::kMostGroupColumns)
      return failure();
    auto load = multiply.getLeft().getDefiningOp<LoadOp>();
    if (load && sweep.isDefinedOutsideOfLoop(load.getResult()) &&
        !getResident(load.getResult()))
      residents.push_back({load, {}});
    else if (load && !getResident(load.getResult()))
      return failure();
  }
  return success(!residents.empty() && warps % fragment::kGroupWarps == 0 &&
                 step <= fragment::kMostGroupColumns);
}

Ring *Specializer::getResident(Value tile) {
  for (Resident &resident : residents)
    if (resident.load.getResult() == tile)
      return &resident.ring;
  return nullptr;
}

Specializer::StreamRing &Specializer::getStream(OpOperand &use) {
  return *llvm::find_if(streams, [&](StreamRing &stream) {
    return llvm::is_contained(stream.stream.uses, &use);
  });
}

/// All rings, of residents first, of vectors last.
SmallVector<Ring *> Specializer::getRings() {
  SmallVector<Ring *> all;
  for (Resident &resident : residents)
    all.push_back(&resident.ring);
  for (StreamRing &stream : streams)
    all.push_back(&stream.ring);
  return all;
}

/// Of `stages` tiles of `view`.
LogicalResult Specializer::makeRing(Ring &ring, Value view, int64_t rows,
                                    int64_t columns, int64_t stages,
                                    std::string &reason) {
  FailureOr<TMASource> source = findTMASource(view, launch, reason);
  if (failed(source))
    return failure();
  ring.source = *source;
  ring.tiles = (columns + kTMATileColumns - 1) / kTMATileColumns;
  ring.rows = rows;
  ring.stages = stages;
  return success();
}

/// Whether a step wants the stream before any product is done. All of these
/// share the barriers of the first one.
bool Specializer::isWantedFirst(const Stream &stream) {
  auto multiply = dyn_cast<MultiplyOp>(stream.uses.front()->getOwner());
  return !multiply || getResident(multiply.getLeft());
}

LogicalResult Specializer::findRings(std::string &reason) {
  for (Resident &resident : residents)
    if (failed(makeRing(resident.ring, resident.load.getSource(), rows,
                        resident.load.getType().getColumns(), 1, reason)))
      return failure();
  SmallVector<Stream> found = getStreams(sweep);
  for (bool isVector : {false, true}) // which need not be aligned as others are
    for (const Stream &stream : found) {
      if (stream.isVector() != isVector)
        continue;
      StreamRing &added = streams.emplace_back();
      added.stream = stream;
      added.leader = isWantedFirst(stream) ? 0 : streams.size() - 1;
      if (failed(makeRing(added.ring, stream.getView(), stream.shape[0],
                          isVector ? kTMATileColumns : stream.shape[1], stages,
                          reason)))
        return failure();
    }
  for (StreamRing &stream : streams)
    if (stream.ring.follows = &getLeader(stream) != &stream;
        stream.ring.follows)
      getLeader(stream).ring.followers += stream.ring.getBytes();
  for (Ring *ring : getRings()) {
    ring->offset = bytes;
    bytes += ring->stages * ring->getStageBytes();
  }
  for (StreamRing &stream : streams)
    for (OpFoldResult offset : stream.ring.source.first) {
      auto value = dyn_cast<Value>(offset);
      auto found = value ? findInStep(value, sweep) : SetVector<Operation *>();
      if (failed(found))
        return failure();
      stream.finders.insert_range(*found);
    }
  return success();
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
  workTiles.rows = rows;
  workTiles.step = step;
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
  for (Ring *ring : getRings())
    for (OpFoldResult offset : ring->source.first)
      if (auto value = dyn_cast<Value>(offset))
        wanted.insert(value);
  for (StreamRing &stream : streams)
    for (Operation *finder : stream.finders)
      wanted.insert_range(finder->getOperands());
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
  SmallVector<Ring *> free;
  for (Resident &resident : residents)
    free.push_back(&resident.ring);
  epilogues = findTMAEpilogues(launch, free);
  return success();
}

//===- Ring.h - Tiles on their way through shared memory --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_RING_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_RING_H

#include "TMASource.h"

namespace lattn {

/// Shared memory of `rows` rows of elements of two bytes, in TMA tiles side by
/// side.
constexpr int64_t getStageBytes(int64_t rows, int64_t columns) {
  return 2 * rows *
         ((columns + kTMATileColumns - 1) / kTMATileColumns * kTMATileColumns);
}

/// Vectors in shared memory begin at multiples of this many bytes. Source: PTX
/// ISA, "cp.async.bulk.tensor".
constexpr int64_t kVectorAlignment = 128;

/// A matrix or vector on its way through shared memory, with a stage for each
/// tile that may be there at once.
struct Ring {
  TMASource source;
  int64_t tiles, rows, stages; // a vector is one tile
  int64_t offset = 0;          // bytes
  bool follows = false;        // another one, whose barriers it shares
  int64_t followers = 0;       // bytes that come with a tile of this one
  mlir::Value map;
  mlir::Value full, empty; // barriers, one for each stage

  bool isVector() const { return !source.columnAxis; }
  /// Bytes that a copy brings.
  int64_t getBytes() const {
    return isVector() ? 4 * rows
                      : lattn::getStageBytes(rows, tiles * kTMATileColumns);
  }
  int64_t getStageBytes() const {
    return llvm::alignTo(getBytes(), kVectorAlignment);
  }
};

/// Words after the rings. The first is 0; the others are for the caller.
constexpr int64_t kWords = 8;
constexpr int64_t kWordsBytes = 4 * kWords;
/// Shared memory of a block beside its rings: the barriers, before the TMA
/// tiles' first place, and the words.
constexpr int64_t kBesideRingsBytes = fragment::kTMATileAlignment + kWordsBytes;

/// The place of a tile in a ring.
struct PipelineStage {
  mlir::Value stage, parity; // index, i1
};

/// Code on a block's rings.
class RingBuilder {
public:
  /// `warps` read what one thread has copied.
  RingBuilder(mlir::OpBuilder &b, mlir::gpu::LaunchOp launch, int64_t warps)
      : b(b), loc(launch.getLoc()), thread(launch.getThreadIds().x),
        warps(warps) {}

  /// Makes all rings at the start of a kernel. After their `bytes`, it makes
  /// the words of shared memory: memref<8xi32>. One thread runs the code that
  /// `store` builds for these words before any other thread reads them.
  mlir::Value create(llvm::ArrayRef<Ring *> rings, int64_t bytes,
                     llvm::function_ref<void(mlir::Value words)> store);
  /// The stage of tile `number` (i32).
  PipelineStage getPipelineStage(mlir::Value number, int64_t stages);
  /// What a stage holds: TMA tiles, or a vector.
  mlir::Value getTiles(const Ring &ring, mlir::Value stage);
  /// Waits until a stage is free, and tells its barrier what will come.
  void open(const Ring &ring, PipelineStage at);
  /// Starts to copy the tile at `source` to a stage. `barriers` of the same
  /// stage count its bytes.
  void copy(const Ring &ring, const TMASource &source, mlir::Value barriers,
            mlir::Value stage);
  void waitFor(mlir::Value barriers, PipelineStage at);
  /// Tells that this warp has read a stage, but only if `condition`.
  void release(const Ring &ring, mlir::Value stage, mlir::Value condition = {});
  mlir::Value getMemory() const { return memory; }

private:
  mlir::Value createBarriers(int64_t stages, int64_t arrivals,
                             mlir::Value isFirst);
  mlir::Value getStageOffset(const Ring &ring, mlir::Value stage);
  mlir::Value index(int64_t value);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value thread;
  int64_t warps;
  mlir::Value memory;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_SPECIALIZEWARPS_RING_H

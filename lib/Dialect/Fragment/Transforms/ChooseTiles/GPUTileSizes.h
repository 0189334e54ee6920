//===- GPUTileSizes.h - What tiles of a GPU are bounded by ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_GPUTILESIZES_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_GPUTILESIZES_H

#include "WarpgroupCost.h"

namespace lattn {

/// Why no kernel can be made of `op`; empty where one can.
std::string getObstacle(AttentionOp op);
std::string getObstacle(AttentionGradOp op);

/// Queries of a tile, of which each warp has 16, or 32 where that costs less.
int64_t chooseRows(AttentionOp op, int64_t warps, int64_t key);
int64_t chooseRows(AttentionGradOp op, int64_t warps, int64_t key);

/// The most positions of a step that leave a thread's registers unspilled.
int64_t getStep(AttentionOp op);
int64_t getStep(AttentionGradOp op);

/// Shared memory of a block with tiles of such sizes, by mma.sync.
int64_t getStagedBytes(AttentionOp op, TileSizes sizes, int64_t stages);
int64_t getStagedBytes(AttentionGradOp op, TileSizes sizes, int64_t stages);

/// The same for warpgroups, without what they need beside rings.
int64_t getSharedBytes(AttentionGradOp op, TileSizes sizes, int64_t stages);

/// The sizes of tiles of warpgroups; those of `wanted` that are not 0 are
/// taken.
TileSizes chooseGroupSizes(AttentionGradOp op, TileSizes wanted,
                           WarpgroupBlock block);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_GPUTILESIZES_H

//===- WarpgroupCost.h - Tile sizes for Hopper's warpgroups -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_WARPGROUPCOST_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_WARPGROUPCOST_H

#include "lattn/Analysis/TilePlan.h"
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"

namespace lattn {

/// The resources of a kernel's block on a chip.
struct WarpgroupBlock {
  const GPUTarget &target;
  int64_t stages, sharedBytes;
};

/// The work that a choice of tiles makes of an attention, for all its queries
/// or for a typical number.
struct WarpgroupWork {
  TileSizes sizes;
  int64_t full = 0, edge = 0;        // steps over keys, for a group of warps
  int64_t visible = 0, executed = 0; // pairs of a query and a key
  double cycles = 0;                 // of a multiprocessor
  bool fits = false;                 // in registers and shared memory
};

/// The rows and keys that a choice is made for: where lengths are not known,
/// long ones.
TileDomain getTypicalDomain(AttentionOp op);

/// Queries of a group of warps.
constexpr int64_t kGroupQueries = fragment::kGroupRows;

/// Bytes of shared memory that tiles take, in TMA tiles of 64 columns.
int64_t getSharedBytes(AttentionOp op, TileSizes sizes, int64_t stages);

/// The cheapest tiles. Sizes of `wanted` that are not 0 are fixed, and need not
/// fit.
WarpgroupWork chooseWarpgroupTiles(AttentionOp op, TileSizes wanted,
                                   WarpgroupBlock block);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_CHOOSETILES_WARPGROUPCOST_H

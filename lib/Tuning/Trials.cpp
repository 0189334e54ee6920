//===- Trials.cpp - Tile sizes that are worth a try -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/AttentionBlock.h"
#include "lattn/Target/TargetInfo.h"
#include "lattn/Tuning/Tuning.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::Expected;

/// Whole groups of vectors of queries, and half a group; whole rows of keys.
/// Beyond the extents nothing is new.
static std::vector<TileTrial> makeTrials(const TileChoice &choice,
                                         const TargetInfo &target) {
  int64_t lanes = target.getLanes(choice.isF64 ? 64 : 32);
  AttentionBlock block = chooseAttentionBlock(
      target.vectorBits, target.vectorRegisters, /*tileVectors=*/2);
  int64_t group = block.vectors * lanes;
  std::vector<TileTrial> trials = {{choice.sizes}};
  auto add = [&](TileSizes sizes) {
    bool known = llvm::any_of(
        trials, [&](const TileTrial &trial) { return trial.sizes == sizes; });
    if (!known && sizes.isInBounds())
      trials.push_back({sizes});
  };
  auto isBeyond = [](int64_t size, int64_t smaller, int64_t most) {
    return most && size > smaller && smaller >= most;
  };
  for (int64_t query : {group / 2, group, 2 * group, 4 * group, 8 * group}) {
    if (query % lanes || isBeyond(query, query / 2, choice.mostQueries))
      continue;
    int64_t previous = 0;
    for (int64_t about : {24, 48, 96, 192}) {
      int64_t key = llvm::alignTo(about, block.rows);
      if (!isBeyond(key, previous, choice.mostKeys))
        add({query, key});
      previous = key;
    }
  }
  return trials;
}

Expected<std::vector<KernelTuning>>
lattn::findTrials(mlir::func::FuncOp entry, const CompileOptions &options) {
  CompileOptions untuned = options;
  untuned.tuned = TunedTiles();
  Expected<std::vector<TileChoice>> choices = findTileChoices(entry, untuned);
  if (!choices)
    return choices.takeError();
  Expected<TargetInfo> target = getTargetInfo(options.cpu, options.attributes);
  if (!target)
    return target.takeError();
  std::vector<KernelTuning> kernels;
  for (const TileChoice &choice : *choices) {
    bool known = llvm::any_of(kernels, [&](const KernelTuning &kernel) {
      return kernel.kernel == choice.kernel;
    });
    if (!choice.kernel.empty() && !choice.isGiven && !known)
      kernels.push_back({choice.kernel, makeTrials(choice, *target)});
  }
  return kernels;
}

//===- GPUTarget.h - The GPU that kernels are made for ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a GPU has. Limits of single instructions are in Fragment.h, costs that
// were measured are in the models that use them.

#ifndef LATTN_TARGET_GPUTARGET_H
#define LATTN_TARGET_GPUTARGET_H

#include "llvm/Support/Error.h"
#include <algorithm>
#include <optional>
#include <string>

namespace lattn {

/// Registers of a thread where groups of four warps have roles, and how many
/// such blocks share a multiprocessor.
struct RoleRegisters {
  int64_t producer, consumer, blocks;
};

struct GPUTarget {
  // The same on all chips since sm_80. Source: CUDA C++ Programming Guide,
  // "Technical Specifications per Compute Capability".
  static constexpr int64_t warpThreads = 32;
  static constexpr int64_t mostBlockThreads = 1024;
  static constexpr int64_t mostBlockWarps = mostBlockThreads / warpThreads;
  static constexpr int64_t multiprocessorRegisters = 65536;
  /// A thread names at most 255, and gets them by `registerUnit`.
  static constexpr int64_t mostThreadRegisters = 256, registerUnit = 8;
  /// Shared memory that the system takes of each block.
  static constexpr int64_t reservedSharedBytes = 1024;
  /// What `setmaxnreg` takes. Source: PTX ISA, "setmaxnreg".
  static constexpr int64_t leastSetRegisters = 24, mostSetRegisters = 256;

  std::string chip;                  // "sm_90a"
  std::string features;              // LLVM's for the version of PTX: "+ptx80"
  int64_t blockSharedBytes;          // shared memory of a block, at most
  int64_t multiprocessorSharedBytes; // of all its blocks, and their reserve
  int64_t multiprocessors;           // of the largest that is sold, about
  bool hasWarpgroups;                // wgmma, and TMA to feed it: sm_90a alone

  /// Blocks that share a multiprocessor, at least one, where each takes so many
  /// registers.
  static constexpr int64_t countBlocks(int64_t blockRegisters) {
    return std::max<int64_t>(1, multiprocessorRegisters / blockRegisters);
  }
  /// Registers for one group of producers and `groups` groups of consumers;
  /// none where no kernel was measured.
  static std::optional<RoleRegisters> getRoleRegisters(int64_t groups);

  /// Of our kernels, where options do not say: warps of a block, or where it
  /// has warpgroups, the groups that compute.
  static constexpr int64_t usualWarps = 4, usualGroups = 2;
  /// Blocks of the usual kernels that run at once.
  int64_t countSlots() const;
};

/// The chip of options that name none.
inline constexpr const char *kDefaultChip = "sm_80";

/// An error for what is no GPU that LLVM knows, or one older than sm_80.
llvm::Expected<GPUTarget> getGPUTarget(llvm::StringRef chip);

} // namespace lattn

#endif // LATTN_TARGET_GPUTARGET_H

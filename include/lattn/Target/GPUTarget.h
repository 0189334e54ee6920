//===- GPUTarget.h - The GPU that kernels are made for ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The properties of a GPU. Fragment.h has the limits of single instructions.
// The cost models have the costs that were measured.

#ifndef LATTN_TARGET_GPUTARGET_H
#define LATTN_TARGET_GPUTARGET_H

#include "llvm/Support/Error.h"
#include <algorithm>
#include <optional>
#include <string>

namespace lattn {

/// Registers of a thread in kernels whose groups of four warps have roles, and
/// how many blocks of such a kernel share a multiprocessor.
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
  /// A thread can use at most 255. They are allocated in units of
  /// `registerUnit`.
  static constexpr int64_t mostThreadRegisters = 256, registerUnit = 8;
  /// Shared memory that the system reserves in each block.
  static constexpr int64_t reservedSharedBytes = 1024;
  /// The range of `setmaxnreg`. Source: PTX ISA, "setmaxnreg".
  static constexpr int64_t leastSetRegisters = 24, mostSetRegisters = 256;

  std::string chip;                  // "sm_90a"
  std::string features;              // LLVM's, for PTX's version: "+ptx80"
  int64_t blockSharedBytes;          // shared memory of a block, at most
  int64_t multiprocessorSharedBytes; // for all blocks, with their reserve
  int64_t multiprocessors;           // of about the largest that is sold
  bool hasWarpgroups;                // wgmma, and TMA to feed it: sm_90a alone

  /// How many blocks share a multiprocessor, at least one, if each takes that
  /// many registers.
  static constexpr int64_t countBlocks(int64_t blockRegisters) {
    return std::max<int64_t>(1, multiprocessorRegisters / blockRegisters);
  }
  /// Registers for one group of producers, which copies `arrays` arrays, and
  /// `groups` groups of consumers. None for more groups than there are kernels.
  static std::optional<RoleRegisters> getRoleRegisters(int64_t groups,
                                                       int64_t arrays);

  /// The defaults of lattn's kernels: the warps of a block, or, if the chip has
  /// warpgroups, the groups that compute.
  static constexpr int64_t usualWarps = 4, usualGroups = 2;
  /// How many blocks of the usual kernels run at once.
  int64_t countSlots() const;
};

/// The chip if options do not name one.
inline constexpr const char *kDefaultChip = "sm_80";

/// An error for a chip that LLVM does not know, that is not an NVIDIA GPU, or
/// that is older than sm_80.
llvm::Expected<GPUTarget> getGPUTarget(llvm::StringRef chip);

} // namespace lattn

#endif // LATTN_TARGET_GPUTARGET_H

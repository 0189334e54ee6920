//===- GPUTarget.h - The GPU that kernels are made for ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TARGET_GPUTARGET_H
#define LATTN_TARGET_GPUTARGET_H

#include "llvm/Support/Error.h"
#include <string>

namespace lattn {

struct GPUTarget {
  std::string chip;        // "sm_90a"
  std::string features;    // LLVM's for the version of PTX: "+ptx80"
  int64_t sharedBytes;     // of a block, at most
  int64_t multiprocessors; // of the largest that is sold, about
  bool hasWarpgroups;      // wgmma, and TMA to feed it: sm_90a alone
};

/// An error for what is no GPU that LLVM knows, or one older than sm_80.
llvm::Expected<GPUTarget> getGPUTarget(llvm::StringRef chip);

} // namespace lattn

#endif // LATTN_TARGET_GPUTARGET_H

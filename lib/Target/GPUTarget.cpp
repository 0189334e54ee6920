//===- GPUTarget.cpp - The GPU that kernels are made for ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/GPUTarget.h"
#include "lattn/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Expected;
using llvm::StringRef;

/// The first version of PTX that has all of `chip`, in tenths; not below 8.0,
/// for older drivers run nothing of ours.
static unsigned getPTXVersion(unsigned number, bool isFamily) {
  switch (number) {
  case 88:
  case 110:
    return 90;
  case 103:
  case 121:
    return 88;
  case 100:
  case 101:
    return isFamily ? 88 : 86;
  case 120:
    return isFamily ? 88 : 87;
  default:
    return number > 121 ? 90 : 80;
  }
}

/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability".
static int64_t getMultiprocessorSharedBytes(unsigned number) {
  switch (number) {
  case 80:
  case 87:
    return 164 * 1024;
  case 90:
  case 100:
  case 101:
  case 103:
  case 110:
    return 228 * 1024;
  default: // the small ones, and what is not known yet
    return 100 * 1024;
  }
}

/// Of A100, A40, Orin, L40S, H100, B200, Thor, RTX PRO 6000 and GB10: with
/// fewer, keys are split a little more than they need to be.
static int64_t getMultiprocessors(unsigned number) {
  switch (number) {
  case 80:
    return 108;
  case 86:
    return 84;
  case 87:
    return 16;
  case 89:
    return 142;
  case 90:
    return 132;
  case 101:
  case 110:
    return 20;
  case 120:
    return 188;
  case 121:
    return 48;
  default:
    return 148;
  }
}

/// Producers copy by one thread, and keep few. Chosen by ptxas' reports
/// (test/GPU/ptxas): consumers do not spill with what is left.
std::optional<RoleRegisters> GPUTarget::getRoleRegisters(int64_t groups,
                                                         int64_t arrays) {
  switch (groups) {
  case 1:
    return RoleRegisters{40, 216, 2};
  case 2:
    return arrays > 3 ? RoleRegisters{40, 232, 1} : RoleRegisters{24, 240, 1};
  case 3:
    return arrays > 3 ? RoleRegisters{56, 152, 1} : RoleRegisters{32, 160, 1};
  default:
    return std::nullopt;
  }
}

int64_t GPUTarget::countSlots() const {
  constexpr int64_t threads = usualWarps * warpThreads;
  int64_t blocks = hasWarpgroups ? getRoleRegisters(usualGroups, 3)->blocks
                                 : countBlocks(threads * mostThreadRegisters);
  return multiprocessors * blocks;
}

/// Every kernel is made of asynchronous copies, which sm_80 brought.
static constexpr unsigned kOldest = 80;

/// 90 of "sm_90a", of which "a" stays in `rest`; 0 of what is no such name.
static unsigned getNumber(StringRef chip, StringRef &rest) {
  unsigned number = 0;
  rest = chip;
  if (!rest.consume_front("sm_") || rest.consumeInteger(10, number))
    return 0;
  return number;
}

/// "sm_80, sm_86, ...": what LLVM has code for. Its targets are registered.
static std::string listChips() {
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return "none: " + error;
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(triple, "", ""));
  std::vector<std::pair<unsigned, std::string>> chips;
  for (const auto &description : info->getAllProcessorDescriptions()) {
    StringRef rest;
    unsigned number = getNumber(description.Key, rest);
    if (number >= kOldest)
      chips.emplace_back(number, description.Key);
  }
  llvm::sort(chips);
  return llvm::join(llvm::make_second_range(chips), ", ");
}

Expected<GPUTarget> lattn::getGPUTarget(StringRef chip) {
  StringRef rest;
  unsigned number = getNumber(chip, rest);
  Expected<TargetInfo> known = getTargetInfo(chip, "", "nvptx64-nvidia-cuda");
  if (number == 0 || !known) {
    llvm::consumeError(known.takeError());
    return createStringError("unknown GPU '" + chip.str() +
                             "': expected one of " + listChips());
  }
  if (number < kOldest)
    return createStringError("GPU '" + chip.str() +
                             "': expected sm_80 or later");
  unsigned version = getPTXVersion(number, rest == "f");
  int64_t sharedBytes = getMultiprocessorSharedBytes(number);
  GPUTarget target;
  target.chip = chip.str();
  target.features = "+ptx" + std::to_string(version);
  target.blockSharedBytes = sharedBytes - GPUTarget::reservedSharedBytes;
  target.multiprocessorSharedBytes = sharedBytes;
  target.multiprocessors = getMultiprocessors(number);
  target.hasWarpgroups = chip == "sm_90a";
  return target;
}

//===- GPUTarget.cpp - The GPU that kernels are made for ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/GPUTarget.h"
#include "lattn/Target/TargetInfo.h"

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
static int64_t getSharedBytes(unsigned number) {
  switch (number) {
  case 80:
  case 87:
    return 163 * 1024;
  case 90:
  case 100:
  case 101:
  case 103:
  case 110:
    return 227 * 1024;
  default: // the small ones, and what is not known yet
    return 99 * 1024;
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

Expected<GPUTarget> lattn::getGPUTarget(StringRef chip) {
  StringRef rest = chip;
  unsigned number = 0;
  if (!rest.consume_front("sm_") || rest.consumeInteger(10, number))
    return createStringError("unknown GPU '" + chip.str() +
                             "': expected a name such as sm_80 or sm_90a");
  Expected<TargetInfo> known = getTargetInfo(chip, "", "nvptx64-nvidia-cuda");
  if (!known)
    return known.takeError();
  if (number < 80)
    return createStringError("GPU '" + chip.str() +
                             "': expected sm_80 or later");
  unsigned version = getPTXVersion(number, rest == "f");
  return GPUTarget{chip.str(), "+ptx" + std::to_string(version),
                   getSharedBytes(number), getMultiprocessors(number),
                   chip == "sm_90a"};
}

//===- GPUTargetTest.cpp - Names of GPUs ----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/GPUTarget.h"
#include "gtest/gtest.h"

using namespace lattn;

namespace {

std::string getText(const char *chip) {
  llvm::Expected<GPUTarget> target = getGPUTarget(chip);
  return target ? target->features : llvm::toString(target.takeError());
}

TEST(GPUTargetTest, VersionsOfPTX) {
  EXPECT_EQ(getText("sm_80"), "+ptx80");
  EXPECT_EQ(getText("sm_90a"), "+ptx80");
  EXPECT_EQ(getText("sm_88"), "+ptx90");
  EXPECT_EQ(getText("sm_100a"), "+ptx86");
  EXPECT_EQ(getText("sm_100f"), "+ptx88");
  EXPECT_EQ(getText("sm_103"), "+ptx88");
  EXPECT_EQ(getText("sm_120"), "+ptx87");
}

TEST(GPUTargetTest, Errors) {
  for (const char *name :
       {"", "foo", "sm_", "sm_x", "sm_1", "sm_999", "sm_90x"})
    EXPECT_EQ(getText(name).find(std::string("unknown GPU '") + name +
                                 "': expected one of sm_80, sm_86, "),
              0u)
        << getText(name);
  EXPECT_NE(getText("sm_1").find(", sm_90, sm_90a, "), std::string::npos);
  EXPECT_EQ(getText("sm_1").find("sm_75"), std::string::npos);
  EXPECT_EQ(getText("sm_75"), "GPU 'sm_75': expected sm_80 or later");
}

TEST(GPUTargetTest, SharedMemory) {
  // Of a block: what the programming guide lists.
  std::pair<const char *, int64_t> chips[] = {
      {"sm_80", 163},  {"sm_86", 99},   {"sm_87", 163}, {"sm_89", 99},
      {"sm_90a", 227}, {"sm_100", 227}, {"sm_120", 99}};
  for (auto [chip, kilobytes] : chips)
    EXPECT_EQ(llvm::cantFail(getGPUTarget(chip)).blockSharedBytes,
              kilobytes * 1024)
        << chip;
}

TEST(GPUTargetTest, RolesFitTheRegisters) {
  using Target = GPUTarget;
  for (int64_t arrays : {3, 6})
    for (int64_t groups = 1; groups <= 3; ++groups) {
      RoleRegisters registers = *Target::getRoleRegisters(groups, arrays);
      int64_t threads = 4 * Target::warpThreads;
      int64_t block =
          threads * (registers.producer + groups * registers.consumer);
      EXPECT_EQ(Target::countBlocks(block), registers.blocks) << groups;
      for (int64_t role : {registers.producer, registers.consumer}) {
        EXPECT_EQ(role % Target::registerUnit, 0) << groups;
        EXPECT_GE(role, Target::leastSetRegisters) << groups;
        EXPECT_LE(role, Target::mostSetRegisters) << groups;
      }
    }
  EXPECT_FALSE(Target::getRoleRegisters(4, 3));
}

TEST(GPUTargetTest, Slots) {
  EXPECT_EQ(llvm::cantFail(getGPUTarget("sm_80")).countSlots(), 2 * 108);
  EXPECT_EQ(llvm::cantFail(getGPUTarget("sm_90a")).countSlots(), 132);
  EXPECT_EQ(llvm::cantFail(getGPUTarget("sm_90")).countSlots(), 2 * 132);
}

} // namespace

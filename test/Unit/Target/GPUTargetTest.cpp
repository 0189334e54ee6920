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

} // namespace

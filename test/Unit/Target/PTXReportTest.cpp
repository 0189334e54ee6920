//===- PTXReportTest.cpp - What ptxas says of kernels ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/PTXAssembler.h"
#include "gtest/gtest.h"

using namespace lattn;

namespace {

// As ptxas 13.0 prints, with a function that is no kernel.
const char *const kOutput = R"(ptxas info    : 0 bytes gmem
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources in the function 'attend'
ptxas info    : Compiling entry function 'attend' for 'sm_90a'
ptxas info    : Function properties for helper
    64 bytes stack frame, 7 bytes spill stores, 9 bytes spill loads
ptxas info    : Function properties for attend
    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads
ptxas info    : Used 168 registers, used 9 barriers, 163912 bytes smem, 364 bytes cmem[0]
ptxas info    : Compile time = 11.593 ms
ptxas warning : For profile sm_80 adjusting per thread register count of 8 to lower bound of 24
ptxas info    : Compiling entry function 'merge' for 'sm_90a'
ptxas info    : Function properties for merge
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
)";

TEST(PTXReportTest, Kernels) {
  PTXReport report = parsePTXReport(kOutput);
  ASSERT_EQ(report.kernels.size(), 2u);
  const PTXKernelReport *attend = report.find("attend");
  ASSERT_TRUE(attend);
  EXPECT_EQ(attend->registers, 168);
  EXPECT_EQ(attend->barriers, 9);
  EXPECT_EQ(attend->sharedBytes, 163912);
  EXPECT_EQ(attend->stackBytes, 16);
  EXPECT_EQ(attend->spillStoreBytes, 24);
  EXPECT_EQ(attend->spillLoadBytes, 32);
  const PTXKernelReport *merge = report.find("merge");
  ASSERT_TRUE(merge);
  EXPECT_EQ(merge->registers, 8);
  EXPECT_EQ(merge->sharedBytes, 0);
  EXPECT_EQ(merge->barriers, 0);
  EXPECT_FALSE(report.find("other"));
}

TEST(PTXReportTest, Warnings) {
  PTXReport report = parsePTXReport(kOutput);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_EQ(report.warnings[0],
            "(C7510) Potential Performance Loss: wgmma.mma_async instructions "
            "are serialized due to insufficient register resources in the "
            "function 'attend'");
  EXPECT_EQ(report.warnings[1], "For profile sm_80 adjusting per thread "
                                "register count of 8 to lower bound of 24");
}

TEST(PTXReportTest, Anything) {
  for (const char *text :
       {"", "\n\n", "ptxas info", "Used registers", "(C",
        "Compiling entry "
        "function\nFunction properties for \n bytes stack frame,,"})
    EXPECT_TRUE(parsePTXReport(text).warnings.empty());
}

} // namespace

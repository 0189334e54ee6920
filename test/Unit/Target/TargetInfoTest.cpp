//===- TargetInfoTest.cpp - What CPUs have --------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Target/TargetInfo.h"
#include "gtest/gtest.h"

using namespace lattn;

namespace {

std::string getProducts(const char *cpu, const char *attributes = "") {
  llvm::Expected<TargetInfo> target =
      getTargetInfo(cpu, attributes, "x86_64-unknown-linux-gnu");
  return target ? getBF16Name(target->bf16).str()
                : llvm::toString(target.takeError());
}

// An Intel CPU makes twice as many products by FMAs as by dot products.
TEST(TargetInfoTest, ProductsOfBF16) {
  EXPECT_EQ(getProducts("znver4"), "dot");
  EXPECT_EQ(getProducts("znver3"), "widened");
  EXPECT_EQ(getProducts("cooperlake"), "widened");
  EXPECT_EQ(getProducts("sapphirerapids"), "amx");
  EXPECT_EQ(getProducts("sapphirerapids", "-amx-bf16"), "widened");
}

} // namespace

//===- ImageTest.cpp - What a module is loaded from -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../../lib/Runtime/CUDA/Image.h"
#include "CUDAFixture.h"
#include <cstring>

using namespace lattn::cuda;

namespace {

std::string check(const std::string &image, int version = 12080) {
  std::string text;
  return getText(checkImage(image.data(), image.size(), version, text));
}

TEST(ImageTest, Text) {
  EXPECT_EQ(check(kPtx), "none");
  EXPECT_EQ(check(std::string(kPtx) + '\0'), "none");
  EXPECT_EQ(check("//\n// comment\n\n  .version 7.0\n"), "none");
  EXPECT_EQ(check(""),
            "the image is neither PTX nor a cubin: expected a .version");
  EXPECT_EQ(check("hello"),
            "the image is neither PTX nor a cubin: expected a .version");
  EXPECT_EQ(check(std::string("a\0b", 3)),
            "the image is neither PTX nor a cubin: it holds zeros");
  std::string text;
  EXPECT_EQ(getText(checkImage(kPtx, SIZE_MAX, 12080, text)),
            "the image is neither PTX nor a cubin: it holds zeros");
}

TEST(ImageTest, PtxOfEachDriver) {
  const std::pair<int, int> isas[] = {{7, 0}, {7, 8}, {8, 0}, {8, 5},
                                      {8, 6}, {8, 8}, {9, 0}, {9, 1}};
  const int drivers[] = {11000, 11080, 12000, 12050,
                         12070, 12090, 13000, 13010};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(getDriverForPTX(isas[i].first, isas[i].second), drivers[i]);
  EXPECT_EQ(check(kPtx, 12070), "none");
  EXPECT_EQ(check(kPtx, 12060),
            "the PTX is of ISA 8.6, which needs a driver of CUDA 12.7 or "
            "later; this one is of CUDA 12.6");
}

/// A cubin's header and one section of 16 bytes.
std::string makeCubin() {
  std::string cubin(64 + 64 + 16, '\0');
  auto put = [&](size_t offset, uint64_t value, size_t bytes) {
    std::memcpy(cubin.data() + offset, &value, bytes);
  };
  std::memcpy(cubin.data(),
              "\x7f"
              "ELF",
              4);
  put(0x28, 64, 8);  // section headers
  put(0x3a, 64, 2);  // bytes of each
  put(0x3c, 1, 2);   // how many
  put(64 + 4, 1, 4); // its type
  put(64 + 0x18, 128, 8);
  put(64 + 0x20, 16, 8);
  return cubin;
}

TEST(ImageTest, CubinsAreWhole) {
  std::string cubin = makeCubin();
  EXPECT_EQ(check(cubin), "none");
  for (size_t size = 4; size < cubin.size(); ++size)
    EXPECT_EQ(check(cubin.substr(0, size)), "the cubin is cut off: it has " +
                                                std::to_string(size) +
                                                " bytes");
}

TEST(ImageTest, FatBinariesAreWhole) {
  std::string image("\x50\xed\x55\xba\1\0\x10\0\4\0\0\0\0\0\0\0abcd", 20);
  EXPECT_EQ(check(image), "none");
  EXPECT_EQ(check(image.substr(0, 19)),
            "the fat binary is cut off: it has 19 bytes");
  EXPECT_EQ(check(image.substr(0, 8)),
            "the fat binary is cut off: it has 8 bytes");
}

} // namespace

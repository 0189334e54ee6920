//===- CountPartsTest.cpp - How many parts keys are split into --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "lattn/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

/// Parts of an attention of these types, which must not gain any operation.
int64_t chooseParts(const std::string &query, const std::string &key,
                    const std::string &window = "") {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  std::string attributes = window.empty() ? "" : "{window = " + window + "}";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%q: " + query + ", %k: " + key + ") -> " + query + " {\n" +
          "%0 = lattn.attention query(%q : " + query + ") key(%k : " + key +
          ") value(%k : " + key + ") outs(%q : " + query + ")" + attributes +
          "\nreturn %0 : " + query + "\n}",
      &context);
  auto countOps = [&] {
    int64_t ops = 0;
    module->walk([&](mlir::Operation *) { ++ops; });
    return ops;
  };
  int64_t before = countOps(), parts = 0;
  module->walk([&](AttentionOp op) {
    parts = lattn::chooseParts(op, TileSizes{16, 64});
  });
  EXPECT_EQ(countOps(), before);
  return parts;
}

const std::string kKeys = "tensor<1x2x65536x64xf32>";

// 64 slots: what tiles leave free, where each part has 1024 keys.
TEST(ChooseParts, FillsWhatTilesLeaveFree) {
  EXPECT_EQ(chooseParts("tensor<1x2x16x64xf32>", kKeys), 32);
  EXPECT_EQ(chooseParts("tensor<1x2x64x64xf32>", kKeys), 8);
  EXPECT_EQ(chooseParts("tensor<1x2x1024x64xf32>", kKeys), 1);
  EXPECT_EQ(chooseParts("tensor<1x2x16x64xf32>", "tensor<1x2x4096x64xf32>"), 4);
}

// 8 heads share 2 of keys: 2 tiles.
TEST(ChooseParts, OneQueryTilesAreOfHeads) {
  EXPECT_EQ(chooseParts("tensor<1x8x1x64xf32>", kKeys), 32);
}

TEST(ChooseParts, OnlyKeysThatAreSeenCount) {
  EXPECT_EQ(chooseParts("tensor<1x2x16x64xf32>", kKeys,
                        "#lattn.window<left = 4096, right = 0>"),
            4);
}

TEST(ChooseParts, SizesThatAreNotKnownMeanOne) {
  EXPECT_EQ(chooseParts("tensor<?x2x16x64xf32>", "tensor<?x2x65536x64xf32>"),
            1);
  EXPECT_EQ(chooseParts("tensor<1x2x16x64xf32>", "tensor<1x2x?x64xf32>"), 1);
}

TEST(ChooseParts, NoTilesAreOnePart) {
  EXPECT_EQ(chooseParts("tensor<0x2x16x64xf32>", "tensor<0x2x65536x64xf32>"),
            1);
}

} // namespace

//===- PictureTest.cpp - What a picture of tiles shows ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Picture/Picture.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace lattn;

namespace {

class Picture : public testing::Test {
protected:
  Picture() { context.loadDialect<LattnDialect>(); }

  /// 64 queries over as many keys under a window of 8 keys before each.
  AttentionWork getWork(TileSizes sizes, int64_t offset = 0) {
    AttentionWork work = {};
    work.batches = work.heads = work.kvHeads = work.planHeads = 1;
    work.queries = work.keys = work.headDim = work.valueDim = 64;
    work.kind = ElementKind::F32;
    work.hasWindow = true;
    work.sizes = sizes;
    WindowAttr window = WindowAttr::get(&context, 8, 0, std::nullopt, 0, 0);
    work.plans.push_back({{window, 64, 64, 64, offset}, sizes});
    return work;
  }
  static std::string render(llvm::ArrayRef<AttentionWork> works) {
    return renderPicture(works, /*complete=*/true, TargetInfo());
  }
  static bool has(llvm::StringRef picture, llvm::StringRef text) {
    return picture.contains(text);
  }

  mlir::MLIRContext context;
};

// 4 tiles of queries, of 8 key tiles each. All but the first see 24 keys.
TEST_F(Picture, Steps) {
  std::string picture = render({getWork({16, 8})});
  EXPECT_TRUE(has(picture, "0 without a mask, 11 with, 21 skipped")) << picture;
  EXPECT_TRUE(has(picture, "left edge, masked"));
  EXPECT_FALSE(has(picture, "stands at key"));
  EXPECT_EQ(picture, render({getWork({16, 8})}));
  EXPECT_NE(picture, render({getWork({16, 4})}));
}

TEST_F(Picture, Loops) {
  std::string picture = render({getWork({0, 0})});
  EXPECT_TRUE(has(picture, "naive loops: every pair is computed"));
  EXPECT_FALSE(has(picture, "without a mask"));
}

TEST_F(Picture, NothingIsVisible) {
  std::string picture = render({getWork({16, 8}, /*offset=*/-100)});
  EXPECT_TRUE(has(picture, "query i stands at key i - 100"));
  EXPECT_TRUE(has(picture, "no key is visible here"));
}

// Columns of hidden keys in the overview, which is 330 pixels wide for 64 keys,
// and in each part.
TEST_F(Picture, KeyMask) {
  AttentionWork work = getWork({16, 8});
  EXPECT_FALSE(has(render({work}), "key mask"));
  work.hasKeyMask = true;
  work.hiddenKeys = {{16, 32}, {40, 41}};
  std::string picture = render({work});
  EXPECT_TRUE(has(picture, "hidden by the key mask, in batch 0"));
  EXPECT_TRUE(has(picture, "class=\"masked\" d=\"M166.5 ")) << picture;
  // Another mask, another picture.
  AttentionWork other = work;
  other.hiddenKeys.pop_back();
  EXPECT_FALSE(has(render({work, other}), "attention 0, 1"));
  EXPECT_TRUE(has(render({work, work}), "attention 0, 1"));
  work.masksDiffer = true;
  EXPECT_TRUE(has(render({work}), "batches differ: batch 0 is drawn"));
  work.hiddenKeys.clear();
  work.unknown = {"key_mask"};
  picture = render({work});
  EXPECT_TRUE(has(picture, "hidden by the key mask: computed, so not drawn"));
  EXPECT_FALSE(has(picture, "class=\"masked\" d="));
}

// A pixel stands for several keys: it is hidden if half of them are.
TEST_F(Picture, ManyKeys) {
  AttentionWork work = getWork({16, 8});
  work.keys = 3300;
  work.plans = {{{nullptr, 64, 3300, 3300, 0, false, true}, {16, 8}}};
  work.hasKeyMask = true;
  work.hiddenKeys = {{0, 4}, {10, 15}, {3290, 3300}};
  std::string picture = render({work});
  // The second pixel, of keys 10 to 19, and the last, from 85 and 413 on.
  EXPECT_TRUE(has(picture, "class=\"masked\" d=\"M85 ")) << picture;
  EXPECT_TRUE(has(picture, "zM413 ")) << picture;
}

TEST_F(Picture, Origin) {
  AttentionWork work = getWork({16, 8}, /*offset=*/1000);
  EXPECT_TRUE(has(render({work}), "query i stands at key i + 1000"));
  work.origin = {1, 2, 1000, 960};
  std::string picture = render({work});
  EXPECT_FALSE(has(picture, "stands at key"));
  EXPECT_TRUE(has(picture, "origin: query 1000, key 960 of the larger op"));
  EXPECT_TRUE(has(picture, "from batch 1, head 2, query 1000, key 960 on"));
  EXPECT_TRUE(has(picture, "class=\"origin\" d=\"M84 "));
  EXPECT_TRUE(has(picture, ">1050</text>")); // on the axis of queries
  EXPECT_TRUE(has(picture, "a  first queries: 1000 to 1031"));
  work.origin.reset();
  work.unknown = {"origin"};
  EXPECT_TRUE(has(render({work}), "origin: computed, so not drawn"));
}

// Equal ops share a picture; no batches, no ops.
TEST_F(Picture, Several) {
  std::vector<AttentionWork> works = {getWork({16, 8}), getWork({16, 8})};
  EXPECT_TRUE(has(render(works), "attention 0, 1"));
  works.front().plans.clear();
  EXPECT_TRUE(has(render(works), "there are no batches"));
  EXPECT_TRUE(has(render({}), "no attention op"));
}

} // namespace

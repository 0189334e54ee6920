//===- PicturePlanTest.cpp - Every visible pair is in one run -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../../lib/Runner/PicturePlan.h"
#include "../Dialect/WindowSweep.h"

using namespace lattn;

namespace {

AttentionWork getWork(WindowAttrInterface window, BatchPlace place,
                      int64_t parts, bool hasKeyMask) {
  AttentionWork work = {};
  work.batches = work.heads = 1;
  work.queries = 13;
  work.keys = 19;
  work.queryTile = 4;
  work.keyTile = 3;
  work.parts = parts;
  work.geometry = window;
  work.hasKeyMask = hasKeyMask;
  work.places = {place};
  return work;
}

/// Runs follow each other without a gap and hold all that is visible; where
/// there is no mask, all of them is.
void checkRow(const TilePlan &plan, const TileRow &row) {
  for (unsigned i = 1; i < row.runs.size(); ++i)
    EXPECT_EQ(row.runs[i - 1].keys.end, row.runs[i].keys.begin);
  for (int64_t q = row.first; q <= row.last; ++q)
    for (int64_t t = 0; t < plan.work.keys; ++t) {
      bool visible = t < plan.place.numKeys &&
                     (!plan.work.geometry ||
                      isVisible(plan.work.geometry, plan.place.offset + q, t));
      auto run = llvm::find_if(row.runs, [&](const KeyRun &run) {
        return run.keys.begin <= t && t < run.keys.end;
      });
      if (visible)
        EXPECT_NE(run, row.runs.end()) << q << " " << t;
      else if (run != row.runs.end())
        EXPECT_NE(run->kind, RunKind::Interior) << q << " " << t;
      if (run != row.runs.end() && plan.work.hasKeyMask)
        EXPECT_NE(run->kind, RunKind::Interior);
    }
}

TEST(PicturePlan, RunsHoldWhatIsVisible) {
  mlir::MLIRContext context;
  context.loadDialect<LattnDialect>();
  for (const TestWindow &window : sweepWindows(&context))
    for (BatchPlace place : {BatchPlace{6, 19}, {-9, 19}, {5, 11}, {-13, 0}})
      for (int64_t parts : {1, 3})
        for (bool hasKeyMask : {false, true}) {
          SCOPED_TRACE(window.text + " at " + std::to_string(place.offset));
          AttentionWork work = getWork(window.attr, place, parts, hasKeyMask);
          TilePlan plan(work, work.places.front());
          ASSERT_EQ(plan.getNumRows(), 4);
          for (int64_t i = 0; i < plan.getNumRows(); ++i)
            checkRow(plan, plan.getRow(i));
          EXPECT_EQ(plan.getRow(3).last, 12);
        }
}

// A window of 1 before each query: 4 queries see 5 keys, 2 steps of 3; the
// first tile sees no key before 0.
TEST(PicturePlan, CountsSteps) {
  mlir::MLIRContext context;
  context.loadDialect<LattnDialect>();
  AttentionWork work =
      getWork(WindowAttr::get(&context, 1, 0, std::nullopt, 0, 0), {0, 19},
              /*parts=*/1, /*hasKeyMask=*/false);
  TileCounts counts = countTiles(work);
  EXPECT_EQ(counts.full, 0);
  EXPECT_EQ(counts.masked, 7); // the tile of query 12 needs one
  EXPECT_EQ(counts.skipped, 4 * 7 - 7);
}

TEST(PicturePlan, MergedRowsHoldTheirRows) {
  mlir::MLIRContext context;
  context.loadDialect<LattnDialect>();
  for (const TestWindow &window : sweepWindows(&context)) {
    AttentionWork work =
        getWork(window.attr, {3, 19}, /*parts=*/1, /*hasKeyMask=*/false);
    TilePlan plan(work, work.places.front());
    TileRow merged = plan.getMergedRows(1, 3);
    EXPECT_EQ(merged.first, 4);
    EXPECT_EQ(merged.last, 11);
    for (int64_t i = 1; i < 3; ++i)
      for (const KeyRun &run : plan.getRow(i).runs)
        EXPECT_TRUE(llvm::any_of(merged.runs, [&](const KeyRun &other) {
          return other.kind == run.kind && other.keys.begin <= run.keys.begin &&
                 run.keys.end <= other.keys.end;
        })) << window.text;
  }
}

} // namespace

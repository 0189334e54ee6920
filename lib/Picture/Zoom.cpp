//===- Zoom.cpp - The whole plane, and parts of it from near --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/Support/FormatVariadic.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::formatv;
using llvm::SmallVector;

/// Rows of tiles that reach into `queries`.
static std::vector<TileRow> getRows(const TilePlan &plan, KeyRange queries) {
  std::vector<TileRow> rows;
  int64_t end = llvm::divideCeil(queries.end, plan.getQueryTile());
  for (int64_t i = queries.begin / plan.getQueryTile(); i < end; ++i)
    rows.push_back(plan.getTile(i));
  return rows;
}

/// From the first to the last key that `rows` visit.
static KeyRange getSpan(ArrayRef<TileRow> rows) {
  KeyRange span = {0, 0};
  for (const TileRow &row : rows)
    for (const KeyRun &run : row.runs) {
      if (!span.size())
        span = run.keys;
      span.begin = std::min(span.begin, run.keys.begin);
      span.end = std::max(span.end, run.keys.end);
    }
  return span;
}

static void drawFrame(Svg &svg, const Plane &plane, bool withQueries) {
  svg.rect(plane.box, "plane");
  drawAxes(svg, plane, withQueries);
  if (!withQueries)
    return;
  svg.text(plane.box.x - 20, plane.box.y - 23, "tick end", "key →");
  svg.text(plane.box.x - 20, plane.box.y - 9, "tick end", "query ↓");
}

static void drawNothing(Svg &svg, const Box &box, const TilePlan &plan) {
  bool hasAxes = plan.getDomain().rows && plan.getDomain().keys;
  svg.text(box.x + 12, box.y + box.height / 2 + 5, "label",
           hasAxes ? "no key is visible here: rows are 0"
                   : "there are no queries or no keys");
}

//===----------------------------------------------------------------------===//
// The whole plane
//===----------------------------------------------------------------------===//

static void markZooms(Svg &svg, const Plane &plane, ArrayRef<Zoom> zooms) {
  SvgPath marks;
  double x = plane.box.right() + 6;
  for (auto [i, zoom] : llvm::enumerate(zooms)) {
    double top = plane.y(zoom.queries.begin);
    double bottom = std::max(plane.y(zoom.queries.end), top + 2);
    marks.rect({x, top, 3, bottom - top});
    svg.text(x + 9,
             std::clamp((top + bottom) / 2 + 4, plane.box.y + 10,
                        plane.box.bottom()),
             "label", std::string(1, 'a' + i));
  }
  svg.path(marks, "place");
}

double lattn::drawOverview(Svg &svg, double y, const AttentionWork &work,
                           const TilePlan &plan, ArrayRef<Zoom> zooms) {
  constexpr double kSize = 330, kLeastWidth = 40;
  // Rows of at least two pixels each.
  constexpr int64_t kMostRows = 165, kExactQueries = 128, kExactKeys = 512;
  const TileDomain &domain = plan.getDomain();
  int64_t queries = std::max<int64_t>(1, domain.rows);
  int64_t keys = std::max<int64_t>(1, domain.keys);
  double scale = kSize / std::max(queries, keys);
  double height = std::max(queries * scale, queries == 1 ? 24.0 : 60.0);
  Plane plane = {{0, queries},
                 {0, keys},
                 {kLeft, y + 36, std::max(keys * scale, kLeastWidth), height},
                 work.getOrigin()[2],
                 work.getOrigin()[3]};
  drawFrame(svg, plane, /*withQueries=*/true);
  if (domain.numKeys < domain.keys && domain.keys)
    svg.rect({plane.x(domain.numKeys), plane.box.y,
              plane.box.right() - plane.x(domain.numKeys), height},
             "beyond");
  int64_t numRows = plan.getNumTiles(), drawn = std::min(numRows, kMostRows);
  std::vector<TileRow> rows;
  for (int64_t i = 0; i < drawn; ++i)
    rows.push_back(
        plan.getMergedTiles(i * numRows / drawn, (i + 1) * numRows / drawn));
  bool exact = domain.rows <= kExactQueries && domain.keys <= kExactKeys;
  if (getSpan(rows).size())
    drawTiles(svg, plane, plan, rows, exact);
  else
    drawNothing(svg, plane.box, plan);
  drawHidden(svg, plane, work.hiddenKeys);
  if (work.origin)
    drawOriginMark(svg, plane.box.x, plane.box.y);
  markZooms(svg, plane, zooms);
  return plane.box.bottom();
}

//===----------------------------------------------------------------------===//
// From near
//===----------------------------------------------------------------------===//

SmallVector<Zoom> lattn::chooseZooms(const TilePlan &plan) {
  constexpr int64_t kQueries = 32, kMostQueries = 48;
  int64_t queries = plan.getDomain().rows, tile = plan.getQueryTile();
  int64_t tiles = std::clamp<int64_t>(kQueries / tile, 1, 4);
  int64_t shown = std::min({tiles * tile, kMostQueries, queries});
  auto at = [&](int64_t begin) -> KeyRange {
    return {begin, std::min(begin + shown, queries)};
  };
  if (!shown || !plan.getDomain().keys)
    return {};
  if (shown == queries)
    return {{"all queries", at(0)}};
  // The last one ends with the queries, on whole tiles where they fit.
  int64_t last = queries - shown;
  if (shown == tiles * tile)
    last = (plan.getNumTiles() - tiles) * tile;
  SmallVector<Zoom> zooms = {{"first queries", at(0)}};
  // Where buckets meet, if there are any.
  int64_t middle = last / 2, offset = plan.getDomain().offset;
  if (plan.getDomain().window)
    if (int64_t period = plan.getDomain().window.getPeriod(); period > 1)
      middle =
          llvm::divideFloorSigned(middle + offset, period) * period - offset;
  middle = (middle - 1) / tile * tile;
  if (middle >= shown && middle + shown <= last)
    zooms.push_back({"in the middle", at(middle)});
  zooms.push_back({"last queries", at(last)});
  return zooms;
}

double lattn::drawZoom(Svg &svg, double y, const AttentionWork &work,
                       const TilePlan &plan, const Zoom &zoom) {
  constexpr double kLeastCell = 2.6, kMostCell = 12, kNearCell = 5, kGap = 44;
  constexpr int64_t kMargin = 3;
  std::vector<TileRow> rows = getRows(plan, zoom.queries);
  KeyRange span = getSpan(rows);
  svg.text(kMargin * 8, y + 14, "label",
           formatv("{0}: {1} to {2}", zoom.name,
                   work.getOrigin()[2] + zoom.queries.begin,
                   work.getOrigin()[2] + zoom.queries.end - 1)
               .str());
  int64_t queries = zoom.queries.size();
  double height = queries * (queries <= 8 ? 14 : 5.5), top = y + 56;
  double width = kRight - kLeft;
  if (!span.size()) {
    Box box = {kLeft, top, width, 40};
    svg.rect(box, "plane");
    drawNothing(svg, box, plan);
    return box.bottom();
  }
  span = {std::max<int64_t>(0, span.begin - kMargin),
          std::min(plan.getDomain().keys, span.end + kMargin)};
  auto draw = [&](double x, double cell, KeyRange keys, bool first) {
    Plane plane = {zoom.queries,
                   keys,
                   {x, top, keys.size() * cell, height},
                   work.getOrigin()[2],
                   work.getOrigin()[3]};
    drawFrame(svg, plane, first);
    drawTiles(svg, plane, plan, rows, /*exact=*/true);
    drawHidden(svg, plane, work.hiddenKeys);
  };
  double cell = std::min(kMostCell, width / span.size());
  if (cell >= kLeastCell) {
    draw(kLeft, cell, span, /*first=*/true);
    return top + height;
  }
  // Both ends, and what is between them left out.
  int64_t half = (width - kGap) / 2 / kNearCell;
  draw(kLeft, kNearCell, {span.begin, span.begin + half}, /*first=*/true);
  svg.text(kLeft + width / 2, top + height / 2, "label middle", "…");
  draw(kRight - half * kNearCell, kNearCell, {span.end - half, span.end},
       /*first=*/false);
  return top + height;
}

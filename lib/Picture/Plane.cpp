//===- Plane.cpp - A part of the plane on the page ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "llvm/ADT/STLExtras.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::StringRef;

double Plane::x(int64_t key) const {
  key = std::clamp(key, keys.begin, keys.end);
  return box.x + (key - keys.begin) * getCellWidth();
}

double Plane::y(int64_t query) const {
  query = std::clamp(query, queries.begin, queries.end);
  return box.y + (query - queries.begin) * box.height / queries.size();
}

static KeyRange intersect(KeyRange a, KeyRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

namespace {

/// Draws rows of tiles, layer by layer.
class TileDrawing {
public:
  TileDrawing(Svg &svg, const Plane &plane, const TilePlan &plan,
              ArrayRef<TileRow> rows, bool exact)
      : svg(svg), plane(plane), plan(plan), rows(rows), exact(exact) {}

  void drawRuns(RunKind kind, StringRef style);
  void drawVisible(RunKind kind, StringRef style);
  void drawBorders();
  void drawEdges();

private:
  KeyRange getQueries(const TileRow &row) const {
    return intersect({row.first, row.last + 1}, plane.queries);
  }
  void add(SvgPath &path, KeyRange queries, KeyRange keys) const;
  /// Calls `visit` with queries and what they see.
  void forVisible(llvm::function_ref<void(KeyRange, KeyRange)> visit);

  Svg &svg;
  const Plane &plane;
  const TilePlan &plan;
  ArrayRef<TileRow> rows;
  bool exact;
};

} // namespace

void TileDrawing::add(SvgPath &path, KeyRange queries, KeyRange keys) const {
  queries = intersect(queries, plane.queries);
  keys = intersect(keys, plane.keys);
  double x = plane.x(keys.begin), y = plane.y(queries.begin);
  if (queries.size() && keys.size())
    path.rect({x, y, plane.x(keys.end) - x, plane.y(queries.end) - y});
}

void TileDrawing::drawRuns(RunKind kind, StringRef style) {
  SvgPath path;
  for (const TileRow &row : rows)
    for (const KeyRun &run : row.runs)
      if (run.kind == kind)
        add(path, getQueries(row), run.keys);
  svg.path(path, style);
}

void TileDrawing::drawVisible(RunKind kind, StringRef style) {
  SvgPath path;
  for (const TileRow &row : rows) {
    KeyRange queries = getQueries(row);
    for (const KeyRun &run : row.runs)
      for (int64_t q = queries.begin; run.kind == kind && q < queries.end; ++q)
        add(path, {q, q + 1},
            intersect(run.keys, plan.getDomain().getKeys(q, q).touched));
  }
  svg.path(path, style);
}

void TileDrawing::drawBorders() {
  SvgPath tiles, cuts;
  for (const TileRow &row : rows) {
    KeyRange queries = getQueries(row);
    double top = plane.y(queries.begin), bottom = plane.y(queries.end);
    auto draw = [&](SvgPath &path, int64_t key) {
      if (key > plane.keys.begin && key < plane.keys.end)
        path.line(plane.x(key), top, plane.x(key), bottom);
    };
    for (const KeyRun &run : row.runs) {
      KeyRange keys = intersect(run.keys, plane.keys);
      if (!keys.size())
        continue;
      add(tiles, queries, keys);
      int64_t skipped = (keys.begin - run.keys.begin) / plan.getKeyTile();
      for (int64_t key = run.keys.begin + skipped * plan.getKeyTile();
           key < keys.end; key += plan.getKeyTile())
        draw(tiles, key);
    }
    for (int64_t key : row.cuts)
      draw(cuts, key);
  }
  svg.path(tiles, "border");
  svg.path(cuts, "cut");
}

void TileDrawing::forVisible(
    llvm::function_ref<void(KeyRange, KeyRange)> visit) {
  for (const TileRow &row : rows) {
    KeyRange queries = getQueries(row);
    int64_t step = exact ? 1 : std::max<int64_t>(1, queries.size());
    for (int64_t q = queries.begin; q < queries.end; q += step)
      visit({q, q + step}, plan.getDomain().getKeys(q, q + step - 1).touched);
  }
}

/// Two lines, broken where nothing is visible or the plane's part ends.
void TileDrawing::drawEdges() {
  for (bool left : {true, false}) {
    SvgPath path;
    bool connected = false;
    forVisible([&](KeyRange queries, KeyRange visible) {
      int64_t key = left ? visible.begin : visible.end;
      bool inside =
          visible.size() && key >= plane.keys.begin && key <= plane.keys.end;
      if (inside) {
        double x = plane.x(key);
        if (connected)
          path.lineTo(x, plane.y(queries.begin));
        else
          path.moveTo(x, plane.y(queries.begin));
        path.lineTo(x, plane.y(queries.end));
      }
      connected = inside;
    });
    svg.path(path, exact ? "edge" : "edge thin");
  }
}

void lattn::drawTiles(Svg &svg, const Plane &plane, const TilePlan &plan,
                      ArrayRef<TileRow> rows, bool exact) {
  TileDrawing drawing(svg, plane, plan, rows, exact);
  drawing.drawRuns(RunKind::LeftEdge, exact ? "hidden left" : "left");
  drawing.drawRuns(RunKind::RightEdge, exact ? "hidden right" : "right");
  drawing.drawRuns(RunKind::Interior, "interior");
  if (exact) {
    drawing.drawVisible(RunKind::LeftEdge, "left");
    drawing.drawVisible(RunKind::RightEdge, "right");
    drawing.drawBorders();
  }
  drawing.drawEdges();
}

void lattn::drawHidden(Svg &svg, const Plane &plane,
                       ArrayRef<KeyRange> hidden) {
  // A column is a key, or a pixel that shows whether most of its keys are
  // hidden.
  int64_t step = std::max<int64_t>(1, 1 / plane.getCellWidth());
  SvgPath path;
  KeyRange column = {plane.keys.begin, plane.keys.begin};
  auto flush = [&] {
    double x = plane.x(column.begin);
    if (column.size())
      path.rect({x, plane.box.y, plane.x(column.end) - x, plane.box.height});
  };
  for (int64_t at = plane.keys.begin; at < plane.keys.end; at += step) {
    KeyRange keys = {at, std::min(at + step, plane.keys.end)};
    // Ranges before these keys are done with.
    while (!hidden.empty() && hidden.front().end <= at)
      hidden = hidden.drop_front();
    int64_t count = 0;
    for (const KeyRange &range : hidden) {
      if (range.begin >= keys.end)
        break;
      count += intersect(range, keys).size();
    }
    if (2 * count < keys.size() || !count)
      continue;
    if (column.end != at) {
      flush();
      column.begin = at;
    }
    column.end = keys.end;
  }
  flush();
  svg.path(path, "masked");
}

void lattn::drawOriginMark(Svg &svg, double x, double y) {
  constexpr double kSize = 6;
  SvgPath path;
  path.moveTo(x, y - kSize);
  path.lineTo(x + kSize, y);
  path.lineTo(x, y + kSize);
  path.lineTo(x - kSize, y);
  svg.path(path, "origin");
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// The least of 1, 2, 5, 10, 20, ... that is at least `least`.
static int64_t chooseStep(double least) {
  for (int64_t power = 1;; power *= 10)
    for (int64_t digit : {1, 2, 5})
      if (digit * power >= least)
        return digit * power;
}

/// Multiples of a round number that are `pixels` apart or more.
static std::vector<int64_t> chooseTicks(KeyRange range, double length,
                                        double pixels) {
  int64_t step = chooseStep(pixels * range.size() / length);
  std::vector<int64_t> ticks;
  for (int64_t at = llvm::divideCeil(range.begin, step) * step; at < range.end;
       at += step)
    ticks.push_back(at);
  return ticks;
}

void lattn::drawAxes(Svg &svg, const Plane &plane, bool withQueries) {
  SvgPath marks;
  const Box &box = plane.box;
  auto shift = [](KeyRange range, int64_t first) -> KeyRange {
    return {range.begin + first, range.end + first};
  };
  for (int64_t key :
       chooseTicks(shift(plane.keys, plane.firstKey), box.width, 56)) {
    double x = plane.x(key - plane.firstKey) +
               std::min(plane.getCellWidth(), 12.0) / 2;
    marks.line(x, box.y - 4, x, box.y);
    svg.text(x, box.y - 8, "tick middle", std::to_string(key));
  }
  double cell = box.height / plane.queries.size();
  for (int64_t query :
       chooseTicks(shift(plane.queries, plane.firstQuery), box.height, 22)) {
    double y = plane.y(query - plane.firstQuery) + std::min(cell, 12.0) / 2;
    marks.line(box.x - 4, y, box.x, y);
    if (withQueries)
      svg.text(box.x - 8, y + 4, "tick end", std::to_string(query));
  }
  svg.path(marks, "mark");
}

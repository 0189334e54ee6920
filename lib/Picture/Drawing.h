//===- Drawing.h - Attention ops as pictures --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PICTURE_DRAWING_H
#define LATTN_LIB_PICTURE_DRAWING_H

#include "Svg.h"
#include "lattn/Explain/Work.h"

namespace lattn {

/// Of the (query, key) plane: [begin, end) of both, queries downwards in `box`.
struct Plane {
  KeyRange queries, keys;
  Box box;
  int64_t firstQuery = 0, firstKey = 0; // what the axes call them

  double x(int64_t key) const;
  double y(int64_t query) const;
  double getCellWidth() const { return box.width / keys.size(); }
};

/// The tiles of `rows` with the exact edge of what is visible. `exact`: every
/// query by itself, which takes space; else as far as rows tell.
void drawTiles(Svg &svg, const Plane &plane, const TilePlan &plan,
               llvm::ArrayRef<TileRow> rows, bool exact);

/// Columns of keys that a key mask hides, over tiles that compute them.
void drawHidden(Svg &svg, const Plane &plane, llvm::ArrayRef<KeyRange> hidden);

/// Where the plane begins in that of a larger op.
void drawOriginMark(Svg &svg, double x, double y);

/// Numbers along the upper edge (keys) and the left one (queries).
void drawAxes(Svg &svg, const Plane &plane, bool withQueries);

/// Where text and plots begin and end, in pixels.
constexpr double kLeft = 84, kRight = 936, kMargin = 24;

/// Queries worth a closer look.
struct Zoom {
  std::string name;
  KeyRange queries;
};
llvm::SmallVector<Zoom> chooseZooms(const TilePlan &plan);

/// The whole plane, `zooms` marked at its right. Returns its lower end.
double drawOverview(Svg &svg, double y, const AttentionWork &work,
                    const TilePlan &plan, llvm::ArrayRef<Zoom> zooms);

/// The tiles of the zoom's queries in full, position by position. Returns their
/// lower end.
double drawZoom(Svg &svg, double y, const AttentionWork &work,
                const TilePlan &plan, const Zoom &zoom);

/// What a picture's colours mean. Returns the lower end.
double drawLegend(Svg &svg, double x, double y, const AttentionWork &work);

/// Style sheet and patterns of every picture.
llvm::StringRef getPictureStyle();

} // namespace lattn

#endif // LATTN_LIB_PICTURE_DRAWING_H

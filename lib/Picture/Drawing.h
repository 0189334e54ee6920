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

/// A part of the (query, key) plane: [begin, end) of both. Queries go downwards
/// in `box`.
struct Plane {
  KeyRange queries, keys;
  Box box;
  int64_t firstQuery = 0, firstKey = 0; // their numbers on the axes

  double x(int64_t key) const;
  double y(int64_t query) const;
  double getCellWidth() const { return box.width / keys.size(); }
};

/// Draws the tiles of `rows` with the exact edge of the visible keys. With
/// `exact`, it draws the keys of every query, which takes space; else it draws
/// what rows tell.
void drawTiles(Svg &svg, const Plane &plane, const TilePlan &plan,
               llvm::ArrayRef<TileRow> rows, bool exact);

/// Draws columns of keys that a key mask hides, over tiles that compute them.
void drawHidden(Svg &svg, const Plane &plane, llvm::ArrayRef<KeyRange> hidden);

/// Marks where the plane begins in that of a larger op.
void drawOriginMark(Svg &svg, double x, double y);

/// Numbers along the upper edge (keys) and the left one (queries).
void drawAxes(Svg &svg, const Plane &plane, bool withQueries);

/// Where text and plots begin and end, in pixels.
constexpr double kLeft = 84, kRight = 936, kMargin = 24;

/// A range of queries to draw enlarged.
struct Zoom {
  std::string name;
  KeyRange queries;
};
llvm::SmallVector<Zoom> chooseZooms(const TilePlan &plan);

/// Draws the whole plane, with `zooms` marked at its right. Returns its lower
/// end.
double drawOverview(Svg &svg, double y, const AttentionWork &work,
                    const TilePlan &plan, llvm::ArrayRef<Zoom> zooms);

/// Draws the tiles of the zoom's queries, position by position. Returns their
/// lower end.
double drawZoom(Svg &svg, double y, const AttentionWork &work,
                const TilePlan &plan, const Zoom &zoom);

/// Draws the meaning of a picture's colours. Returns the lower end.
double drawLegend(Svg &svg, double x, double y, const AttentionWork &work);

/// Style sheet and patterns of every picture.
llvm::StringRef getPictureStyle();

} // namespace lattn

#endif // LATTN_LIB_PICTURE_DRAWING_H

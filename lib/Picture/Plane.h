//===- Plane.h - A part of the plane on the page ----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PICTURE_PLANE_H
#define LATTN_LIB_PICTURE_PLANE_H

#include "Svg.h"
#include "lattn/Analysis/TilePlan.h"

namespace lattn {

/// Of the (query, key) plane: [begin, end) of both, queries downwards in `box`.
struct Plane {
  KeyRange queries, keys;
  Box box;

  double x(int64_t key) const;
  double y(int64_t query) const;
  double getCellWidth() const { return box.width / keys.size(); }
};

/// The tiles of `rows` with the exact edge of what is visible. `exact`: every
/// query by itself, which takes space; else as far as rows tell.
void drawTiles(Svg &svg, const Plane &plane, const TilePlan &plan,
               llvm::ArrayRef<TileRow> rows, bool exact);

/// Numbers along the upper edge (keys) and the left one (queries).
void drawAxes(Svg &svg, const Plane &plane, bool withQueries);

} // namespace lattn

#endif // LATTN_LIB_PICTURE_PLANE_H

//===- Drawing.h - Attention ops as pictures --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PICTURE_DRAWING_H
#define LATTN_LIB_PICTURE_DRAWING_H

#include "Plane.h"
#include "lattn/Explain/Work.h"

namespace lattn {

/// Where text and plots begin and end, in pixels.
constexpr double kLeft = 84, kRight = 936, kMargin = 24;

/// Queries worth a closer look.
struct Zoom {
  std::string name;
  KeyRange queries;
};
llvm::SmallVector<Zoom> chooseZooms(const TilePlan &plan);

/// The whole plane, `zooms` marked at its right. Returns its lower end.
double drawOverview(Svg &svg, double y, const TilePlan &plan,
                    llvm::ArrayRef<Zoom> zooms);

/// The tiles of the zoom's queries in full, position by position. Returns their
/// lower end.
double drawZoom(Svg &svg, double y, const TilePlan &plan, const Zoom &zoom);

/// What a picture's colours mean. Returns the lower end.
double drawLegend(Svg &svg, double x, double y, const AttentionWork &work);

/// Style sheet and patterns of every picture.
llvm::StringRef getPictureStyle();

} // namespace lattn

#endif // LATTN_LIB_PICTURE_DRAWING_H

//===- GradLanes.cpp - What derivatives of attention have on the lanes ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradTiler.h"

using namespace mlir;
using namespace lattn;

template <typename DerivativeOp>
static std::optional<Lanes> getLanes(DerivativeOp op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return schedule ? schedule.getLanes() : std::optional<Lanes>();
}

StringRef lattn::findObstacleToFeatures(AttentionGradOp op) {
  if (!op.getDropout().empty())
    return "dropout";
  if (op.getDBias())
    return "d_bias";
  if (!op.getDCaptures().empty())
    return "d_captures";
  if (op.getProducts() != Products::Widened)
    return "products that are not widened";
  return "";
}

std::string lattn::findLanesError(AttentionGradOp op) {
  std::optional<Lanes> lanes = getLanes(op);
  if (lanes == Lanes::Mixed)
    return "expected lanes = queries or features in its schedule, got mixed";
  StringRef obstacle = findObstacleToFeatures(op);
  if (lanes == Lanes::Features && !obstacle.empty())
    return ("expected lanes = queries in its schedule with " + obstacle +
            ", got features")
        .str();
  return "";
}

std::string lattn::findLanesError(AttentionJvpOp op) {
  std::optional<Lanes> lanes = getLanes(op);
  if (lanes && lanes != Lanes::Mixed)
    return ("expected lanes = mixed in its schedule, got " +
            stringifyLanes(*lanes))
        .str();
  return "";
}

//===- Rounding.cpp - Signs and rounding ----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rounding is constant almost everywhere: its derivative is zero, also at its
// steps. The derivative of absf at 0 is 0. clampf has none: upstream describes
// it as max(min(x, lower), upper), and lattn does not lower it.

#include "ScalarRule.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace lattn;

namespace lattn {

static Term scale(math::CeilOp, Partial &) { return {}; }
static Term scale(math::FloorOp, Partial &) { return {}; }
static Term scale(math::RoundEvenOp, Partial &) { return {}; }
static Term scale(math::RoundOp, Partial &) { return {}; }
static Term scale(math::TruncOp, Partial &) { return {}; }

static Term scale(math::AbsFOp, Partial &p) {
  Term y = p.in(0), zero = y.constant(0.0);
  return select(zero < y, p.x, select(y < zero, -p.x, zero));
}

/// The sign that the magnitude is multiplied with, 0 at 0.
static Term scale(math::CopySignOp, Partial &p) {
  if (p.operand == 1)
    return {};
  Term y = p.in(0), one = y.constant(1.0), zero = y.constant(0.0);
  Term sign =
      apply<math::CopySignOp>(one, y) * apply<math::CopySignOp>(one, p.in(1));
  return select(y == zero, zero, p.x * sign);
}

} // namespace lattn

void lattn::attachRounding(MLIRContext *context) {
  attachScalars<math::AbsFOp, math::CeilOp, math::CopySignOp, math::FloorOp,
                math::RoundEvenOp, math::RoundOp, math::TruncOp>(context);
}

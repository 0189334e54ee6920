//===- Exponentials.cpp - Powers of e, logarithms -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarRule.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace lattn;

namespace lattn {

static Term scale(math::ExpOp, Partial &p) { return p.x * p.out(); }
static Term scale(math::Exp2Op, Partial &p) {
  return p.x * (p.out() * llvm::numbers::ln2);
}
static Term scale(math::ExpM1Op, Partial &p) { return p.x * (p.out() + 1.0); }
static Term scale(math::LogOp, Partial &p) { return p.x / p.in(0); }
static Term scale(math::Log2Op, Partial &p) {
  return p.x / (p.in(0) * llvm::numbers::ln2);
}
static Term scale(math::Log10Op, Partial &p) {
  return p.x / (p.in(0) * llvm::numbers::ln10);
}
static Term scale(math::Log1pOp, Partial &p) { return p.x / (p.in(0) + 1.0); }

/// 2 / sqrt(pi) * exp(-y^2)
static Term scaleByBell(Partial &p, double sign) {
  Term y = p.in(0);
  double factor = sign * 2.0 * llvm::numbers::inv_sqrtpi;
  return p.x * (apply<math::ExpOp>(-(y * y)) * factor);
}
static Term scale(math::ErfOp, Partial &p) { return scaleByBell(p, 1.0); }
static Term scale(math::ErfcOp, Partial &p) { return scaleByBell(p, -1.0); }

} // namespace lattn

void lattn::attachExponentials(MLIRContext *context) {
  attachScalars<math::ErfOp, math::ErfcOp, math::Exp2Op, math::ExpM1Op,
                math::ExpOp, math::Log10Op, math::Log1pOp, math::Log2Op,
                math::LogOp>(context);
}

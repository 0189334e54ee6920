//===- Trigonometry.cpp - Of angles and hyperbolas ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarRule.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace lattn;

namespace lattn {

static Term scale(math::SinOp, Partial &p) {
  return p.x * apply<math::CosOp>(p.in(0));
}
static Term scale(math::CosOp, Partial &p) {
  return -p.x * apply<math::SinOp>(p.in(0));
}
static Term scale(math::SincosOp, Partial &p) {
  return p.result == 0 ? p.x * p.out(1) : -p.x * p.out(0);
}
static Term scale(math::TanOp, Partial &p) {
  return p.x * (p.out() * p.out() + 1.0);
}
static Term scale(math::AsinOp, Partial &p) {
  return p.x * apply<math::RsqrtOp>(1.0 - p.in(0) * p.in(0));
}
static Term scale(math::AcosOp, Partial &p) {
  return -p.x * apply<math::RsqrtOp>(1.0 - p.in(0) * p.in(0));
}
static Term scale(math::AtanOp, Partial &p) {
  return p.x / (p.in(0) * p.in(0) + 1.0);
}
/// 0 at (0, 0).
static Term scale(math::Atan2Op, Partial &p) {
  Term y = p.in(0), x = p.in(1), zero = y.constant(0.0);
  Term origin = (y == zero) & (x == zero);
  Term square = select(origin, y.constant(1.0), y * y + x * x);
  return p.operand == 0 ? p.x * (x / square) : -p.x * (y / square);
}

static Term scale(math::SinhOp, Partial &p) {
  return p.x * apply<math::CoshOp>(p.in(0));
}
static Term scale(math::CoshOp, Partial &p) {
  return p.x * apply<math::SinhOp>(p.in(0));
}
static Term scale(math::TanhOp, Partial &p) {
  return p.x * (1.0 - p.out() * p.out());
}
static Term scale(math::AsinhOp, Partial &p) {
  return p.x * apply<math::RsqrtOp>(p.in(0) * p.in(0) + 1.0);
}
static Term scale(math::AcoshOp, Partial &p) {
  return p.x * apply<math::RsqrtOp>(p.in(0) * p.in(0) - 1.0);
}
static Term scale(math::AtanhOp, Partial &p) {
  return p.x / (1.0 - p.in(0) * p.in(0));
}

} // namespace lattn

void lattn::attachTrigonometry(MLIRContext *context) {
  attachScalars<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
                math::Atan2Op, math::AtanOp, math::AtanhOp, math::CosOp,
                math::CoshOp, math::SinOp, math::SincosOp, math::SinhOp,
                math::TanOp, math::TanhOp>(context);
}

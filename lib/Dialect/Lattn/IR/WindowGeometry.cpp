//===- WindowGeometry.cpp - What a window shows to tiles of queries -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

WindowBounds::WindowBounds(WindowAttrInterface window) {
  if (!window)
    return;
  lower = window.getLowerBounds();
  upper = window.getUpperBounds();
  period = window.getPeriod();
}

/// The least p for which `bound`, which grows with p, is above t, over
/// dimension 0 = t. Null if `bound` is no chain from p on.
static AffineExpr getFirstAbove(AffineExpr bound) {
  // bound > limit if and only if what is left of it is.
  AffineExpr limit = getAffineDimExpr(0, bound.getContext());
  while (auto binary = dyn_cast<AffineBinaryOpExpr>(bound)) {
    auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!constant)
      return {};
    int64_t c = constant.getValue();
    if (binary.getKind() == AffineExprKind::Add)
      limit = limit - c;
    else if (c <= 0)
      return {};
    else if (binary.getKind() == AffineExprKind::Mul)
      limit = limit.floorDiv(c);
    else if (binary.getKind() == AffineExprKind::FloorDiv)
      limit = (limit + 1) * c - 1;
    else if (binary.getKind() == AffineExprKind::CeilDiv)
      limit = limit * c;
    else
      return {};
    bound = binary.getLHS();
  }
  return isa<AffineDimExpr>(bound) ? limit + 1 : AffineExpr();
}

std::optional<WindowBounds> WindowBounds::getInverse() const {
  auto invert = [](AffineMap bounds, AffineMap &inverse) {
    if (!bounds)
      return true;
    SmallVector<AffineExpr> results;
    for (AffineExpr bound : bounds.getResults())
      results.push_back(getFirstAbove(bound));
    if (llvm::is_contained(results, AffineExpr()))
      return false;
    inverse = AffineMap::get(1, 0, results, bounds.getContext());
    return true;
  };
  WindowBounds inverse;
  inverse.period = period;
  // p sees t if and only if all upper bounds are above t, and no lower one is.
  if (!invert(upper, inverse.lower) || !invert(lower, inverse.upper))
    return std::nullopt;
  return inverse;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static int64_t evaluate(AffineExpr expr, int64_t p) {
  switch (expr.getKind()) {
  case AffineExprKind::Constant:
    return cast<AffineConstantExpr>(expr).getValue();
  case AffineExprKind::DimId:
    return p;
  default:
    break;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), p),
          rhs = evaluate(binary.getRHS(), p);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(lhs, rhs);
  default:
    return llvm::mod(lhs, rhs);
  }
}

/// The one of `bounds` at `p` that `tighter` prefers; none where there are
/// none.
static std::optional<int64_t>
getTightest(AffineMap bounds, int64_t p,
            const int64_t &(*tighter)(const int64_t &, const int64_t &)) {
  std::optional<int64_t> tightest;
  if (!bounds)
    return tightest;
  for (AffineExpr expr : bounds.getResults()) {
    int64_t bound = evaluate(expr, p);
    tightest = tightest ? tighter(*tightest, bound) : bound;
  }
  return tightest;
}

static std::optional<int64_t> getLower(const WindowBounds &window, int64_t p) {
  return getTightest(window.lower, p, std::max<int64_t>);
}

static std::optional<int64_t> getUpper(const WindowBounds &window, int64_t p) {
  return getTightest(window.upper, p, std::min<int64_t>);
}

TileKeys lattn::getTileKeys(const WindowBounds &window, int64_t first,
                            int64_t last, int64_t numKeys) {
  auto clamp = [](std::optional<int64_t> value, int64_t otherwise, int64_t low,
                  int64_t high) {
    return std::clamp(value.value_or(otherwise), low, high);
  };
  TileKeys keys;
  keys.touched.begin = clamp(getLower(window, first), 0, 0, numKeys);
  keys.touched.end =
      clamp(getUpper(window, last), numKeys, keys.touched.begin, numKeys);
  keys.interior.begin =
      clamp(getLower(window, last), 0, keys.touched.begin, keys.touched.end);
  keys.interior.end = clamp(getUpper(window, first), numKeys,
                            keys.interior.begin, keys.touched.end);
  return keys;
}

KeySteps lattn::countKeySteps(const TileKeys &keys, int64_t origin,
                              int64_t length) {
  if (!keys.touched.size())
    return {0, 0};
  auto before = [&](int64_t key) {
    return llvm::divideFloorSigned(key - origin, length);
  };
  auto upTo = [&](int64_t key) {
    return llvm::divideCeilSigned(key - origin, length);
  };
  int64_t all = upTo(keys.touched.end) - before(keys.touched.begin);
  int64_t full = before(keys.interior.end) - upTo(keys.interior.begin);
  full = std::max<int64_t>(full, 0);
  return {full, all - full};
}

bool lattn::isVisible(const WindowBounds &window, int64_t p, int64_t t) {
  return t >= getLower(window, p).value_or(t) &&
         t < getUpper(window, p).value_or(t + 1);
}

Halo lattn::getHalo(const WindowBounds &window) {
  // Within a period the reach back grows with p and the reach forward shrinks.
  Halo halo;
  int64_t last = window.period - 1;
  if (std::optional<int64_t> lower = getLower(window, last))
    halo.before = std::max<int64_t>(0, last - *lower);
  if (std::optional<int64_t> upper = getUpper(window, 0))
    halo.after = std::max<int64_t>(0, *upper - 1);
  return halo;
}

bool lattn::coversAll(const WindowBounds &window, int64_t first, int64_t last,
                      int64_t numKeys) {
  if (first > last || numKeys <= 0)
    return true;
  return getLower(window, last).value_or(0) <= 0 &&
         getUpper(window, first).value_or(numKeys) >= numKeys;
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

static Value buildConstant(OpBuilder &b, Location loc, Type type,
                           int64_t value) {
  TypedAttr attr = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, attr);
  return arith::ConstantOp::create(b, loc, attr);
}

/// `expr` over dimension 0 = p, in p's type, which may be a vector.
static Value expand(OpBuilder &b, Location loc, AffineExpr expr, Value p) {
  if (isa<AffineDimExpr>(expr))
    return p;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return buildConstant(b, loc, p.getType(), constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = expand(b, loc, binary.getLHS(), p);
  Value rhs = expand(b, loc, binary.getRHS(), p);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return b.createOrFold<arith::AddIOp>(loc, lhs, rhs);
  case AffineExprKind::Mul:
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return b.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return b.createOrFold<arith::CeilDivSIOp>(loc, lhs, rhs);
  default: {
    // Euclidean: the divisor is a positive constant.
    Value quotient = b.createOrFold<arith::FloorDivSIOp>(loc, lhs, rhs);
    Value product = b.createOrFold<arith::MulIOp>(loc, quotient, rhs);
    return b.createOrFold<arith::SubIOp>(loc, lhs, product);
  }
  }
}

/// Whether bounds, for positions below 2^30, fit an integer of `width` bits.
static bool fitsWidth(const WindowBounds &window, AffineMap bounds,
                      unsigned width) {
  if (width >= 64)
    return true;
  auto isSmall = [&](int64_t value) {
    return std::abs(value) <= int64_t(1) << (width - 2);
  };
  return isSmall(window.period) &&
         llvm::all_of(bounds.getResults(), [&](AffineExpr expr) {
           return isSmall(evaluate(expr, 0));
         });
}

template <typename ReduceOp>
static Value buildBound(OpBuilder &b, Location loc, const WindowBounds &window,
                        AffineMap bounds, Value p) {
  if (!bounds)
    return {};
  // Where the window is too large for p's type, compute in i64 and saturate.
  Type type = p.getType();
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  bool widen = integer && !fitsWidth(window, bounds, integer.getWidth());
  if (widen) {
    Type wide = b.getI64Type();
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
    p = b.createOrFold<arith::ExtSIOp>(loc, wide, p);
  }
  Value bound;
  for (AffineExpr expr : bounds.getResults()) {
    Value next = expand(b, loc, expr, p);
    bound = bound ? b.createOrFold<ReduceOp>(loc, bound, next) : next;
  }
  if (!bound || !widen)
    return bound;
  auto limit = [&](const APInt &value) {
    return buildConstant(b, loc, p.getType(), value.getSExtValue());
  };
  unsigned width = integer.getWidth();
  bound = b.createOrFold<arith::MaxSIOp>(
      loc, bound, limit(APInt::getSignedMinValue(width)));
  bound = b.createOrFold<arith::MinSIOp>(
      loc, bound, limit(APInt::getSignedMaxValue(width)));
  return b.createOrFold<arith::TruncIOp>(loc, type, bound);
}

Value lattn::buildLowerBound(OpBuilder &b, Location loc,
                             const WindowBounds &window, Value p) {
  return buildBound<arith::MaxSIOp>(b, loc, window, window.lower, p);
}

Value lattn::buildUpperBound(OpBuilder &b, Location loc,
                             const WindowBounds &window, Value p) {
  return buildBound<arith::MinSIOp>(b, loc, window, window.upper, p);
}

Value lattn::buildIsVisible(OpBuilder &b, Location loc,
                            const WindowBounds &window, Value p, Value t) {
  Value visible;
  if (Value lower = buildLowerBound(b, loc, window, p))
    visible =
        b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, t, lower);
  if (Value upper = buildUpperBound(b, loc, window, p)) {
    Value below =
        b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, t, upper);
    visible =
        visible ? b.createOrFold<arith::AndIOp>(loc, visible, below) : below;
  }
  return visible;
}

TileKeyValues lattn::buildTileKeys(OpBuilder &b, Location loc,
                                   const WindowBounds &window, Value first,
                                   Value last, Value numKeys, Value keyOrigin) {
  auto clamp = [&](Value value, Value otherwise, Value low, Value high) {
    if (!value)
      return otherwise;
    if (keyOrigin)
      value = b.createOrFold<arith::SubIOp>(loc, value, keyOrigin);
    value = b.createOrFold<arith::MaxSIOp>(loc, value, low);
    return b.createOrFold<arith::MinSIOp>(loc, value, high);
  };
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  TileKeyValues keys;
  keys.begin =
      clamp(buildLowerBound(b, loc, window, first), zero, zero, numKeys);
  keys.end = clamp(buildUpperBound(b, loc, window, last), numKeys, keys.begin,
                   numKeys);
  keys.interiorBegin = clamp(buildLowerBound(b, loc, window, last), keys.begin,
                             keys.begin, keys.end);
  keys.interiorEnd = clamp(buildUpperBound(b, loc, window, first), keys.end,
                           keys.interiorBegin, keys.end);
  return keys;
}

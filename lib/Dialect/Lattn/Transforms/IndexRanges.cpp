//===- IndexRanges.cpp - Affine indices inside of arrays, at run time -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Bounds of sums, products and quotients follow from those of their parts. They
// are values of the index unless a dimension has several parts, or a remainder
// is of what skips numbers. Then all values that may be the least or the
// greatest are computed, but only if the bounds are outside.

#include "SizeRules.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;

namespace {

/// Bounds, both inclusive.
struct Bounds {
  Value least, most;
};

class RangeBuilder {
public:
  RangeBuilder(OpBuilder &b, ArrayRef<Value> extents)
      : b(b), loc(b.getUnknownLoc()), extents(extents) {}

  Bounds getBounds(AffineExpr expr);
  Bounds getValues(AffineExpr expr);
  Value isOutside(Bounds range, Value size);

private:
  Bounds getBounds(AffineBinaryOpExpr expr);
  Value constant(int64_t n) {
    return arith::ConstantIndexOp::create(b, loc, n);
  }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }
  Value compare(CmpIPredicate predicate, Value x, Value y) {
    return b.createOrFold<arith::CmpIOp>(loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return b.createOrFold<arith::SelectOp>(loc, condition, x, y);
  }

  OpBuilder &b;
  Location loc;
  ArrayRef<Value> extents;
};

} // namespace

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Bounds RangeBuilder::getBounds(AffineExpr expr) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return {constant(number.getValue()), constant(number.getValue())};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {constant(0),
            make<arith::SubIOp>(extents[dim.getPosition()], constant(1))};
  return getBounds(cast<AffineBinaryOpExpr>(expr));
}

Bounds RangeBuilder::getBounds(AffineBinaryOpExpr expr) {
  Bounds x = getBounds(expr.getLHS()), y = getBounds(expr.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {make<arith::AddIOp>(x.least, y.least),
            make<arith::AddIOp>(x.most, y.most)};
  case AffineExprKind::Mul: {
    Bounds product = {make<arith::MulIOp>(x.least, y.least),
                      make<arith::MulIOp>(x.most, y.least)};
    if (cast<AffineConstantExpr>(expr.getRHS()).getValue() < 0)
      std::swap(product.least, product.most);
    return product;
  }
  case AffineExprKind::FloorDiv:
    return {make<arith::FloorDivSIOp>(x.least, y.least),
            make<arith::FloorDivSIOp>(x.most, y.least)};
  case AffineExprKind::CeilDiv:
    return {make<arith::CeilDivSIOp>(x.least, y.least),
            make<arith::CeilDivSIOp>(x.most, y.least)};
  default: {
    Value first = make<arith::FloorDivSIOp>(x.least, y.least);
    Value last = make<arith::FloorDivSIOp>(x.most, y.least);
    Value start = make<arith::MulIOp>(first, y.least);
    Value isOne = compare(CmpIPredicate::eq, first, last);
    return {select(isOne, make<arith::SubIOp>(x.least, start), constant(0)),
            select(isOne, make<arith::SubIOp>(x.most, start),
                   make<arith::SubIOp>(y.least, constant(1)))};
  }
  }
}

/// Whether the expression takes all numbers between its bounds.
static bool isDense(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  if (binary.getKind() == AffineExprKind::Mul) {
    int64_t factor = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    return std::abs(factor) <= 1 && isDense(binary.getLHS());
  }
  return binary.getKind() != AffineExprKind::Mod && isDense(binary.getLHS()) &&
         isDense(binary.getRHS());
}

/// Whether the bounds are values of the expression.
static bool isExact(AffineExpr expr) {
  SmallVector<int> uses(4);
  bool isExact = true;
  expr.walk([&](AffineExpr part) {
    if (auto dim = dyn_cast<AffineDimExpr>(part)) {
      uses.resize(std::max<size_t>(uses.size(), dim.getPosition() + 1));
      isExact &= ++uses[dim.getPosition()] == 1;
    }
    if (part.getKind() == AffineExprKind::Mod)
      isExact &= isDense(cast<AffineBinaryOpExpr>(part).getLHS());
  });
  return isExact;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// By which number a dimension must grow so that the expression grows by the
/// same amount wherever it is.
static int64_t getPeriod(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return 1;
  int64_t x = getPeriod(binary.getLHS()), y = getPeriod(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Add)
    return std::lcm(x, y);
  if (binary.getKind() == AffineExprKind::Mul)
    return x;
  return x * cast<AffineConstantExpr>(binary.getRHS()).getValue();
}

/// For each remainder by the period, the index is monotonic in each dimension:
/// its extremes are in the first and in the last period.
Bounds RangeBuilder::getValues(AffineExpr expr) {
  Value period = constant(getPeriod(expr)), zero = constant(0),
        one = constant(1);
  SmallVector<Value> used, counts, skipped;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (!expr.isFunctionOfDim(dim))
      continue;
    counts.push_back(
        make<arith::MinSIOp>(extent, make<arith::MulIOp>(period, constant(2))));
    skipped.push_back(make<arith::SubIOp>(extent, counts.back()));
  }
  SmallVector<Value> zeros(counts.size(), zero), ones(counts.size(), one);
  Value start[] = {constant(std::numeric_limits<int64_t>::max()),
                   constant(std::numeric_limits<int64_t>::min())};
  auto nest = scf::buildLoopNest(
      b, loc, zeros, counts, ones, start,
      [&](OpBuilder &, Location, ValueRange numbers, ValueRange found) {
        SmallVector<Value> dims;
        unsigned next = 0;
        for (unsigned dim = 0; dim < extents.size(); ++dim) {
          if (!expr.isFunctionOfDim(dim)) {
            dims.push_back(zero);
            continue;
          }
          Value n = numbers[next],
                isFirst = compare(CmpIPredicate::slt, n, period);
          dims.push_back(
              select(isFirst, n, make<arith::AddIOp>(n, skipped[next++])));
        }
        Value index = affine::AffineApplyOp::create(
            b, loc, AffineMap::get(extents.size(), 0, expr), dims);
        return scf::ValueVector{make<arith::MinSIOp>(found[0], index),
                                make<arith::MaxSIOp>(found[1], index)};
      });
  return {nest.results[0], nest.results[1]};
}

Value RangeBuilder::isOutside(Bounds range, Value size) {
  return make<arith::OrIOp>(
      compare(CmpIPredicate::slt, range.least, constant(0)),
      compare(CmpIPredicate::sge, range.most, size));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void SizeChecker::inside(Operation *op, AffineExpr index,
                         ArrayRef<Value> extents, Value size, StringRef what) {
  if (!size || llvm::is_contained(extents, Value()))
    return;
  RangeBuilder ranges(b, extents);
  Location loc = b.getUnknownLoc();
  Value zero = constant(0);
  Value hasPairs = compare(CmpIPredicate::eq, zero, zero);
  for (Value extent : extents)
    hasPairs = both(hasPairs, compare(CmpIPredicate::sgt, extent, zero));
  Bounds range = ranges.getBounds(index);
  Value isOutside = ranges.isOutside(range, size);
  if (matchPattern(isOutside, m_Zero()))
    return;
  if (!isExact(index)) {
    auto branch = scf::IfOp::create(
        b, loc, isOutside,
        [&](OpBuilder &, Location) {
          Bounds values = ranges.getValues(index);
          scf::YieldOp::create(b, loc, ValueRange{values.least, values.most});
        },
        [&](OpBuilder &, Location) {
          scf::YieldOp::create(b, loc, ValueRange{range.least, range.most});
        });
    range = {branch.getResult(0), branch.getResult(1)};
  }
  fail(op, both(hasPairs, compare(CmpIPredicate::slt, range.least, zero)),
       "expected every index of " + what + " to be at least %lld, got %lld",
       zero, range.least);
  Value needed = add(range.most, constant(1));
  fail(op, both(hasPairs, compare(CmpIPredicate::slt, size, needed)),
       "expected " + what + " to have at least %lld elements, got %lld", needed,
       size);
}

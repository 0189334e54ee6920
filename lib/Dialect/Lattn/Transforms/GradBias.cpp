//===- GradBias.cpp - Gradients of biases, a tile of pairs at a time ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Most tiles add to a rectangle of the bias: its map goes along one axis with
// queries, along another with keys, and its floor divisions and remainders do
// not wrap within the tile. Sums have queries last, as the tile's gradients
// have.

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;

/// By how much an expression grows with (query, key), where it does not wrap.
using Steps = std::array<int64_t, 2>;
static std::optional<Steps> getSteps(AffineExpr expr) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return Steps{dim.getPosition() == 2, dim.getPosition() == 3};
  if (isa<AffineConstantExpr>(expr))
    return Steps{0, 0};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Steps> x = getSteps(binary.getLHS());
  if (!x)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<Steps> y = getSteps(binary.getRHS());
    return y ? std::optional(Steps{(*x)[0] + (*y)[0], (*x)[1] + (*y)[1]})
             : std::nullopt;
  }
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!by)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return Steps{(*x)[0] * by.getValue(), (*x)[1] * by.getValue()};
  case AffineExprKind::Mod:
    return x;
  case AffineExprKind::FloorDiv:
    return Steps{0, 0};
  default:
    return std::nullopt;
  }
}

std::optional<RectangleAxes> lattn::findRectangle(AffineMap map) {
  std::optional<unsigned> axes[2];
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    std::optional<Steps> steps = getSteps(expr);
    if (!steps)
      return std::nullopt;
    for (unsigned i : {0, 1}) {
      if ((*steps)[i] == 0)
        continue;
      if ((*steps)[i] != 1 || (*steps)[1 - i] != 0 || axes[i])
        return std::nullopt;
      axes[i] = axis;
    }
  }
  if (!axes[0] || !axes[1])
    return std::nullopt;
  return RectangleAxes{*axes[0], *axes[1]};
}

namespace {
/// Values of a map's expressions at the first pair of a tile, and whether none
/// wraps within it.
class Rectangle {
public:
  Rectangle(OpBuilder &b, Location loc, const Coordinates &first,
            Value queryCount, Value keyCount)
      : b(b), loc(loc), dims{first.batch, first.head, first.query, first.key},
        isWhole(arith::ConstantIntOp::create(b, loc, b.getI1Type(), 1)) {
    Value one = constant(1);
    last[0] = b.createOrFold<arith::SubIOp>(loc, queryCount, one);
    last[1] = b.createOrFold<arith::SubIOp>(loc, keyCount, one);
  }

  Value build(AffineExpr expr) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return dims[dim.getPosition()];
    if (auto value = dyn_cast<AffineConstantExpr>(expr))
      return constant(value.getValue());
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Value x = build(binary.getLHS());
    if (expr.getKind() == AffineExprKind::Add)
      return b.createOrFold<arith::AddIOp>(loc, x, build(binary.getRHS()));
    Value by = constant(cast<AffineConstantExpr>(binary.getRHS()).getValue());
    if (expr.getKind() == AffineExprKind::Mul)
      return b.createOrFold<arith::MulIOp>(loc, x, by);
    Value quotient = buildQuotient(x, *getSteps(binary.getLHS()), by);
    if (expr.getKind() == AffineExprKind::FloorDiv)
      return quotient;
    Value start = b.createOrFold<arith::MulIOp>(loc, quotient, by);
    return b.createOrFold<arith::SubIOp>(loc, x, start);
  }
  Value isRectangle() { return isWhole; }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  /// floor(x / by), which must be the same for the least and the greatest x.
  Value buildQuotient(Value x, Steps steps, Value by) {
    Value ends[2] = {x, x};
    for (unsigned i : {0, 1}) {
      if (steps[i] == 0)
        continue;
      Value way =
          b.createOrFold<arith::MulIOp>(loc, last[i], constant(steps[i]));
      Value &end = ends[steps[i] > 0];
      end = b.createOrFold<arith::AddIOp>(loc, end, way);
    }
    Value quotient = b.createOrFold<arith::FloorDivSIOp>(loc, ends[0], by);
    if (steps == Steps{0, 0})
      return quotient;
    Value other = b.createOrFold<arith::FloorDivSIOp>(loc, ends[1], by);
    Value isSame =
        b.createOrFold<arith::CmpIOp>(loc, CmpIPredicate::eq, quotient, other);
    isWhole = b.createOrFold<arith::AndIOp>(loc, isWhole, isSame);
    return quotient;
  }

  OpBuilder &b;
  Location loc;
  Value dims[4], last[2], isWhole;
};
} // namespace

/// `sum` and the gradients (key, query) of a tile. `at` are the first pair's
/// coordinates; `addOthers` adds the pairs one by one.
Value GradTiler::addRectangle(const Coordinates &at, Value keyCount,
                              Value queryCount, Value gradients, Value sum,
                              function_ref<Value()> addOthers) {
  const PairSum &bias = pairSums[0];
  AffineMap biasMap = op.getEffectiveBiasMap();
  Rectangle rectangle(b, loc, at, queryCount, keyCount);
  SmallVector<OpFoldResult> offsets(bias.at.begin(), bias.at.end());
  for (unsigned axis : bias.order)
    offsets.push_back(
        getAsOpFoldResult(rectangle.build(biasMap.getResult(axis))));
  SmallVector<OpFoldResult> sizes(offsets.size(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> extents = {getAsOpFoldResult(keyCount),
                                       getAsOpFoldResult(queryCount)};
  std::copy(extents.begin(), extents.end(), sizes.end() - 2);
  SmallVector<OpFoldResult> ones(offsets.size(), b.getIndexAttr(1));
  auto add = [&](OpBuilder &, Location) {
    SmallVector<OpFoldResult> start(2, b.getIndexAttr(0));
    Value tile = tensor::ExtractSliceOp::create(
        b, loc, gradients, start, extents, ArrayRef(ones).take_front(2));
    auto matrix = RankedTensorType::get(
        cast<RankedTensorType>(tile.getType()).getShape(), type);
    Value part = tensor::ExtractSliceOp::create(b, loc, matrix, sum, offsets,
                                                sizes, ones);
    AffineMap whole = b.getMultiDimIdentityMap(2);
    part = buildGeneric(b, loc, tile, part, {whole, whole},
                        SmallVector(2, utils::IteratorType::parallel),
                        [&](OpBuilder &nested, ValueRange args) -> Value {
                          return arith::AddFOp::create(nested, loc, args[1],
                                                       args[0]);
                        });
    Value next =
        tensor::InsertSliceOp::create(b, loc, part, sum, offsets, sizes, ones);
    scf::YieldOp::create(b, loc, next);
  };
  auto addEach = [&](OpBuilder &, Location) {
    scf::YieldOp::create(b, loc, addOthers());
  };
  return scf::IfOp::create(b, loc, rectangle.isRectangle(), add, addEach)
      .getResult(0);
}

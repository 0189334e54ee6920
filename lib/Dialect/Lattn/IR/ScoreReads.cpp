//===- ScoreReads.cpp - Which elements scores read ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/ScoreReads.h"
#include "OpHelpers.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Indices in a score region
//===----------------------------------------------------------------------===//

/// Coordinates are not negative.
static bool isNotNegative(AffineExpr expr) {
  std::optional<int64_t> lower[] = {0, 0, 0, 0}, upper[4];
  std::optional<int64_t> bound =
      getBoundForAffineExpr(expr, 4, 0, lower, upper, /*isUpper=*/false);
  return bound && *bound >= 0;
}

/// `x` and a constant, of integers that are extended and divided without
/// regard to a sign only where they have none.
static AffineExpr getBinary(Operation *op, AffineExpr x, int64_t n) {
  bool isPower = n >= 0 && n < 31, isDivisor = n > 0;
  bool isMask = n > 0 && llvm::isPowerOf2_64(n + 1), plain = isNotNegative(x);
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::MulIOp) { return x * n; })
      .Case([&](arith::FloorDivSIOp) {
        return isDivisor ? x.floorDiv(n) : AffineExpr();
      })
      .Case([&](arith::CeilDivSIOp) {
        return isDivisor ? x.ceilDiv(n) : AffineExpr();
      })
      .Case([&](arith::ShRSIOp) {
        return isPower ? x.floorDiv(int64_t(1) << n) : AffineExpr();
      })
      .Case([&](arith::ShLIOp) {
        return isPower ? x * (int64_t(1) << n) : AffineExpr();
      })
      .Case([&](arith::AndIOp) { return isMask ? x % (n + 1) : AffineExpr(); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto) {
        return isDivisor && plain ? x.floorDiv(n) : AffineExpr();
      })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return isDivisor && plain ? x % n : AffineExpr(); })
      .Case([&](arith::ShRUIOp) {
        return isPower && plain ? x.floorDiv(int64_t(1) << n) : AffineExpr();
      })
      .Default([](Operation *) { return AffineExpr(); });
}

/// `index`, which `user` reads, as a function of (batch, head, query, key), or
/// null. The verifier asks before the region's ops are verified.
static AffineExpr getIndex(Value index, Operation *user) {
  MLIRContext *context = index.getContext();
  if (auto argument = dyn_cast<BlockArgument>(index)) {
    unsigned number = argument.getArgNumber();
    return argument.getOwner() == user->getBlock() && number >= 1 && number <= 4
               ? getAffineDimExpr(number - 1, context)
               : AffineExpr();
  }
  Operation *op = index.getDefiningOp();
  if (op->getBlock() != user->getBlock() || !op->isBeforeInBlock(user))
    return {};
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto number = dyn_cast_or_null<IntegerAttr>(constant.getProperties().value);
    return number ? getAffineConstantExpr(number.getInt(), context)
                  : AffineExpr();
  }
  bool isCast = isa<arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastOp,
                    arith::IndexCastUIOp, arith::TruncIOp>(op);
  if (op->getNumOperands() != (isCast ? 1 : 2))
    return {};
  AffineExpr x = getIndex(op->getOperand(0), op);
  if (!x)
    return {};
  if (isCast)
    return !isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) || isNotNegative(x)
               ? x
               : AffineExpr();
  AffineExpr y = getIndex(op->getOperand(1), op);
  if (!y)
    return {};
  if (isa<arith::AddIOp>(op))
    return x + y;
  if (isa<arith::SubIOp>(op))
    return x - y;
  if (isa<arith::MulIOp>(op) && isa<AffineConstantExpr>(x))
    std::swap(x, y);
  auto constant = dyn_cast<AffineConstantExpr>(y);
  return constant ? getBinary(op, x, constant.getValue()) : AffineExpr();
}

SmallVector<ScoreRead> lattn::getScoreReads(AttentionOpInterface op) {
  SmallVector<ScoreRead> reads;
  if (AffineMapAttr map = op.getBiasMapAttr())
    for (auto [axis, index] : llvm::enumerate(map.getValue().getResults()))
      reads.push_back({op.getBias(), static_cast<unsigned>(axis), index,
                       ("axis " + Twine(axis) + " of bias").str()});
  if (op.getScore().empty())
    return reads;
  constexpr unsigned firstCapture = 5;
  for (Operation &read : op.getScore().front()) {
    if (!isa<tensor::ExtractOp, memref::LoadOp>(read))
      continue;
    unsigned number =
        cast<BlockArgument>(read.getOperand(0)).getArgNumber() - firstCapture;
    if (number >= op.getCaptures().size())
      continue;
    auto array = cast<ShapedType>(op.getCaptures()[number].getType());
    for (auto [axis, value] :
         llvm::enumerate(read.getOperands().drop_front())) {
      AffineExpr index = getIndex(value, &read);
      if (index && int64_t(axis) < array.getRank())
        reads.push_back(
            {op.getCaptures()[number], static_cast<unsigned>(axis), index,
             ("axis " + Twine(axis) + " of captured array " + Twine(number))
                 .str()});
    }
  }
  return reads;
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// The least value of `expr`, of coordinates in [0, extents).
static std::optional<int64_t> getLeast(AffineExpr expr,
                                       ArrayRef<int64_t> extents) {
  unsigned dims = extents.size();
  SmallVector<int64_t> row;
  FlatLinearConstraints set;
  if (failed(getFlattenedAffineExpr(expr, dims, 0, &row, &set)))
    return std::nullopt;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    set.addBound(presburger::BoundType::LB, dim, int64_t(0));
    set.addBound(presburger::BoundType::UB, dim, extent - 1);
  }
  // The value is the first variable of all.
  set.insertDimVar(0);
  row.insert(row.begin(), -1);
  set.addEquality(row);
  auto least = set.findIntegerLexMin();
  return least.isBounded() ? std::optional(int64_t((*least)[0])) : std::nullopt;
}

LogicalResult lattn::verifyScoreReads(AttentionOpInterface op,
                                      ArrayRef<int64_t> extents) {
  if (!op.getOrigin().empty() ||
      llvm::any_of(extents, [](int64_t extent) { return extent <= 0; }))
    return success();
  for (const ScoreRead &read : getScoreReads(op)) {
    int64_t size = cast<ShapedType>(read.array.getType()).getDimSize(read.axis);
    if (ShapedType::isDynamic(size))
      continue;
    std::optional<int64_t> least = getLeast(read.index, extents);
    std::optional<int64_t> most = getLeast(-read.index, extents);
    if (least && most && (*least < 0 || -*most >= size))
      return op->emitOpError() << "expected every index of " << read.what
                               << " to be at least 0 and below " << size
                               << ", got " << *least << " to " << -*most;
  }
  return success();
}

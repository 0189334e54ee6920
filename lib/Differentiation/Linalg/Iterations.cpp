//===- Iterations.cpp - Iterations of a linalg op -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Iterations.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using utils::IteratorType;

Combination lattn::getCombination(linalg::LinalgOp op, unsigned result) {
  if (op.getNumReductionLoops() == 0)
    return {Combination::Single};
  BlockArgument before = op.getRegionOutputArgs()[result];
  Value yielded = op.getBlock()->getTerminator()->getOperand(result);
  if (yielded == before)
    return {Combination::Sum}; // of no terms
  Operation *last = yielded.getDefiningOp();
  if (!last || !before.hasOneUse() || *before.user_begin() != last)
    return {};
  if (isa<arith::AddFOp>(last) ||
      (isa<arith::SubFOp, math::FmaOp>(last) &&
       last->getOperand(isa<math::FmaOp>(last) ? 2 : 0) == before))
    return {Combination::Sum};
  if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
          arith::MinNumFOp>(last))
    return {Combination::Extreme,
            last->getOperand(last->getOperand(0) == before ? 1 : 0)};
  return {};
}

bool lattn::isPermutation(linalg::LinalgOp op, AffineMap map) {
  return op.getNumReductionLoops() == 0 && map.isPermutation();
}

Iterations::Iterations(linalg::LinalgOp op) : op(op) {
  for (OpOperand &operand : op->getOpOperands()) {
    bool starts = op.isDpsInit(&operand) && op.getNumReductionLoops();
    if (starts || !op.payloadUsesValueFromOperand(&operand))
      places.push_back(std::nullopt);
    else
      places.push_back(
          read(operand.get(), op.getMatchingIndexingMap(&operand)));
  }
  // Extents that only operands which the body does not use tell.
  for (OpOperand &operand : op->getOpOperands())
    if (maps.empty() ||
        !inversePermutation(concatAffineMaps(maps, op.getContext())))
      read(operand.get(), op.getMatchingIndexingMap(&operand));
}

SmallVector<Value> Iterations::getArguments(OpBuilder &b, ValueRange elements) {
  SmallVector<Value> arguments(op.getBlock()->getNumArguments());
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned argument = op.getMatchingBlockArgument(&operand).getArgNumber();
    if (auto place = places[operand.getOperandNumber()])
      arguments[argument] = elements[*place];
    else
      arguments[argument] = arith::ConstantOp::create(
          b, op.getLoc(),
          b.getZeroAttr(getElementTypeOrSelf(operand.get().getType())));
  }
  return arguments;
}

/// A loop is parallel where its index is one of the array's.
static SmallVector<IteratorType> getIterators(AffineMap map) {
  SmallVector<IteratorType> kinds(map.getNumDims(), IteratorType::reduction);
  for (AffineExpr index : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(index))
      kinds[dim.getPosition()] = IteratorType::parallel;
  return kinds;
}

FailureOr<Value> Iterations::build(OpBuilder &b, Value start, AffineMap map,
                                   Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(map);
  bool isMade = true;
  auto made = linalg::GenericOp::create(
      b, op.getLoc(), start.getType(), inputs, start, all, getIterators(map),
      [&](OpBuilder &nested, Location loc, ValueRange elements) {
        ValueRange inputs = elements.drop_back();
        FailureOr<Value> value =
            body(nested, inputs, getArguments(nested, inputs), elements.back());
        isMade = succeeded(value);
        linalg::YieldOp::create(nested, loc, isMade ? *value : elements.back());
      });
  if (!isMade)
    return failure();
  return made.getResult(0);
}

FailureOr<SmallVector<Value>>
Iterations::buildLoops(OpBuilder &b, ValueRange starts, LoopBody body) {
  Location loc = op.getLoc();
  SmallVector<Value> lower, upper, steps;
  for (const Range &range : op.createLoopRanges(b, loc)) {
    lower.push_back(getValueOrCreateConstantIndexOp(b, loc, range.offset));
    upper.push_back(getValueOrCreateConstantIndexOp(b, loc, range.size));
    steps.push_back(getValueOrCreateConstantIndexOp(b, loc, range.stride));
  }
  bool isMade = true;
  auto buildBody = [&](OpBuilder &nested, Location, ValueRange indices,
                       ValueRange arrays) -> scf::ValueVector {
    SmallVector<Value> elements;
    for (auto [input, map] : llvm::zip_equal(inputs, maps)) {
      if (!isa<TensorType>(input.getType())) {
        elements.push_back(input);
        continue;
      }
      SmallVector<Value> place;
      for (unsigned i = 0; i < map.getNumResults(); ++i)
        place.push_back(affine::AffineApplyOp::create(
            nested, loc, map.getSubMap({i}), indices));
      elements.push_back(tensor::ExtractOp::create(nested, loc, input, place));
    }
    FailureOr<SmallVector<Value>> made =
        body(nested, elements, getArguments(nested, elements), arrays);
    isMade = succeeded(made);
    for (linalg::IndexOp index : llvm::make_early_inc_range(
             nested.getInsertionBlock()->getOps<linalg::IndexOp>())) {
      index.replaceAllUsesWith(indices[index.getDim()]);
      index.erase();
    }
    return isMade ? scf::ValueVector(*made)
                  : scf::ValueVector(arrays.begin(), arrays.end());
  };
  scf::LoopNest nest =
      scf::buildLoopNest(b, loc, lower, upper, steps, starts, buildBody);
  if (!isMade)
    return failure();
  return SmallVector<Value>(nest.results);
}

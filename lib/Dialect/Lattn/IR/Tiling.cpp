//===- Tiling.cpp - What the tiling interfaces of several ops share -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace lattn;

SmallVector<OpFoldResult> lattn::getMixedExtents(OpBuilder &b, Location loc,
                                                 Value shaped) {
  if (isa<RankedTensorType>(shaped.getType()))
    return tensor::getMixedSizes(b, loc, shaped);
  return memref::getMixedSizes(b, loc, shaped);
}

Value lattn::sliceOf(OpBuilder &b, Location loc, Value shaped,
                     ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes,
                     SmallVectorImpl<Operation *> &slices) {
  if (llvm::all_of(offsets, isZeroInteger) &&
      getMixedExtents(b, loc, shaped) == SmallVector<OpFoldResult>(sizes))
    return shaped;
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  Operation *slice;
  if (isa<RankedTensorType>(shaped.getType()))
    slice =
        tensor::ExtractSliceOp::create(b, loc, shaped, offsets, sizes, strides);
  else
    slice = memref::SubViewOp::create(b, loc, shaped, offsets, sizes, strides);
  slices.push_back(slice);
  return slice->getResult(0);
}

/// Whether `value` is provably a multiple of `factor`: a constant, an affine
/// function or a loop's induction variable that can be nothing else.
static bool isMultipleOf(OpFoldResult value, int64_t factor) {
  if (factor == 1)
    return true;
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return *constant % factor == 0;
  auto ssa = cast<Value>(value);
  if (auto apply = ssa.getDefiningOp<affine::AffineApplyOp>())
    return apply.getAffineMap().getResult(0).isMultipleOf(factor);
  auto argument = dyn_cast<BlockArgument>(ssa);
  auto loop =
      argument
          ? dyn_cast<LoopLikeOpInterface>(argument.getOwner()->getParentOp())
          : nullptr;
  if (!loop)
    return false;
  std::optional<SmallVector<Value>> variables = loop.getLoopInductionVars();
  std::optional<SmallVector<OpFoldResult>> bounds = loop.getLoopLowerBounds();
  std::optional<SmallVector<OpFoldResult>> steps = loop.getLoopSteps();
  if (!variables || !bounds || !steps)
    return false;
  for (auto [variable, bound, step] : llvm::zip(*variables, *bounds, *steps))
    if (variable == ssa)
      return isMultipleOf(bound, factor) && isMultipleOf(step, factor);
  return false;
}

/// The bounds of affine.max are not among those that ValueBoundsOpInterface
/// gives.
bool lattn::isAtMostOne(OpFoldResult extent) {
  if (std::optional<int64_t> constant = getConstantIntValue(extent))
    return *constant <= 1;
  auto value = cast<Value>(extent);
  auto isSmall = [](AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return constant && constant.getValue() <= 1;
  };
  if (auto min = value.getDefiningOp<affine::AffineMinOp>())
    return llvm::any_of(min.getMap().getResults(), isSmall);
  auto max = value.getDefiningOp<affine::AffineMaxOp>();
  return max && llvm::all_of(max.getMap().getResults(), [&](AffineExpr expr) {
           if (auto dim = dyn_cast<AffineDimExpr>(expr))
             return isAtMostOne(max.getDimOperands()[dim.getPosition()]);
           if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
             return isAtMostOne(max.getSymbolOperands()[symbol.getPosition()]);
           return isSmall(expr);
         });
}

FailureOr<HeadTile> lattn::getKvHeadTile(OpBuilder &b, Operation *op,
                                         OpFoldResult heads,
                                         OpFoldResult kvHeads,
                                         OpFoldResult offset,
                                         OpFoldResult size) {
  Location loc = op->getLoc();
  if (heads == size) // not tiled along heads
    return HeadTile{b.getIndexAttr(0), kvHeads};
  std::optional<int64_t> h = getConstantIntValue(heads),
                         kv = getConstantIntValue(kvHeads),
                         n = getConstantIntValue(size);
  std::optional<int64_t> group;
  if (h && kv && *kv > 0)
    group = *h / *kv;
  if (group == 1)
    return HeadTile{offset, size};
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  bool aligned =
      group && n && *n > 0 && isMultipleOf(offset, std::min(*group, *n));
  if (aligned && *n % *group == 0)
    return HeadTile{affine::makeComposedFoldedAffineApply(
                        b, loc, s0.floorDiv(*group), {offset}),
                    b.getIndexAttr(*n / *group)};
  if (aligned && *group % *n == 0)
    return HeadTile{affine::makeComposedFoldedAffineApply(
                        b, loc, s0.floorDiv(*group), {offset}),
                    b.getIndexAttr(1)};
  if (isAtMostOne(size)) {
    auto value = [&](OpFoldResult ofr) {
      return getValueOrCreateConstantIndexOp(b, loc, ofr);
    };
    Value head =
        buildKvHead(b, loc, value(offset), value(heads), value(kvHeads));
    return HeadTile{getAsOpFoldResult(head), b.getIndexAttr(1)};
  }
  op->emitOpError("cannot be tiled to several heads at a time unless the tile "
                  "and where it starts divide or are multiples of the number "
                  "of query heads per key head, all known");
  return failure();
}

OpFoldResult lattn::addIndices(OpBuilder &b, Location loc, OpFoldResult lhs,
                               OpFoldResult rhs) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  return affine::makeComposedFoldedAffineApply(b, loc, s0 + s1, {lhs, rhs});
}

SmallVector<Value> lattn::getTileOrigin(OpBuilder &b, AttentionOpInterface op,
                                        const OpFoldResult (&tile)[4]) {
  SmallVector<Value> origin;
  for (unsigned i = 0; i < 4; ++i) {
    OpFoldResult at = tile[i];
    if (!op.getOrigin().empty())
      at = addIndices(b, op->getLoc(), at, OpFoldResult(op.getOrigin()[i]));
    origin.push_back(getValueOrCreateConstantIndexOp(b, op->getLoc(), at));
  }
  return origin;
}

//===- MergeBranches.cpp - Branches whose results are one array -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's bufferization lets the host choose which array a result is. If
// the condition is in the GPU's memory, the host cannot.

#include "HostBranches.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNMERGEBRANCHESPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Moves before the branch what `end`, of one of its sides, ends with.
static void hoist(RewriterBase &rewriter, scf::IfOp op, scf::YieldOp end) {
  Block *side = end->getBlock();
  llvm::SmallPtrSet<Operation *, 8> wanted = {end};
  for (Operation &inner : llvm::reverse(*side))
    if (wanted.contains(&inner))
      for (Value operand : inner.getOperands())
        if (Operation *made = operand.getDefiningOp())
          wanted.insert(made);
  for (Operation &inner :
       llvm::make_early_inc_range(side->without_terminator()))
    if (wanted.contains(&inner) && isHarmless(&inner) &&
        llvm::none_of(inner.getOperands(), [&](Value operand) {
          return side->getParent()->isAncestor(operand.getParentRegion());
        }))
      rewriter.moveOpBefore(&inner, op);
}

static Value skipCasts(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  return value;
}

static memref::AllocOp getAlloc(Value value) {
  return skipCasts(value).getDefiningOp<memref::AllocOp>();
}

/// All uses of the memory of `value`, but not those that make views of it.
static SmallVector<OpOperand *> getUsesOfMemory(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  SmallVector<Value> aliases = {value};
  SmallVector<OpOperand *> uses;
  while (!aliases.empty())
    for (OpOperand &use : aliases.pop_back_val().getUses())
      if (isa<ViewLikeOpInterface>(use.getOwner()))
        aliases.push_back(use.getOwner()->getResult(0));
      else if (!isa<memref::DimOp>(use.getOwner()))
        uses.push_back(&use);
  return uses;
}

/// Whether only the branch uses the array, and only this result.
static bool isFresh(scf::IfOp op, Value value) {
  return getAlloc(value) &&
         llvm::all_of(getUsesOfMemory(value),
                      [&](OpOperand *use) {
                        Operation *user = use->getOwner();
                        return op->isProperAncestor(user) &&
                               (!isa<scf::YieldOp>(user) ||
                                user->getParentOp() != op ||
                                use->get() == value);
                      }) &&
         llvm::count(op.thenYield().getOperands(), value) +
                 llvm::count(op.elseYield().getOperands(), value) ==
             1;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Whether both are computed from the same values in the same way.
static bool isSameNumber(Value first, Value second) {
  if (first == second)
    return true;
  Operation *a = first.getDefiningOp(), *b = second.getDefiningOp();
  return a && b && isPure(a) && a->getName() == b->getName() &&
         a->getAttrDictionary() == b->getAttrDictionary() &&
         a->getNumRegions() == 0 &&
         cast<OpResult>(first).getResultNumber() ==
             cast<OpResult>(second).getResultNumber() &&
         llvm::equal(a->getOperands(), b->getOperands(), isSameNumber);
}

/// The extent of `array` along `axis`, if it is an allocation; null of others.
static OpFoldResult getSize(Value array, int64_t axis) {
  memref::AllocOp alloc = getAlloc(array);
  return alloc ? alloc.getMixedSizes()[axis] : OpFoldResult();
}

static bool haveSameSizes(Value first, Value second) {
  auto type = cast<MemRefType>(first.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    OpFoldResult a = getSize(first, axis), b = getSize(second, axis);
    if (!a && !b)
      return false;
    if (a && b) {
      auto x = dyn_cast<Value>(a), y = dyn_cast<Value>(b);
      if (x && y ? !isSameNumber(x, y) : !isEqualConstantIntOrValue(a, b))
        return false;
      continue;
    }
    // An array from elsewhere, after which the other one is sized.
    auto size = dyn_cast<Value>(a ? a : b);
    auto dim = size ? size.getDefiningOp<memref::DimOp>() : memref::DimOp();
    if (!dim || dim.getSource() != (a ? second : first) ||
        dim.getConstantIndex() != axis)
      return false;
  }
  return true;
}

/// Makes the program check that the arrays have the same sizes.
static void checkSizes(RewriterBase &rewriter, scf::IfOp op, Value first,
                       Value second) {
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto type = cast<MemRefType>(first.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!type.isDynamicDim(axis))
      continue;
    auto getSize = [&](Value array) -> Value {
      return memref::DimOp::create(rewriter, loc, array, axis);
    };
    Value same = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                       getSize(first), getSize(second));
    cf::AssertOp::create(rewriter, loc, same,
                         "expected results of the same sizes from both sides "
                         "of a branch by what the GPU computes");
  }
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static bool isBefore(scf::IfOp op, Value value) {
  return !op->isAncestor(value.getParentRegion()->getParentOp());
}

/// The copy of a result to `target`, which the branch may do itself; null if
/// another array is better. `side` is the one that does not end with `target`.
static memref::CopyOp findCopy(scf::IfOp op, OpResult result, Value target,
                               Region &side) {
  if (!result.hasOneUse() || !isBefore(op, target))
    return {};
  auto copy = dyn_cast<memref::CopyOp>(*result.user_begin());
  if (!copy || copy.getTarget() != target || copy->getBlock() != op->getBlock())
    return {};
  llvm::SmallPtrSet<Operation *, 8> users;
  for (OpOperand *use : getUsesOfMemory(target)) {
    if (side.isAncestor(use->getOwner()->getParentRegion()))
      return {};
    users.insert(use->getOwner());
  }
  for (Operation *at = op->getNextNode(); at != copy; at = at->getNextNode())
    if (users.contains(at) ||
        (!isa<memref::CopyOp>(at) && !isMemoryEffectFree(at)))
      return {};
  return copy;
}

/// A copy of the result that follows the branch, and the array that it writes,
/// if the branch may write there instead.
static std::pair<memref::CopyOp, Value> findCopy(scf::IfOp op, OpResult result,
                                                 Value first, Value second) {
  for (auto [target, side] : {std::pair(first, &op.getElseRegion()),
                              std::pair(second, &op.getThenRegion())})
    if (memref::CopyOp copy = findCopy(op, result, target, *side))
      return {copy, target};
  return {};
}

/// Whether both may be one array. If they are copied to an array, they have its
/// sizes. What the GPU decides is checked when it runs.
static bool canMerge(scf::IfOp op, OpResult result, Value first, Value second) {
  return skipCasts(first) == skipCasts(second) ||
         findCopy(op, result, first, second).first ||
         haveSameSizes(first, second) || getCondition(op);
}

/// The array for a result that is `first` or `second`.
static Value chooseTarget(RewriterBase &rewriter, scf::IfOp op, OpResult result,
                          Value first, Value second) {
  if (skipCasts(first) == skipCasts(second))
    return first;
  if (auto [copy, target] = findCopy(op, result, first, second); copy) {
    rewriter.eraseOp(copy);
    return target;
  }
  if (!haveSameSizes(first, second))
    checkSizes(rewriter, op, first, second);
  if (isFresh(op, first))
    return first;
  if (isFresh(op, second))
    return second;
  auto type = cast<MemRefType>(first.getType());
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(
          memref::DimOp::create(rewriter, op.getLoc(), first, axis));
  Value target = memref::AllocOp::create(
      rewriter, op.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), sizes);
  return rewriter.createOrFold<memref::CastOp>(op.getLoc(), type, target);
}

/// Makes `value`, which a side ends with, the numbers of `target`: the array
/// itself, if it is the side's own, or a copy at its end.
static void write(RewriterBase &rewriter, scf::IfOp op, Operation *end,
                  Value value, Value target) {
  if (isFresh(op, value)) {
    memref::AllocOp own = getAlloc(value);
    memref::AllocOp other = getAlloc(target);
    Value array = other ? other.getResult() : target;
    if (own.getType() == array.getType())
      return rewriter.replaceOp(own, array);
  }
  rewriter.setInsertionPoint(end);
  memref::CopyOp::create(rewriter, op.getLoc(), value, target);
}

/// Makes the results of `op` arrays from before it.
static void mergeResults(RewriterBase &rewriter, scf::IfOp op) {
  if (!llvm::all_of(op.getResultTypes(), llvm::IsaPred<MemRefType>))
    return;
  scf::YieldOp ends[] = {op.thenYield(), op.elseYield()};
  for (OpResult result : op->getResults()) {
    unsigned i = result.getResultNumber();
    if (!canMerge(op, result, ends[0].getOperand(i), ends[1].getOperand(i)))
      return;
  }
  for (scf::YieldOp end : ends) {
    hoist(rewriter, op, end);
    if (!llvm::all_of(end.getOperands(),
                      [&](Value value) { return isBefore(op, value); }))
      return;
  }
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    Value first = ends[0].getOperand(i), second = ends[1].getOperand(i);
    Value target = chooseTarget(rewriter, op, op->getResult(i), first, second);
    for (auto [end, value] : {std::pair(ends[0], first), {ends[1], second}})
      if (skipCasts(value) != skipCasts(target))
        write(rewriter, op, end, value, target);
    rewriter.replaceAllUsesWith(op.getResult(i), target);
  }
  rewriter.setInsertionPoint(op);
  auto made = scf::IfOp::create(rewriter, op.getLoc(), TypeRange(),
                                op.getCondition(), /*withElse=*/true);
  for (auto [from, to] : llvm::zip(op->getRegions(), made->getRegions())) {
    rewriter.eraseOp(from.front().getTerminator());
    rewriter.inlineBlockBefore(&from.front(), to.front().getTerminator());
  }
  rewriter.eraseOp(op);
}

namespace {
struct MergeBranches : lattn::impl::LattnMergeBranchesPassBase<MergeBranches> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (scf::IfOp op : findBranches(getOperation()))
      if (op.getNumResults())
        mergeResults(rewriter, op);
  }
};
} // namespace

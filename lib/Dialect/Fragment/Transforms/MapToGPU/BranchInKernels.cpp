//===- BranchInKernels.cpp - Branches by numbers in a GPU's memory --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The host would have to wait for the GPU to know such a condition. So it
// launches the kernels of both sides, and each kernel reads the condition.
// Upstream has no pass for it.

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNMERGEBRANCHESPASS
#define GEN_PASS_DEF_LATTNBRANCHINKERNELSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

static bool isOnHost(scf::IfOp op) {
  return !op->getParentOfType<gpu::LaunchOp>() &&
         !op->getParentOfType<gpu::GPUModuleOp>() &&
         !op->getParentOfType<scf::ForallOp>() &&
         !op->getParentOfType<scf::ParallelOp>();
}

/// What reads the condition of a branch; null if it is not in memory.
static memref::LoadOp getCondition(scf::IfOp op) {
  auto load = op.getCondition().getDefiningOp<memref::LoadOp>();
  if (!load || llvm::any_of(load.getMemRef().getUsers(), [&](Operation *user) {
        return op->isProperAncestor(user);
      }))
    return {};
  return load;
}

/// The branches of a function's host, inner ones first.
static SmallVector<scf::IfOp> findBranches(Operation *root) {
  SmallVector<scf::IfOp> found;
  root->walk([&](scf::IfOp op) {
    if (isOnHost(op))
      found.push_back(op);
  });
  return found;
}

/// Whether `op` divides by a number that is at least 1.
static bool isSafeDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  Operation *divisor = op->getOperand(1).getDefiningOp();
  return isa_and_nonnull<arith::MaxSIOp, arith::MaxUIOp>(divisor) &&
         llvm::any_of(divisor->getOperands(), [](Value least) {
           return getConstantIntValue(least).value_or(0) > 0;
         });
}

/// Whether the host may do it though the branch is not taken.
static bool isHarmless(Operation *op) {
  return isa<memref::AllocOp>(op) || isSafeDivision(op) ||
         (isPure(op) && !op->getNumRegions());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

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

static memref::AllocOp getAlloc(Value value) {
  while (auto cast = value.getDefiningOp<memref::CastOp>())
    value = cast.getSource();
  return value.getDefiningOp<memref::AllocOp>();
}

/// Whether only the branch uses the array, and only this result.
static bool isFresh(scf::IfOp op, Value value) {
  memref::AllocOp alloc = getAlloc(value);
  if (!alloc)
    return false;
  SmallVector<Value> aliases = {alloc.getResult()};
  while (!aliases.empty())
    for (OpOperand &use : aliases.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<ViewLikeOpInterface, CastOpInterface>(user))
        aliases.append(user->result_begin(), user->result_end());
      else if (!op->isProperAncestor(user) ||
               (isa<scf::YieldOp>(user) && user->getParentOp() == op &&
                user->getOperand(use.getOperandNumber()) != value))
        return false;
    }
  return llvm::count(op.thenYield().getOperands(), value) +
             llvm::count(op.elseYield().getOperands(), value) ==
         1;
}

/// The copy of a result to `target`, which the branch may do itself; null if
/// another array is better. `side` is the one that does not end with `target`.
static memref::CopyOp findCopy(scf::IfOp op, OpResult result, Value target,
                               Region &side) {
  if (!result.hasOneUse() || llvm::any_of(target.getUsers(), [&](Operation *u) {
        return side.isAncestor(u->getParentRegion());
      }))
    return {};
  auto copy = dyn_cast<memref::CopyOp>(*result.user_begin());
  if (!copy || copy.getTarget() != target || copy->getBlock() != op->getBlock())
    return {};
  for (Operation *at = op->getNextNode(); at != copy; at = at->getNextNode())
    if (!isa<memref::CopyOp>(at) && !isMemoryEffectFree(at))
      return {};
  return copy;
}

/// The array for a result that is `first` or `second`.
static Value chooseTarget(RewriterBase &rewriter, scf::IfOp op, OpResult result,
                          Value first, Value second) {
  if (first == second)
    return first;
  for (auto [target, side] : {std::pair(first, &op.getElseRegion()),
                              std::pair(second, &op.getThenRegion())})
    if (memref::CopyOp copy = findCopy(op, result, target, *side)) {
      rewriter.eraseOp(copy);
      return target;
    }
  if (isFresh(op, first))
    return first;
  if (isFresh(op, second))
    return second;
  auto type = cast<MemRefType>(first.getType());
  rewriter.setInsertionPoint(op);
  SmallVector<Value> sizes;
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
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
  for (scf::YieldOp end : ends)
    hoist(rewriter, op, end);
  auto isBefore = [&](Value value) {
    return !op->isAncestor(value.getParentRegion()->getParentOp());
  };
  for (scf::YieldOp end : ends)
    if (!llvm::all_of(end.getOperands(), isBefore))
      return;
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    Value first = ends[0].getOperand(i), second = ends[1].getOperand(i);
    Value target = chooseTarget(rewriter, op, op->getResult(i), first, second);
    for (auto [end, value] : {std::pair(ends[0], first), {ends[1], second}})
      if (value != target)
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

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether all that `block` does to memory is done by kernels.
static bool hasKernelsOnly(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    if (isa<gpu::LaunchOp, memref::DeallocOp>(op) || isHarmless(&op))
      return true;
    return isa<scf::IfOp, scf::ForOp>(op) &&
           llvm::all_of(op.getRegions(), [](Region &region) {
             return region.empty() || hasKernelsOnly(region.front());
           });
  });
}

/// Puts the body of `launch` into a branch by the number that `load` reads.
static void guard(RewriterBase &rewriter, gpu::LaunchOp launch,
                  memref::LoadOp load, bool expected) {
  Location loc = launch.getLoc();
  Block &body = launch.getBody().front();
  Operation *end = body.getTerminator();
  rewriter.setInsertionPointToStart(&body);
  Value condition = rewriter.clone(*load)->getResult(0);
  if (!expected)
    condition = arith::XOrIOp::create(
        rewriter, loc, condition,
        arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true)));
  auto branch = scf::IfOp::create(rewriter, loc, condition);
  Block *inner = branch.thenBlock();
  inner->getOperations().splice(inner->begin(), body.getOperations(),
                                std::next(branch->getIterator()),
                                end->getIterator());
}

static void sink(RewriterBase &rewriter, scf::IfOp op) {
  memref::LoadOp load = getCondition(op);
  for (Region &region : op->getRegions())
    if (!region.empty() && !hasKernelsOnly(region.front()))
      return; // lattn-check-host reports it
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    region.walk([&](gpu::LaunchOp launch) {
      guard(rewriter, launch, load, &region == &op.getThenRegion());
    });
    rewriter.eraseOp(region.front().getTerminator());
    rewriter.inlineBlockBefore(&region.front(), op);
  }
  rewriter.eraseOp(op);
  if (load.use_empty())
    rewriter.eraseOp(load);
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

struct BranchInKernels
    : lattn::impl::LattnBranchInKernelsPassBase<BranchInKernels> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (scf::IfOp op : findBranches(getOperation()))
      if (op.getNumResults() == 0 && getCondition(op))
        sink(rewriter, op);
  }
};
} // namespace

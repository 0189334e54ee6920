//===- BranchTensorMaps.cpp - A kernel with tensor maps and one without ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Pointers and strides are known at the launch only. Tensor maps do not take
// all of them: the fallback is a kernel of its own, with tiles of its own.

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Pages.h"
#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNBRANCHTENSORMAPSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Where a bias's gradient has kernels of single warps alone: which result it
/// is. The op then comes once more for it, beside the branch.
static std::optional<unsigned> getBiasGradient(AttentionOp) { return {}; }
static std::optional<unsigned> getBiasGradient(AttentionGradOp op) {
  if (!op.getDBias())
    return {};
  return op.getTiedOpResult(&op.getDBiasMutable()[0]).getResultNumber();
}

/// `op` twice: with its own tile sizes where tensor maps support its arrays,
/// and with those of the fallback elsewhere.
template <typename Op> static void branch(RewriterBase &b, Op op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  std::optional<unsigned> ofBias = getBiasGradient(op);
  Value biasGradient;
  if (ofBias) {
    auto copy = cast<Op>(b.clone(*op));
    copy.setScheduleAttr(schedule.getFallback());
    biasGradient = copy->getResult(*ofBias);
  }
  Value fits = fragment::ReachableOp::create(b, loc, b.getI1Type());
  auto build = [&](ScheduleAttr part) {
    return [&, part](OpBuilder &nested, Location) {
      auto copy = cast<Op>(nested.clone(*op));
      copy.setScheduleAttr(part);
      SmallVector<Value> results(copy->getResults());
      if (ofBias)
        results.erase(results.begin() + *ofBias);
      scf::YieldOp::create(nested, loc, results);
    };
  };
  auto choice =
      scf::IfOp::create(b, loc, fits, build(schedule.withFallback({})),
                        build(schedule.getFallback()));
  SmallVector<Value> results(choice.getResults());
  if (ofBias)
    results.insert(results.begin() + *ofBias, biasGradient);
  b.replaceOp(op, results);
}

/// The ops whose schedule has a fallback.
template <typename Op> static SmallVector<Op> getOps(Operation *root) {
  SmallVector<Op> ops;
  root->walk([&](Op op) {
    if (ScheduleAttr schedule = op.getScheduleAttr();
        schedule && schedule.getFallback())
      ops.push_back(op);
  });
  return ops;
}

namespace {
struct BranchTensorMaps
    : lattn::impl::LattnBranchTensorMapsPassBase<BranchTensorMaps> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    branchAll<AttentionOp>(rewriter);
    branchAll<AttentionGradOp>(rewriter);
  }

private:
  template <typename Op> void branchAll(RewriterBase &rewriter) {
    for (Op op : getOps<Op>(getOperation())) {
      // A map's box would cross the border of two packed sequences, and a map
      // has no page.
      if (getPaddedSequences(op.getQuery()) ||
          getPaddedSequences(op.getKey()) || getGatheredPages(op.getKey()))
        op.setScheduleAttr(op.getScheduleAttr().getFallback());
      else
        branch(rewriter, op);
    }
  }
};
} // namespace

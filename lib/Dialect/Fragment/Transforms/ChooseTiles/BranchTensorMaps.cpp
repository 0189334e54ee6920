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

static void branch(RewriterBase &b, AttentionOp op) {
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value fits = fragment::ReachableOp::create(b, loc, b.getI1Type());
  ScheduleAttr schedule = op.getScheduleAttr();
  auto build = [&](ScheduleAttr part) {
    return [&, part](OpBuilder &nested, Location) {
      auto copy = cast<AttentionOp>(nested.clone(*op));
      copy.setScheduleAttr(part);
      scf::YieldOp::create(nested, loc, copy->getResults());
    };
  };
  auto choice =
      scf::IfOp::create(b, loc, fits, build(schedule.withFallback({})),
                        build(schedule.getFallback()));
  b.replaceOp(op, choice.getResults());
}

namespace {
struct BranchTensorMaps
    : lattn::impl::LattnBranchTensorMapsPassBase<BranchTensorMaps> {
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      ScheduleAttr fallback = op.getEffectiveSchedule().getFallback();
      // A map's box would cross the border of two packed sequences, and a map
      // has no page.
      if (fallback &&
          (getPaddedSequences(op.getQuery()) ||
           getPaddedSequences(op.getKey()) || getGatheredPages(op.getKey())))
        op.setScheduleAttr(fallback);
      else if (fallback)
        branch(rewriter, op);
    }
  }
};
} // namespace

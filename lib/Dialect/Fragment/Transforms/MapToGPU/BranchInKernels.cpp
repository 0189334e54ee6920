//===- BranchInKernels.cpp - Branches by what the GPU computes ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The host would have to wait for the GPU to know such a condition. So it
// launches the kernels of both sides, and each kernel reads the condition.
// Upstream has no pass for it.

#include "HostBranches.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNBRANCHINKERNELSPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

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

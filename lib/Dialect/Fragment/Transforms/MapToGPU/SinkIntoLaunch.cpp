//===- SinkIntoLaunch.cpp - What a kernel can compute for itself ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's gpu-launch-sink-index-computations sinks a few kinds of ops only;
// a kernel that takes nothing but its function's arguments can be called by
// hand.

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNSINKINTOLAUNCHPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

/// Clones into `launch` what it uses of the host and what that is computed
/// from, as far as it is neither memory nor an argument: a kernel then takes
/// what its function takes.
static void sinkComputations(IRRewriter &rewriter, gpu::LaunchOp launch) {
  Block &body = launch.getBody().front();
  rewriter.setInsertionPointToStart(&body);
  while (true) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(launch.getBody(), used);
    bool changed = false;
    for (Value value : used) {
      Operation *op = value.getDefiningOp();
      if (!op || !isPure(op) || op->getNumRegions())
        continue;
      // What this needs is cloned before it by the next round.
      rewriter.setInsertionPointToStart(&body);
      Operation *clone = rewriter.clone(*op);
      rewriter.replaceUsesWithIf(
          op->getResults(), clone->getResults(), [&](OpOperand &use) {
            return use.getOwner() != clone &&
                   launch.getBody().isAncestor(
                       use.getOwner()->getParentRegion());
          });
      changed = true;
    }
    if (!changed)
      return;
  }
}

namespace {
struct SinkIntoLaunch
    : lattn::impl::LattnSinkIntoLaunchPassBase<SinkIntoLaunch> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk(
        [&](gpu::LaunchOp launch) { sinkComputations(rewriter, launch); });
  }
};
} // namespace

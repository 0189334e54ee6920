//===- CheckHost.cpp - What a GPU's host cannot do ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Arrays are in the GPU's memory, which the host's code cannot read.

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCHECKHOSTPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

static bool touchesMemory(Operation *op) {
  if (isa<gpu::LaunchFuncOp, memref::AllocOp, memref::DeallocOp, cf::AssertOp>(
          op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && (effects.hasEffect<MemoryEffects::Read>() ||
                     effects.hasEffect<MemoryEffects::Write>());
}

namespace {
struct CheckHost : lattn::impl::LattnCheckHostPassBase<CheckHost> {
  void runOnOperation() override {
    bool failed = false;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (touchesMemory(op)) {
        op->emitError() << "'" << op->getName()
                        << "' is computed on the host, which cannot read a "
                           "GPU's memory: it has no kernel";
        failed = true;
      }
      return WalkResult::advance();
    });
    if (failed)
      signalPassFailure();
  }
};
} // namespace

//===- Deallocate.cpp - Free buffers in the functions that own some -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's pipeline goes through whole modules. Its passes are upstream's.

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNDEALLOCATEPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

static bool isMemRef(Type type) { return isa<BaseMemRefType>(type); }

/// Whether `op` makes a buffer that its function must free or give away.
/// Scratch on the stack is none.
static bool givesBuffer(Operation *op) {
  return !isa<memref::AllocaOp>(op) &&
         llvm::any_of(op->getResultTypes(), isMemRef) &&
         (isa<CallOpInterface>(op) || hasEffect<MemoryEffects::Allocate>(op));
}

static bool ownsBuffers(func::FuncOp function) {
  if (llvm::any_of(function.getResultTypes(), isMemRef))
    return true;
  return function
      .walk([](Operation *op) {
        return givesBuffer(op) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct Deallocate : lattn::impl::LattnDeallocatePassBase<Deallocate> {
  using Base::Base;
  void runOnOperation() override {
    // The steps of bufferization::buildBufferDeallocationPipeline.
    OpPassManager own("func.func"), lower("builtin.module"),
        cleanUp("func.func");
    own.addPass(memref::createExpandReallocPass(
        memref::ExpandReallocPassOptions{/*emitDeallocs=*/false}));
    own.addPass(createCanonicalizerPass());
    own.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
    own.addPass(createCanonicalizerPass());
    own.addPass(bufferization::createBufferDeallocationSimplificationPass());
    lower.addPass(bufferization::createLowerDeallocationsPass());
    cleanUp.addPass(createCSEPass());
    cleanUp.addPass(createCanonicalizerPass());
    auto owners = llvm::filter_to_vector(getOperation().getOps<func::FuncOp>(),
                                         ownsBuffers);
    auto runOnOwners = [&](OpPassManager &passes) {
      return llvm::all_of(owners, [&](func::FuncOp function) {
        return succeeded(runPipeline(passes, function));
      });
    };
    if (!owners.empty() &&
        (!runOnOwners(own) || failed(runPipeline(lower, getOperation())) ||
         !runOnOwners(cleanUp)))
      signalPassFailure();
  }
};
} // namespace

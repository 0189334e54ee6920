//===- CheckLowered.cpp - Ops that a pipeline did not lower ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream has no such pass: its conversions are partial, and the translation
// to LLVM IR names the first op that it cannot take, often a cast of a type.

#include "lattn/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCHECKLOWEREDPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

static bool isKnown(Operation *op, ArrayRef<std::string> dialects) {
  if (isa<ModuleOp, gpu::GPUModuleOp, gpu::BinaryOp>(op))
    return true;
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "llvm" || dialect == "nvvm")
    return true;
  return llvm::is_contained(dialects, dialect) &&
         !op->getParentOfType<gpu::GPUModuleOp>();
}

static bool cannotBufferize(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return (llvm::any_of(op->getOperandTypes(), isTensor) ||
          llvm::any_of(op->getResultTypes(), isTensor)) &&
         !isa<bufferization::BufferizableOpInterface>(op);
}

/// Whether passes that take the functions of one module would leave `inner`
/// half lowered.
static bool needsBufferization(ModuleOp inner) {
  return inner
      .walk([](Operation *op) {
        auto isTensor = [](Type type) { return isa<TensorType>(type); };
        return isa<scf::ForallOp>(op) ||
                       llvm::any_of(op->getResultTypes(), isTensor) ||
                       llvm::any_of(op->getOperandTypes(), isTensor)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct CheckLowered : lattn::impl::LattnCheckLoweredPassBase<CheckLowered> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> left, casts;
    llvm::DenseSet<std::pair<Operation *, OperationName>> seen;
    bool hasInner = false;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto inner = dyn_cast<ModuleOp>(op);
      if (bufferizable && inner && op != getOperation() &&
          needsBufferization(inner)) {
        hasInner = true;
        inner->emitError("a module inside another module: expected functions "
                         "with tensors or parallel loops in the outer module");
      }
      if (isKnown(op, dialects) && !(bufferizable && cannotBufferize(op)))
        return;
      if (isa<UnrealizedConversionCastOp>(op))
        casts.push_back(op);
      else if (Operation *function = op->getParentOfType<FunctionOpInterface>();
               seen.insert({function, op->getName()}).second)
        left.push_back(op);
    });
    for (Operation *op : left)
      op->emitError() << "'" << op->getName()
                      << "' is left: no pass of this pipeline lowers it";
    // Casts stand beside the ops whose types they are for.
    if (left.empty() && !casts.empty())
      casts.front()->emitError()
          << "values of type " << casts.front()->getOperandTypes()
          << " are left: no pass of this pipeline converts them to "
          << casts.front()->getResultTypes();
    if (hasInner || !left.empty() || !casts.empty())
      signalPassFailure();
  }
};
} // namespace

//===- RaiseMemRefs.cpp - lattn ops on memrefs become ops on tensors ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream goes from tensors to buffers only.

#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNRAISEMEMREFSPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Captures are tensors now: loads become extracts.
static void raiseScoreRegion(RewriterBase &rewriter, Region &region,
                             TypeRange captures) {
  if (region.empty())
    return;
  Block &block = region.front();
  for (auto [argument, type] :
       llvm::zip(block.getArguments().drop_front(5), captures))
    argument.setType(type);
  for (auto load : llvm::make_early_inc_range(block.getOps<memref::LoadOp>())) {
    rewriter.setInsertionPoint(load);
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(load, load.getMemRef(),
                                                   load.getIndices());
  }
}

/// Kernels have scratch memory beside the arrays, in the default memory space.
static void castToDefaultSpace(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !type.getMemorySpace())
      continue;
    MemRefType inDefault = MemRefType::Builder(type).setMemorySpace({});
    Value cast = memref::MemorySpaceCastOp::create(rewriter, op->getLoc(),
                                                   inDefault, operand.get());
    rewriter.modifyOpInPlace(op, [&] { operand.set(cast); });
  }
}

LogicalResult lattn::raiseMemRefs(RewriterBase &rewriter,
                                  DestinationStyleOpInterface op) {
  if (op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is on tensors already");
  castToDefaultSpace(rewriter, op);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> operands, destinations;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (auto type = dyn_cast<MemRefType>(value.getType())) {
      bool init = op.isDpsInit(&operand);
      auto tensor =
          RankedTensorType::get(type.getShape(), type.getElementType());
      value = bufferization::ToTensorOp::create(rewriter, loc, tensor, value,
                                                /*restrict=*/true,
                                                /*writable=*/init);
      if (init) {
        destinations.push_back(operand.get());
        types.push_back(value.getType());
      }
    }
    operands.push_back(value);
  }
  OperationState state(loc, op->getName(), operands, types, op->getAttrs());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *raised = rewriter.create(state);
  if (auto attention = dyn_cast<AttentionOpInterface>(raised))
    raiseScoreRegion(rewriter, attention.getScore(),
                     attention.getCaptures().getTypes());
  rewriter.setInsertionPointAfter(raised);
  for (auto [result, destination] :
       llvm::zip_equal(raised->getResults(), destinations)) {
    auto materialize = bufferization::MaterializeInDestinationOp::create(
        rewriter, loc, result, destination);
    materialize.setRestrict(true);
    materialize.setWritable(true);
  }
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct RaiseMemRefs : lattn::impl::LattnRaiseMemRefsPassBase<RaiseMemRefs> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<DestinationStyleOpInterface> ops;
    getOperation()->walk([&](DestinationStyleOpInterface op) {
      if (isa<linalg::LinalgOp>(*op))
        castToDefaultSpace(rewriter, op);
      // Of linalg, those of which upstream makes no loops.
      bool wanted = isa_and_nonnull<LattnDialect>(op->getDialect()) ||
                    (isa<linalg::LinalgDialect>(op->getDialect()) &&
                     !isa<linalg::LinalgOp>(*op));
      if (wanted && !op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    for (DestinationStyleOpInterface op : ops)
      if (failed(raiseMemRefs(rewriter, op)))
        return signalPassFailure();
  }
};
} // namespace

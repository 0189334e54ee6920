//===- Decompose.cpp - lattn ops become linalg ops ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's linalg-decompose-aggregate covers linalg's own ops only.

#include "SoftmaxState.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNDECOMPOSEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

LogicalResult lattn::decompose(RewriterBase &rewriter, Operation *op) {
  auto aggregated = dyn_cast<linalg::AggregatedOpInterface>(op);
  if (!aggregated)
    return rewriter.notifyMatchFailure(op, "has no decomposition");
  rewriter.setInsertionPoint(op);
  FailureOr<SmallVector<Value>> values =
      aggregated.decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  SmallVector<Value> operands(op->getOperands());
  rewriter.replaceOp(op, *values);
  // What only said that all elements are one value.
  for (Value operand : operands)
    if (auto fill = operand.getDefiningOp<linalg::FillOp>();
        fill && isOpTriviallyDead(fill)) {
      Operation *empty = fill.getOutputs()[0].getDefiningOp();
      rewriter.eraseOp(fill);
      if (empty && isOpTriviallyDead(empty))
        rewriter.eraseOp(empty);
    }
  return success();
}

namespace {
struct Decompose : lattn::impl::LattnDecomposePassBase<Decompose> {
  using Base::Base;
  void runOnOperation() override {
    for (const std::string &name : ops)
      if (!RegisteredOperationName::lookup("lattn." + name, &getContext())) {
        emitError(getOperation()->getLoc())
            << "lattn-decompose: there is no op lattn." << name;
        return signalPassFailure();
      }
    auto isNamed = [&](Operation *op) {
      return isa_and_nonnull<LattnDialect>(op->getDialect()) &&
             (ops.empty() ||
              llvm::is_contained(ops, op->getName().stripDialect().str()));
    };
    // A state that is merged by linalg ops is finalized by them, too.
    auto wanted = [&](Operation *op) {
      auto finalize = dyn_cast<FinalizeOp>(op);
      auto merge =
          finalize ? finalize.getAcc().getDefiningOp<MergeOp>() : MergeOp();
      return isNamed(op) || (merge && isNamed(merge));
    };
    // What an attention becomes is decomposed with it; what was there is not,
    // unless it is wanted.
    llvm::SmallPtrSet<Operation *, 8> kept;
    getOperation()->walk([&](linalg::AggregatedOpInterface op) {
      if (!wanted(op))
        kept.insert(op);
    });
    ReportingRewriter rewriter(&getContext());
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      if (!wanted(op) || succeeded(convertToOnline(rewriter, op)))
        return WalkResult::advance();
      return rewriter.fail(op);
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    result = getOperation()->walk([&](linalg::AggregatedOpInterface op) {
      if (!isa_and_nonnull<LattnDialect>(op->getDialect()) ||
          kept.contains(op) || succeeded(decompose(rewriter, op)))
        return WalkResult::advance();
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace

//===- RotaryToTable.cpp - rotary becomes rotate_pairs by a table ---------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/RotaryTable.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNROTARYTOTABLEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

LogicalResult lattn::rotaryToTable(RewriterBase &rewriter, RotaryOp op) {
  if (!isa<RankedTensorType>(op.getInput().getType()))
    return rewriter.notifyMatchFailure(
        op, "is on memrefs: run lattn-raise-memrefs first");
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value start = op.getStart() ? op.getStart() : zero;
  Value center = op.getCenter() ? op.getCenter() : zero;
  OpFoldResult rows =
      tensor::getMixedSize(rewriter, loc, op.getInput(), op.getRowAxis());
  Value table = buildRotaryTable(rewriter, op, rows, start, center);
  rewriter.replaceOpWithNewOp<RotatePairsOp>(
      op, op.getInput(), table, zero, op.getOutput(), op.getInterleaved(),
      op.getRowAxis());
  return success();
}

namespace {
struct RotaryToTable : lattn::impl::LattnRotaryToTablePassBase<RotaryToTable> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<RotaryOp> ops;
    getOperation()->walk([&](RotaryOp op) { ops.push_back(op); });
    for (RotaryOp op : ops)
      if (failed(rotaryToTable(rewriter, op))) {
        op.emitOpError("is on memrefs: run lattn-raise-memrefs first");
        return signalPassFailure();
      }
  }
};
} // namespace

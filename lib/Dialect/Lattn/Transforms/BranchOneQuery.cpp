//===- BranchOneQuery.cpp - A branch of its own for one query -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Decoding has one query a head: a tile of the heads that share keys reads
// those once, where a tile of one head's queries would be empty but for one
// row. A program that knows its heads but not its queries gets both; others
// would pay for the second kernel's compilation without knowing that they need
// it.

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNBRANCHONEQUERYPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// `op` on arrays that are known to have one query.
static SmallVector<Value> buildOneQuery(OpBuilder &b, AttentionOp op) {
  IRMapping mapping;
  auto cast = [&](Value array, unsigned axis) {
    auto type = mlir::cast<RankedTensorType>(array.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = 1;
    Value one =
        tensor::CastOp::create(b, op.getLoc(), type.clone(shape), array);
    mapping.map(array, one);
  };
  cast(op.getQuery(), op.getPositionAxis());
  cast(op.getOutput(), op.getPositionAxis());
  if (op.getLse())
    cast(op.getLse(), 2);
  auto one = mlir::cast<AttentionOp>(b.clone(*op, mapping));
  SmallVector<Value> results;
  for (auto [result, init, old] : llvm::zip_equal(
           one.getResults(), one.getDpsInits(), op.getResultTypes())) {
    result.setType(init.getType());
    results.push_back(tensor::CastOp::create(b, op.getLoc(), old, result));
  }
  return results;
}

LogicalResult lattn::branchOneQuery(RewriterBase &rewriter, AttentionOp op,
                                    bool anyHeads) {
  unsigned axis = op.getPositionAxis();
  int64_t heads =
      cast<ShapedType>(op.getQuery().getType()).getDimSize(op.getHeadAxis());
  int64_t kvHeads =
      cast<ShapedType>(op.getKey().getType()).getDimSize(op.getHeadAxis());
  bool known = ShapedType::isStatic(heads) && ShapedType::isStatic(kvHeads);
  if (known ? heads <= kvHeads : !anyHeads)
    return rewriter.notifyMatchFailure(op, "its heads are not known to share "
                                           "keys");
  if (!isa<TensorType>(op.getQuery().getType()) || !dependsOnNoHead(op))
    return rewriter.notifyMatchFailure(op, "its heads differ in more than "
                                           "their arrays");
  auto isKnown = [](Value array, unsigned axis) {
    return array && !cast<ShapedType>(array.getType()).isDynamicDim(axis);
  };
  if (isKnown(op.getQuery(), axis) || isKnown(op.getOutput(), axis) ||
      isKnown(op.getLse(), 2))
    return rewriter.notifyMatchFailure(op, "its queries are known");
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value queries = tensor::DimOp::create(rewriter, loc, op.getQuery(), axis);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value isMany = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ne,
                                       queries, one);
  auto branch = scf::IfOp::create(
      rewriter, loc, isMany,
      [&](OpBuilder &b, Location) {
        scf::YieldOp::create(b, loc, b.clone(*op)->getResults());
      },
      [&](OpBuilder &b, Location) {
        scf::YieldOp::create(b, loc, buildOneQuery(b, op));
      });
  rewriter.replaceOp(op, branch.getResults());
  return success();
}

namespace {
struct BranchOneQuery
    : lattn::impl::LattnBranchOneQueryPassBase<BranchOneQuery> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) {
      Operation *producer = op.getQuery().getDefiningOp();
      // What is done to the query is fused first.
      if (!isa_and_nonnull<RotaryOp, L2NormalizeOp>(producer) &&
          !op->getParentOfType<scf::ForallOp>())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops)
      (void)branchOneQuery(rewriter, op, anyHeads);
  }
};
} // namespace

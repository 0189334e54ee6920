//===- BranchFewQueries.cpp - Branches of their own for few queries -------===//
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
//
// On a CPU, tiles of a few queries have features on the lanes, which queries
// would not fill: a branch of its own where their number is not known.

#include "QueryTile.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNBRANCHFEWQUERIESPASS
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

/// Whether `op`'s arrays leave open how many queries there are.
static bool isQueryCountOpen(AttentionOp op) {
  auto isOpen = [](Value array, unsigned axis) {
    return !array || cast<ShapedType>(array.getType()).isDynamicDim(axis);
  };
  unsigned axis = op.getPositionAxis();
  return isOpen(op.getQuery(), axis) && isOpen(op.getOutput(), axis) &&
         isOpen(op.getLse(), 2);
}

/// `op`, or what `buildFew` makes of it where `predicate` holds of its number
/// of queries, or of packed sequences the most of one, and `count`. Returns
/// `op`'s copy.
static AttentionOp
branch(RewriterBase &rewriter, AttentionOp op, arith::CmpIPredicate predicate,
       int64_t count, function_ref<SmallVector<Value>(OpBuilder &b)> buildFew) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  PackedQueries packed(op);
  Value queries = packed ? packed.pad.getMaxSeqlen()
                         : tensor::DimOp::create(rewriter, loc, op.getQuery(),
                                                 op.getPositionAxis());
  Value limit = arith::ConstantIndexOp::create(rewriter, loc, count);
  Value isMany =
      arith::CmpIOp::create(rewriter, loc, predicate, queries, limit);
  AttentionOp many;
  auto yield = [&](OpBuilder &b, ValueRange results) {
    scf::YieldOp::create(b, loc, packed.packAgain(b, results));
  };
  auto choice = scf::IfOp::create(
      rewriter, loc, isMany,
      [&](OpBuilder &b, Location) {
        many = cast<AttentionOp>(b.clone(*op));
        yield(b, many.getResults());
      },
      [&](OpBuilder &b, Location) { yield(b, buildFew(b)); });
  if (packed)
    packed.replace(rewriter, op, choice.getResults());
  else
    rewriter.replaceOp(op, choice.getResults());
  return many;
}

/// How many queries `op` has at least, as its schedule or its function's says.
static int64_t getLeastQueries(AttentionOp op) {
  std::optional<int64_t> least = op.getEffectiveSchedule().getLeastQueries();
  auto function = op->getParentOfType<func::FuncOp>();
  if (!least && function)
    if (auto ofAll = function->getAttrOfType<ScheduleAttr>(kSchedule))
      least = ofAll.getLeastQueries();
  return least.value_or(0);
}

FailureOr<AttentionOp> lattn::branchOneQuery(RewriterBase &rewriter,
                                             AttentionOp op, bool gpu) {
  int64_t heads =
      cast<ShapedType>(op.getQuery().getType()).getDimSize(op.getHeadAxis());
  int64_t kvHeads =
      cast<ShapedType>(op.getKey().getType()).getDimSize(op.getHeadAxis());
  bool known = ShapedType::isStatic(heads) && ShapedType::isStatic(kvHeads);
  if (known ? heads <= kvHeads : !gpu)
    return rewriter.notifyMatchFailure(op, "its heads are not known to share "
                                           "keys");
  if (!isa<TensorType>(op.getQuery().getType()) || PackedQueries(op) ||
      !canShareTile(op, gpu ? TileForm::GPU : TileForm::Packed))
    return rewriter.notifyMatchFailure(op, "its heads differ in more than "
                                           "their arrays");
  if (!isQueryCountOpen(op))
    return rewriter.notifyMatchFailure(op,
                                       "the number of its queries is known");
  if (getLeastQueries(op) > 1)
    return rewriter.notifyMatchFailure(op, "it always has more than one query");
  return branch(rewriter, op, arith::CmpIPredicate::ne, 1,
                [&](OpBuilder &b) { return buildOneQuery(b, op); });
}

FailureOr<AttentionOp> lattn::branchFewQueries(RewriterBase &rewriter,
                                               AttentionOp op, int64_t few) {
  if (failed(requireTileable(rewriter, op)))
    return failure();
  if (!isQueryCountOpen(op))
    return rewriter.notifyMatchFailure(op,
                                       "the number of its queries is known");
  ScheduleAttr schedule = op.getEffectiveSchedule();
  if (getLeastQueries(op) > few)
    return rewriter.notifyMatchFailure(op, "it always has more queries");
  if (schedule.getQueryTile() || schedule.getLanes() ||
      schedule.getProducts().value_or(Products::Widened) != Products::Widened)
    return rewriter.notifyMatchFailure(op, "its schedule asks for one form");
  return branch(rewriter, op, arith::CmpIPredicate::ugt, few,
                [&](OpBuilder &b) -> SmallVector<Value> {
                  auto copy = cast<AttentionOp>(b.clone(*op));
                  copy.setScheduleAttr(ScheduleAttr::get(
                      op.getContext(), few, schedule.getKeyTile(),
                      schedule.getProducts(), Lanes::Features,
                      schedule.getLeastQueries(), schedule.getFallback()));
                  return copy.getResults();
                });
}

namespace {
struct BranchFewQueries
    : lattn::impl::LattnBranchFewQueriesPassBase<BranchFewQueries> {
  using Base::Base;
  void runOnOperation() override {
    if (few < 0 || few > TileSizes::mostQueries) {
      emitError(getOperation()->getLoc())
          << "lattn-branch-few-queries: expected few to be from 0 to "
          << TileSizes::mostQueries << ", got " << int64_t(few);
      return signalPassFailure();
    }
    SmallVector<AttentionOp> ops;
    getOperation()->walk([&](AttentionOp op) {
      Operation *producer = op.getQuery().getDefiningOp();
      // What is done to the query is fused first.
      if (!isa_and_nonnull<RotaryOp, L2NormalizeOp>(producer) &&
          !op->getParentOfType<scf::ForallOp>())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : ops) {
      FailureOr<AttentionOp> many = branchOneQuery(rewriter, op, gpu);
      if (few)
        (void)branchFewQueries(rewriter, succeeded(many) ? *many : op, few);
    }
  }
};
} // namespace

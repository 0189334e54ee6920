//===- ColumnBounds.cpp - Bounds of a tile's columns ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The distances of a thread's columns from its first column are the same in all
// threads. So the first column is subtracted from the bound of a row once. Each
// column is then compared as a constant, and takes no register.

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace lattn;

namespace {
struct CompareDistance : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op,
                                PatternRewriter &b) const override {
    auto column = op.getLhs().getDefiningOp<arith::IndexCastOp>();
    if (!column || !column.getIn().getType().isIndex() ||
        column.getType().getIntOrFloatBitWidth() < 32 ||
        !(op.getPredicate() == arith::CmpIPredicate::slt ||
          op.getPredicate() == arith::CmpIPredicate::sge))
      return b.notifyMatchFailure(op, "not of a column and a bound");
    Value first = column.getIn();
    int64_t distance = 0;
    if (auto sum = first.getDefiningOp<arith::AddIOp>()) {
      std::optional<int64_t> constant = getConstantIntValue(sum.getRhs());
      if (!constant || *constant < 0)
        return b.notifyMatchFailure(op, "not of a tile's column");
      first = sum.getLhs();
      distance = *constant;
    }
    if (!first.getDefiningOp<fragment::ThreadColumnOp>())
      return b.notifyMatchFailure(op, "not of a thread's column");
    // No column is before 0, so the difference cannot overflow.
    Location loc = op.getLoc();
    Type type = column.getType();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, type, value);
    };
    Value bound = arith::MaxSIOp::create(b, loc, op.getRhs(), constant(0));
    Value narrow = arith::IndexCastOp::create(b, loc, type, first);
    bound = arith::SubIOp::create(b, loc, bound, narrow);
    b.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                        constant(distance), bound);
    return success();
  }
};
} // namespace

void fragment::lowerThreadColumn(ThreadColumnOp op) {
  OpBuilder b(op);
  ThreadPlace place(b, op.getLoc());
  op.replaceAllUsesWith(
      arith::MulIOp::create(b, op.getLoc(), place.inGroup, place.index(2))
          .getResult());
  op.erase();
}

void fragment::populateColumnBoundPatterns(RewritePatternSet &patterns) {
  patterns.add<CompareDistance>(patterns.getContext());
}

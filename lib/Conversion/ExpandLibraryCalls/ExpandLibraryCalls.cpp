//===- ExpandLibraryCalls.cpp - Copies and bf16 without library calls -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNEXPANDLIBRARYCALLSPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;

namespace {

/// memref.copy -> linalg.copy
struct CopyToLinalg : OpRewritePattern<memref::CopyOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(op, op.getSource(),
                                                op.getTarget());
    return success();
  }
};

/// truncf(x : f32) : bf16 -> the upper half of x's bits, rounded to even; NaN
/// keeps its payload and becomes quiet.
struct ExpandTruncFToBF16 : OpRewritePattern<arith::TruncFOp> {
  using Base::Base;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    if (!getElementTypeOrSelf(x.getType()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "is not from f32 to bf16");
    if (isa<TensorType>(x.getType()))
      return rewriter.notifyMatchFailure(op, "is on tensors");
    Location loc = op.getLoc();
    auto typeLike = [&](Type element) -> Type {
      if (auto vector = dyn_cast<VectorType>(x.getType()))
        return vector.clone(element);
      return element;
    };
    Type wide = typeLike(rewriter.getI32Type());
    auto constant = [&](int32_t value) -> Value {
      TypedAttr attr = rewriter.getI32IntegerAttr(value);
      if (auto vector = dyn_cast<VectorType>(wide))
        attr = DenseElementsAttr::get(vector, attr);
      return arith::ConstantOp::create(rewriter, loc, attr);
    };
    Value bits = arith::BitcastOp::create(rewriter, loc, wide, x);
    Value half = constant(16);
    Value odd = arith::ShRUIOp::create(rewriter, loc, bits, half);
    odd = arith::AndIOp::create(rewriter, loc, odd, constant(1));
    Value bias = arith::AddIOp::create(rewriter, loc, odd, constant(0x7fff));
    Value rounded = arith::AddIOp::create(rewriter, loc, bits, bias);
    Value quiet = arith::OrIOp::create(rewriter, loc, bits, constant(0x400000));
    Value isNaN =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO, x, x);
    // Selected before it is narrow: a 16-bit select would become one of bf16.
    Value chosen =
        arith::SelectOp::create(rewriter, loc, isNaN, quiet, rounded);
    chosen = arith::ShRUIOp::create(rewriter, loc, chosen, half);
    Value narrow = arith::TruncIOp::create(
        rewriter, loc, typeLike(rewriter.getI16Type()), chosen);
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), narrow);
    return success();
  }
};

struct ExpandLibraryCalls
    : lattn::impl::LattnExpandLibraryCallsPassBase<ExpandLibraryCalls> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CopyToLinalg, ExpandTruncFToBF16>(&getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

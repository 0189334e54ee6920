//===- DimOfResult.h - Sizes of what copies nothing -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_DIMOFRESULT_H
#define LATTN_LIB_DIALECT_LATTN_IR_DIMOFRESULT_H

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// A size of a result of `Op` comes from the operands, so that nothing but
/// attention uses the result.
template <typename Op>
struct DimOfResult : mlir::OpRewritePattern<mlir::tensor::DimOp> {
  using Base = mlir::OpRewritePattern<mlir::tensor::DimOp>;
  using Base::Base;
  llvm::LogicalResult
  matchAndRewrite(mlir::tensor::DimOp op,
                  mlir::PatternRewriter &rewriter) const override {
    auto producer = op.getSource().template getDefiningOp<Op>();
    std::optional<int64_t> axis = op.getConstantIndex();
    if (!producer || !axis || *axis < 0 ||
        *axis >= op.getSource().getType().getRank())
      return rewriter.notifyMatchFailure(op, "is no size of such a result");
    unsigned result =
        mlir::cast<mlir::OpResult>(op.getSource()).getResultNumber();
    mlir::FailureOr<mlir::OpFoldResult> size =
        mlir::reifyDimOfResult(rewriter, producer, result, *axis);
    if (failed(size))
      return mlir::failure();
    rewriter.replaceOp(op, mlir::getValueOrCreateConstantIndexOp(
                               rewriter, op.getLoc(), *size));
    return mlir::success();
  }
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_DIMOFRESULT_H

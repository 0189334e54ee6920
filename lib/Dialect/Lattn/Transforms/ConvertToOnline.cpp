//===- ConvertToOnline.cpp - attention becomes an online step and finalize ===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// attention -> finalize(online_attention(state of no keys))

#include "SoftmaxState.h"
#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNCONVERTTOONLINEPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

LogicalResult lattn::requireLowerable(RewriterBase &rewriter, AttentionOp op) {
  if (!cast<DestinationStyleOpInterface>(op.getOperation())
           .hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "is not on tensors");
  return success();
}

/// The whole op's indexing maps: query, key and value in their layout, the
/// state (batch, head, query).
static ArrayAttr getMaps(Builder &b, AttentionOp op) {
  using Online = OnlineAttentionOp;
  auto map = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(6, dims, b.getContext());
  };
  auto inLayout = [&](unsigned position, unsigned size) {
    if (op.isBnhd())
      return map({Online::Batch, position, Online::Head, size});
    return map({Online::Batch, Online::Head, position, size});
  };
  AffineMap row = map({Online::Batch, Online::Head, Online::QueryPos});
  return b.getAffineMapArrayAttr(
      {inLayout(Online::QueryPos, Online::HeadDim),
       inLayout(Online::KeyPos, Online::HeadDim),
       inLayout(Online::KeyPos, Online::ValueDim),
       map({Online::Batch, Online::Head, Online::QueryPos, Online::ValueDim}),
       row, row});
}

FailureOr<OnlineAttentionOp> lattn::convertToOnline(RewriterBase &rewriter,
                                                    AttentionOp op) {
  if (failed(requireLowerable(rewriter, op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getQuery());
  OpFoldResult width = tensor::getMixedSize(rewriter, loc, op.getValue(), 3);
  SmallVector<OpFoldResult> rows = {sizes[0], sizes[op.getHeadAxis()],
                                    sizes[op.getPositionAxis()]};
  SmallVector<Value> state =
      buildEmptyState(rewriter, loc, op.getAccumulatorType(), rows, width,
                      /*valueAxis=*/3);
  if (op.getSink())
    addSink(rewriter, op, state);
  Value offset = op.getEffectiveWindow() ? buildExplicitOffset(rewriter, op)
                                         : op.getOffset();
  auto online = OnlineAttentionOp::create(
      rewriter, loc, op.getQuery(), op.getKey(), op.getValue(), op.getBias(),
      op.getKeyMask(), op.getKvLens(), offset, op.getOrigin(), op.getCaptures(),
      /*query_rows=*/Value(), buildExplicitDropout(rewriter, op),
      /*ahead=*/ValueRange(), /*pages=*/Value(), /*first_key=*/Value(),
      /*num_keys=*/Value(), state[0], state[1], state[2], op.getWindowAttr(),
      op.getCausal(), op.getScaleAttr(), op.getBiasMapAttr(),
      getMaps(rewriter, op), /*schedule=*/nullptr);
  online.getScore().takeBody(op.getScore());
  Value output = op.getOutput();
  if (op.isBnhd()) {
    SmallVector<OpFoldResult> bhnd = rows;
    bhnd.push_back(width);
    output = tensor::EmptyOp::create(rewriter, loc, bhnd,
                                     getElementTypeOrSelf(output.getType()));
  }
  SmallVector<Value> lse;
  if (op.getLse())
    lse.push_back(op.getLse());
  auto finalize = FinalizeOp::create(rewriter, loc, online.getResult(0),
                                     online.getResult(1), online.getResult(2),
                                     output, lse, /*value_axis=*/3);
  SmallVector<Value> results(finalize.getResults());
  if (op.isBnhd())
    results[0] =
        linalg::TransposeOp::create(rewriter, loc, results[0], op.getOutput(),
                                    ArrayRef<int64_t>{0, 2, 1, 3})
            ->getResult(0);
  rewriter.replaceOp(op, results);
  return online;
}

namespace {
struct ConvertToOnline
    : lattn::impl::LattnConvertToOnlinePassBase<ConvertToOnline> {
  using Base::Base;
  void runOnOperation() override {
    if (failed(expandAll<AttentionOp>(getOperation(), convertToOnline)))
      signalPassFailure();
  }
};
} // namespace

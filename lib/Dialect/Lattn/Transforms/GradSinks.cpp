//===- GradSinks.cpp - The gradient of sinks, and sums of rows ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionExtents.h"
#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

GradRowArrays::GradRowArrays(OpBuilder &b, AttentionGradOp op)
    : output(op.getOutput()), dOutput(op.getDOutput()), lse(op.getLse()),
      dLse(op.getDLse()) {
  AttentionExtents extents(b, op);
  shape = {extents.batches, extents.heads, extents.queries};
}

GradRowArrays::GradRowArrays(OpBuilder &b, AttentionGradOp op,
                             PadSequencesOp pad)
    : pad(pad) {
  auto unpad = [](Value array) {
    return array ? getPaddedSequences(array).getPacked() : Value();
  };
  output = unpad(op.getOutput());
  dOutput = unpad(op.getDOutput());
  lse = unpad(op.getLse());
  dLse = unpad(op.getDLse());
  shape = tensor::getMixedSizes(b, op.getLoc(), lse);
}

/// Whether a packed row belongs to a sequence: is between the first border and
/// the last one.
static Value isInSequence(OpBuilder &b, Location loc, PadSequencesOp pad,
                          Value row) {
  auto border = [&](Value at) -> Value {
    Value border = tensor::ExtractOp::create(b, loc, pad.getCuSeqlens(), at);
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), border);
  };
  Value first = border(arith::ConstantIndexOp::create(b, loc, 0));
  Value last = border(buildSequenceCount(b, loc, pad.getCuSeqlens()));
  Value begun =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, row, first);
  Value open =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, last);
  return arith::AndIOp::create(b, loc, begun, open);
}

/// rowsum(d_output * output) - d_lse, (batch, head, query)
Value lattn::buildRowSums(OpBuilder &b, AttentionGradOp op,
                          const GradRowArrays &arrays) {
  Location loc = op.getLoc();
  FloatType type = op.getAccumulatorType();
  auto start = [&](Value from) {
    AffineMap row = b.getMultiDimIdentityMap(3);
    Value empty = tensor::EmptyOp::create(b, loc, arrays.shape, type);
    if (!from)
      return linalg::FillOp::create(
                 b, loc,
                 arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0))
                     .getResult(),
                 empty)
          .getResult(0);
    return buildGeneric(b, loc, from, empty, {row, row},
                        [&](OpBuilder &nested, ValueRange args) -> Value {
                          return arith::NegFOp::create(nested, loc, args[0]);
                        });
  };
  Value sums = start(arrays.dLse);
  SmallVector<unsigned> axes = {0, op.getHeadAxis(), op.getPositionAxis(), 3};
  auto array = AffineMap::getMultiDimMapWithTargets(4, axes, b.getContext());
  auto rows = AffineMap::getMultiDimMapWithTargets(
      4, ArrayRef<unsigned>{0, 1, 2}, b.getContext());
  return buildGeneric(
      b, loc, {arrays.output, arrays.dOutput}, sums, {array, array, rows},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value x = convertFloat(nested, loc, args[0], type);
        Value y = convertFloat(nested, loc, args[1], type);
        Value product = multiplySeen(nested, loc, x, y);
        return arith::AddFOp::create(nested, loc, args[2], product);
      },
      /*reduce=*/true);
}

/// Of each head, minus the sum over its rows of the sink's weight and the row
/// sum: first along the queries, then along the batches.
Value lattn::buildSinkGradient(OpBuilder &b, AttentionGradOp op,
                               const GradRowArrays &arrays, Value rowSums) {
  Location loc = op.getLoc();
  FloatType type = op.getAccumulatorType();
  OpFoldResult heads = arrays.shape[1];
  auto map = [&](ArrayRef<unsigned> loops, unsigned count) {
    return AffineMap::getMultiDimMapWithTargets(count, loops, b.getContext());
  };
  auto filled = [&](ArrayRef<OpFoldResult> shape) -> Value {
    Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
    Value empty = tensor::EmptyOp::create(b, loc, shape, type);
    return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  };
  OpFoldResult first = b.getIndexAttr(0), stride = b.getIndexAttr(1);
  if (!op.getOrigin().empty()) // a larger op may have more heads
    first = op.getOrigin()[1];
  auto takeHeads = [&](Value array) -> Value {
    return tensor::ExtractSliceOp::create(b, loc, array, first, heads, stride);
  };
  Value ofBatches = buildGeneric(
      b, loc, {takeHeads(op.getSink()), arrays.lse, rowSums},
      filled({arrays.shape[0], heads}),
      {map({1}, 3), map({0, 1, 2}, 3), map({0, 1, 2}, 3), map({0, 1}, 3)},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value sink = convertFloat(nested, loc, args[0], type);
        Value weight = buildExpDifference(nested, loc, sink, args[1]);
        Value product = multiplySeen(nested, loc, weight, args[2]);
        Value term = arith::NegFOp::create(nested, loc, product);
        if (arrays.pad) {
          Value row = linalg::IndexOp::create(nested, loc, 2);
          Value zero =
              arith::ConstantOp::create(nested, loc, b.getFloatAttr(type, 0.0));
          term = arith::SelectOp::create(
              nested, loc, isInSequence(nested, loc, arrays.pad, row), term,
              zero);
        }
        return arith::AddFOp::create(nested, loc, args.back(), term);
      },
      /*reduce=*/true);
  Value total = buildGeneric(
      b, loc, ofBatches, filled({heads}), {map({1, 0}, 2), map({0}, 2)},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        return arith::AddFOp::create(nested, loc, args[0], args[1]);
      },
      /*reduce=*/true);
  Type element = getElementTypeOrSelf(op.getDSink().getType());
  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  Value whole =
      linalg::FillOp::create(b, loc, nothing, op.getDSink()).getResult(0);
  Value copy =
      linalg::CopyOp::create(b, loc, total, takeHeads(whole)).getResult(0);
  return tensor::InsertSliceOp::create(b, loc, copy, whole, first, heads,
                                       stride);
}

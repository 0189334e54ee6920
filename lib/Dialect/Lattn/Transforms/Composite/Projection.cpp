//===- Projection.cpp - Products with weights, elementwise functions ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Projection.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn;

/// (B * N, O) to (B, N, O).
static Value splitRows(OpBuilder &b, Location loc, Value rows,
                       OpFoldResult batch, OpFoldResult length) {
  SmallVector<OpFoldResult> sizes = {batch, length,
                                     tensor::getMixedSize(b, loc, rows, 1)};
  SmallVector<int64_t> shape;
  SmallVector<Value> unknown;
  dispatchIndexOpFoldResults(sizes, unknown, shape);
  auto type = RankedTensorType::get(
      shape, cast<RankedTensorType>(rows.getType()).getElementType());
  if (ShapedType::isStatic(shape[0]) || ShapedType::isStatic(shape[1]))
    return tensor::ExpandShapeOp::create(
        b, loc, type, rows, ArrayRef<ReassociationIndices>{{0, 1}, {2}}, sizes);
  // Buffers are expanded to one unknown extent only.
  Value extents = tensor::FromElementsOp::create(
      b, loc, getValueOrCreateConstantIndexOp(b, loc, sizes));
  return tensor::ReshapeOp::create(b, loc, type, rows, extents);
}

/// What sums start with, (M, O): 0, or the bias in each row.
static Value buildStart(OpBuilder &b, Location loc, Value empty, Value bias) {
  auto type = cast<RankedTensorType>(empty.getType());
  FloatType element = getAccumulatorType(type);
  if (!bias) {
    Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0));
    return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  }
  Value row = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, bias), element);
  row = convertTo(b, loc, bias, row);
  return linalg::BroadcastOp::create(b, loc, row, empty, ArrayRef<int64_t>{0})
      ->getResult(0);
}

Value lattn::project(OpBuilder &b, Location loc, Value x, Value weight,
                     Value bias) {
  OpFoldResult batch = tensor::getMixedSize(b, loc, x, 0);
  OpFoldResult length = tensor::getMixedSize(b, loc, x, 1);
  Value rows = tensor::CollapseShapeOp::create(
      b, loc, x, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  Value empty = tensor::EmptyOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{tensor::getMixedSize(b, loc, rows, 0),
                             tensor::getMixedSize(b, loc, weight, 0)},
      getAccumulatorType(x.getType()));
  Value sums = buildStart(b, loc, empty, bias);
  sums = linalg::MatmulTransposeBOp::create(b, loc, sums.getType(),
                                            ValueRange{rows, weight}, sums)
             .getResult(0);
  return splitRows(b, loc, sums, batch, length);
}

Value lattn::mapElements(
    OpBuilder &b, Location loc, ArrayRef<Indexed> inputs, Value output,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body, bool reduce) {
  auto type = cast<RankedTensorType>(output.getType());
  FloatType element = getAccumulatorType(type);
  unsigned rank = type.getRank() + reduce;
  SmallVector<Value> arrays;
  SmallVector<AffineMap> maps;
  for (const Indexed &input : inputs) {
    arrays.push_back(input.array);
    maps.push_back(input.map);
  }
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  maps.push_back(reduce ? whole.dropResult(rank - 1) : whole);
  return buildGeneric(
      b, loc, arrays, output, maps,
      [&](OpBuilder &nested, ValueRange args) {
        SmallVector<Value> wide;
        for (Value x : args.drop_back())
          wide.push_back(convertFloat(nested, loc, x, element));
        Value y = body(nested, wide);
        // A sum's order is free.
        if (reduce)
          y = arith::AddFOp::create(nested, loc, args.back(), y,
                                    arith::FastMathFlags::reassoc);
        return convertFloat(nested, loc, y, type.getElementType());
      },
      reduce);
}

Value lattn::convertTo(OpBuilder &b, Location loc, Value x, Value output) {
  auto type = cast<RankedTensorType>(output.getType());
  if (getElementTypeOrSelf(x.getType()) != type.getElementType())
    return mapElements(b, loc, {{x, b.getMultiDimIdentityMap(type.getRank())}},
                       output, [](OpBuilder &, ValueRange v) { return v[0]; });
  // What its type knows may differ.
  return b.createOrFold<tensor::CastOp>(loc, type, x);
}

LogicalResult lattn::expandOp(RewriterBase &rewriter,
                              DestinationStyleOpInterface op,
                              function_ref<SmallVector<Value>()> build) {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(
        op, "is on memrefs: run lattn-raise-memrefs first");
  // A slice of what has no elements would be out of bounds.
  if (llvm::all_of(op.getDpsInits(), [](Value destination) {
        return llvm::is_contained(
            cast<ShapedType>(destination.getType()).getShape(), 0);
      })) {
    rewriter.replaceOp(op, op.getDpsInits());
    return success();
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, build());
  return success();
}

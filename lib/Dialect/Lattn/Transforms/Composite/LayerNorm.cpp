//===- LayerNorm.cpp - Layer norm as linalg ops ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Projection.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

Value lattn::layerNorm(OpBuilder &b, Location loc, Value x, Value gain,
                       Value bias, double eps) {
  auto type = cast<RankedTensorType>(x.getType());
  FloatType element = getAccumulatorType(type);
  unsigned rank = type.getRank();
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  AffineMap row = whole.dropResult(rank - 1), last = whole.getMinorSubMap(1);
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(element, value));
  };
  Value width = tensor::DimOp::create(b, loc, x, rank - 1);
  width = arith::IndexCastOp::create(b, loc, b.getI64Type(), width);
  width = arith::SIToFPOp::create(b, loc, element, width);
  Value part = arith::DivFOp::create(b, loc, constant(1), width);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, x);
  auto zeros = [&]() -> Value {
    Value empty =
        tensor::EmptyOp::create(b, loc, ArrayRef(sizes).drop_back(), element);
    return linalg::FillOp::create(b, loc, constant(0), empty).getResult(0);
  };
  auto multiply = [&](OpBuilder &n, Value y, Value z) -> Value {
    return arith::MulFOp::create(n, loc, y, z);
  };

  Value mean = mapElements(
      b, loc, {{x, whole}}, zeros(),
      [&](OpBuilder &n, ValueRange v) { return multiply(n, v[0], part); },
      /*reduce=*/true);
  // Of differences, not of squares: these may cancel.
  Value variance = mapElements(
      b, loc, {{x, whole}, {mean, row}}, zeros(),
      [&](OpBuilder &n, ValueRange v) {
        Value away = arith::SubFOp::create(n, loc, v[0], v[1]);
        return multiply(n, multiply(n, away, away), part);
      },
      /*reduce=*/true);
  Value least = constant(eps);
  AffineMap all = b.getMultiDimIdentityMap(rank - 1);
  Value inverse = mapElements(b, loc, {{variance, all}}, variance,
                              [&](OpBuilder &n, ValueRange v) -> Value {
                                Value sum =
                                    arith::AddFOp::create(n, loc, v[0], least);
                                return math::RsqrtOp::create(n, loc, sum);
                              });
  SmallVector<Indexed> inputs = {
      {x, whole}, {mean, row}, {inverse, row}, {gain, last}};
  if (bias)
    inputs.push_back({bias, last});
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  return mapElements(
      b, loc, inputs, empty, [&](OpBuilder &n, ValueRange v) -> Value {
        Value y = arith::SubFOp::create(n, loc, v[0], v[1]);
        y = multiply(n, multiply(n, y, v[2]), v[3]);
        return bias ? arith::AddFOp::create(n, loc, y, v[4]).getResult() : y;
      });
}

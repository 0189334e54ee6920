//===- Reverse.cpp - Cotangents from results to operands ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// `x` in the element type `type`.
static Value convert(OpBuilder &b, Location loc, Value x, Type type) {
  Type from = getElementTypeOrSelf(x.getType());
  if (from == type)
    return x;
  Type to = type;
  if (auto shaped = dyn_cast<ShapedType>(x.getType()))
    to = shaped.clone(type);
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, to, x);
  return arith::TruncFOp::create(b, loc, to, x);
}

Value lattn::buildSum(OpBuilder &b, Location loc, Value x, Value y) {
  if (!isa<TensorType>(x.getType()))
    return arith::AddFOp::create(b, loc, x, y);
  Value empty =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, x),
                              getElementTypeOrSelf(x.getType()));
  return linalg::AddOp::create(b, loc, ValueRange{x, y}, empty).getResult(0);
}

Value lattn::buildZeros(OpBuilder &b, Location loc, Value like) {
  auto type = dyn_cast<RankedTensorType>(like.getType());
  if (!type)
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(like.getType()));
  Value zero = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(type.getElementType(), 0.0));
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, like), type.getElementType());
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

Value Reverse::getCotangent(OpBuilder &b, Value value) {
  Value cotangent = getWideCotangent(value);
  if (!cotangent)
    return {};
  return convert(b, value.getLoc(), cotangent,
                 getElementTypeOrSelf(value.getType()));
}

void Reverse::add(OpBuilder &b, Value value, Value cotangent) {
  if (!cotangent || !isActive(value))
    return;
  Value &sum = cotangents[value];
  if (!sum) {
    sum = cotangent;
    return;
  }
  Location loc = value.getLoc();
  Type type = getElementTypeOrSelf(sum.getType());
  if (Type other = getElementTypeOrSelf(cotangent.getType());
      other.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    type = other;
  sum = buildSum(b, loc, convert(b, loc, sum, type),
                 convert(b, loc, cotangent, type));
}

LogicalResult Reverse::run(OpBuilder &b, ArrayRef<Operation *> ops,
                           ReadHandler onRead) {
  if (failed(activity.verify(ops)))
    return failure();
  for (Operation *op : llvm::reverse(ops)) {
    if (llvm::none_of(op->getResults(), [&](Value result) {
          return cotangents.contains(result);
        }))
      continue;
    if (onRead && isa<tensor::ExtractOp, memref::LoadOp>(op))
      onRead(op);
    else if (failed(cast<DifferentiableOpInterface>(op).buildAdjoint(b, *this)))
      return failure();
  }
  return success();
}

//===- Reverse.cpp - Cotangents from results to operands ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

Value Reverse::getCotangent(OpBuilder &b, Value value) {
  Value cotangent = getWideCotangent(value);
  if (!cotangent)
    return {};
  return convertElements(b, value.getLoc(), cotangent,
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
  sum = buildSum(b, loc, convertElements(b, loc, sum, type),
                 convertElements(b, loc, cotangent, type));
}

Value Reverse::takeSum(OpBuilder &b, Value value, Type type) {
  Value sum = getWideCotangent(value);
  cotangents.erase(value);
  return sum ? convertElements(b, value.getLoc(), sum, type)
             : buildZeros(b, value.getLoc(), value, type);
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
    bool isRead =
        isa<tensor::ExtractOp, tensor::ExtractSliceOp, memref::LoadOp>(op);
    if (onRead && isRead && onRead(op))
      continue;
    if (failed(cast<DifferentiableOpInterface>(op).buildAdjoint(b, *this)))
      return failure();
  }
  return success();
}

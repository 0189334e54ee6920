//===- CheckOps.cpp - expect_close, expect_eq: verifiers ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Check/IR/Check.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace lattn::check;

#define GET_OP_CLASSES
#include "lattn/Dialect/Check/IR/CheckOps.cpp.inc"

/// Both are scalars, both tensors or both memrefs, and their shapes can agree.
static LogicalResult verifyComparable(Operation *op, Type actual,
                                      Type expected) {
  if (isa<TensorType>(actual) != isa<TensorType>(expected) ||
      isa<MemRefType>(actual) != isa<MemRefType>(expected))
    return op->emitOpError("expected both values to be tensors, both memrefs "
                           "or both scalars, got ")
           << actual << " and " << expected;
  if (isa<ShapedType>(actual) &&
      failed(verifyCompatibleShape(actual, expected)))
    return op->emitOpError("expected values of one shape, got ")
           << actual << " and " << expected;
  return success();
}

static LogicalResult verifyTolerance(Operation *op, StringRef name,
                                     const APFloat &value) {
  if (value.isFinite() && (value.isZero() || !value.isNegative()))
    return success();
  SmallString<16> text;
  value.toString(text);
  return op->emitOpError("expected ")
         << name << " to be finite and not negative, got " << text;
}

LogicalResult ExpectCloseOp::verify() {
  if (failed(verifyComparable(*this, getActual().getType(),
                              getExpected().getType())) ||
      failed(verifyTolerance(*this, "rtol", getRtol())) ||
      failed(verifyTolerance(*this, "atol", getAtol())))
    return failure();
  return success();
}

LogicalResult ExpectEqOp::verify() {
  Type actual = getActual().getType(), expected = getExpected().getType();
  if (failed(verifyComparable(*this, actual, expected)))
    return failure();
  if (getElementTypeOrSelf(actual) != getElementTypeOrSelf(expected))
    return emitOpError("expected values of one element type, got ")
           << getElementTypeOrSelf(actual) << " and "
           << getElementTypeOrSelf(expected);
  return success();
}

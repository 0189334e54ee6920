//===- OpHelpers.cpp - What several ops of the dialect share --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"

using namespace mlir;
using namespace lattn;

LogicalResult lattn::inferDestinationTypes(ValueRange destinations,
                                           SmallVectorImpl<Type> &types) {
  for (Value destination : destinations)
    if (destination && isa<RankedTensorType>(destination.getType()))
      types.push_back(destination.getType());
  return success();
}

LogicalResult lattn::verifyExtent(Operation *op, Value value, StringRef name,
                                  unsigned axis, int64_t expected,
                                  StringRef meaning) {
  int64_t got = cast<ShapedType>(value.getType()).getDimSize(axis);
  if (mayEqual(got, expected))
    return success();
  return op->emitOpError() << "expected axis " << axis << " of " << name
                           << " to be " << meaning << " = " << expected
                           << ", got " << got;
}

LogicalResult lattn::verifyRank(Operation *op, Value value, StringRef name,
                                int64_t rank, StringRef axes) {
  int64_t got = cast<ShapedType>(value.getType()).getRank();
  if (got == rank)
    return success();
  return op->emitOpError() << "expected " << name << " of rank " << rank << " "
                           << axes << ", got rank " << got;
}

LogicalResult lattn::verifyElementType(Operation *op, Value value,
                                       StringRef name, Type expected,
                                       Type other) {
  Type got = getElementTypeOrSelf(value.getType());
  if (got == expected || got == other)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "expected " << name << " of element type "
                            << expected;
  if (other && other != expected)
    diag << " or " << other;
  return diag << ", got " << got;
}

LogicalResult lattn::verifyAccumulator(Operation *op, Value value,
                                       StringRef name, Type like) {
  if (getAccumulatorType(value.getType()) == getAccumulatorType(like))
    return success();
  return op->emitOpError() << "expected " << name << " of element type "
                           << (getElementTypeOrSelf(like).isF64()
                                   ? "f64"
                                   : "f16, bf16 or f32")
                           << ", got " << getElementTypeOrSelf(value.getType());
}

LogicalResult lattn::verifyArray(Operation *op, Value value, StringRef name,
                                 StringRef axes, ArrayRef<int64_t> extents,
                                 ArrayRef<StringRef> meanings, Type like) {
  if (!value)
    return success();
  if (failed(verifyRank(op, value, name, extents.size(), axes)) ||
      failed(verifyAccumulator(op, value, name, like)))
    return failure();
  for (auto [axis, extent, meaning] : llvm::enumerate(extents, meanings))
    if (failed(verifyExtent(op, value, name, axis, extent, meaning)))
      return failure();
  return success();
}

LogicalResult lattn::verifyShape(Operation *op, Value value, StringRef name,
                                 ArrayRef<int64_t> extents, StringRef like) {
  if (!value)
    return success();
  if (failed(verifyRank(op, value, name, extents.size(), "like " + like.str())))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (failed(verifyExtent(op, value, name, axis, extent,
                            "the extent of " + like.str())))
      return failure();
  return success();
}

LogicalResult lattn::verifyBroadcastable(Operation *op, Value value,
                                         StringRef name,
                                         ArrayRef<int64_t> extents) {
  constexpr StringLiteral axes[] = {"batch", "head", "query", "key"};
  auto type = cast<ShapedType>(value.getType());
  int64_t rank = type.getRank();
  if (rank > 4)
    return op->emitOpError() << "expected " << name
                             << " broadcastable to (batch, head, query, key), "
                                "got rank "
                             << rank;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t dim = 4 - rank + axis, got = type.getDimSize(axis);
    if (got != 1 && !mayEqual(got, extents[dim]))
      return op->emitOpError() << "expected axis " << axis << " of " << name
                               << " to be 1 or the extent of " << axes[dim]
                               << " = " << extents[dim] << ", got " << got;
  }
  return success();
}

LogicalResult lattn::verifyHeads(Operation *op, int64_t heads,
                                 int64_t kvHeads) {
  if (ShapedType::isDynamic(heads) || ShapedType::isDynamic(kvHeads) ||
      (kvHeads == 0 ? heads == 0 : heads % kvHeads == 0))
    return success();
  return op->emitOpError() << "expected query heads to be a multiple of key "
                              "heads, got "
                           << heads << " and " << kvHeads;
}

LogicalResult lattn::verifyAllTensorsOrAllMemRefs(Operation *op) {
  bool tensors = false, memrefs = false;
  for (Type type : op->getOperandTypes()) {
    tensors |= isa<RankedTensorType>(type);
    memrefs |= isa<MemRefType>(type);
  }
  if (tensors && memrefs)
    return op->emitOpError("expected all operands to be tensors or all to be "
                           "memrefs, got both");
  return success();
}

LogicalResult lattn::requireTensors(DestinationStyleOpInterface op) {
  if (op.hasPureTensorSemantics())
    return success();
  return op.emitOpError("decomposes on tensors only");
}

FailureOr<SmallVector<Value>>
lattn::decomposeBefore(DestinationStyleOpInterface op, OpBuilder &b,
                       function_ref<SmallVector<Value>()> build) {
  if (failed(requireTensors(op)))
    return failure();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  return build();
}

bool lattn::isDropout(TypeRange types, size_t count) {
  return types.size() == count && types[0].isF32() &&
         llvm::all_of(types.drop_front(),
                      [](Type type) { return type.isInteger(64); });
}

LogicalResult lattn::verifyDropoutOperands(Operation *op, TypeRange types) {
  if (types.empty() || isDropout(types, 3))
    return success();
  return op->emitOpError(
      "expected dropout (p : f32, seed : i64, offset : i64)");
}

LogicalResult lattn::verifyPartDropout(Operation *op, TypeRange types) {
  if (types.empty() || isDropout(types, 3) || isDropout(types, 4))
    return success();
  return op->emitOpError("expected dropout (p : f32, seed : i64, offset : i64) "
                         "or, with heads : i64 behind, of a larger op");
}

LogicalResult lattn::verifyStepDropout(Operation *op, TypeRange types) {
  if (types.empty() || isDropout(types, 4))
    return success();
  return op->emitOpError("expected dropout (p : f32, seed : i64, offset : i64, "
                         "heads : i64)");
}

LogicalResult lattn::verifyOriginOffset(AttentionOpInterface op) {
  if (op.getOrigin().empty() || op.getOffset())
    return success();
  return op->emitOpError("expected an offset beside an origin: the default "
                         "offset needs the whole lengths");
}

LogicalResult lattn::verifyStepOffset(AttentionOpInterface op) {
  if (!op.getEffectiveWindow() || op.getOffset())
    return success();
  return op->emitOpError("expected an offset beside a window: the default of "
                         "lattn.attention needs the whole key length");
}

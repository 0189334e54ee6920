//===- AttentionOp.cpp - lattn.attention: verifier and shape interfaces ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// attention_c5
static LogicalResult verifyLengths(AttentionOp op) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  unsigned position = op.getPositionAxis();
  if (failed(verifyExtent(op, op.getValue(), "value", position,
                          key.getDimSize(position), "key's length")))
    return failure();
  return verifyExtent(op, op.getOutput(), "output", position,
                      query.getDimSize(position), "query's length");
}

/// attention_c8
static LogicalResult verifyLse(AttentionOp op) {
  Value lse = op.getLse();
  if (!lse)
    return success();
  auto query = cast<ShapedType>(op.getQuery().getType());
  if (failed(verifyRank(op, lse, "lse", 3, "(batch, head, query)")) ||
      failed(verifyElementType(op, lse, "lse", op.getAccumulatorType())) ||
      failed(verifyExtent(op, lse, "lse", 0, query.getDimSize(0),
                          "query's batch")) ||
      failed(verifyExtent(op, lse, "lse", 1, query.getDimSize(op.getHeadAxis()),
                          "query's heads")))
    return failure();
  return verifyExtent(op, lse, "lse", 2, query.getDimSize(op.getPositionAxis()),
                      "query's length");
}

/// attention_c17
static LogicalResult verifyDropout(AttentionOp op) {
  TypeRange types = op.getDropout().getTypes();
  if (types.empty() || isDropout(types, 3) || isDropout(types, 4))
    return success();
  return op.emitOpError("expected dropout (p : f32, seed : i64, offset : i64) "
                        "or, with heads : i64 behind, of a larger op");
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyRequired(
          *this, {{0, "query"}, {1, "key"}, {2, "value"}, {11, "output"}})) ||
      failed(verifyAllTensorsOrAllMemRefs(*this)) || // attention_c20
      failed(verifyHeadShapes(*this)) || failed(verifyLengths(*this)) ||
      failed(verifyLse(*this)) || failed(verifyDropout(*this)))
    return failure();
  // attention_c18
  if (!getOrigin().empty() && !getOffset())
    return emitOpError("expected an offset beside an origin: the default "
                       "offset needs the whole lengths");
  auto query = cast<ShapedType>(getQuery().getType());
  auto key = cast<ShapedType>(getKey().getType());
  // attention_c12
  if (failed(verifySink(*this, getSink(), query.getDimSize(getHeadAxis()))))
    return failure();
  // attention_c22
  if (failed(verifyProducts(*this, getScheduleAttr())))
    return failure();
  return verifyScoring(*this,
                       {query.getDimSize(0), query.getDimSize(getHeadAxis()),
                        query.getDimSize(getPositionAxis()),
                        key.getDimSize(getPositionAxis())});
}

//===----------------------------------------------------------------------===//
// Destination style
//===----------------------------------------------------------------------===//

MutableOperandRange AttentionOp::getDpsInitsMutable() {
  auto [start, size] = getODSOperandIndexAndLength(11);
  return MutableOperandRange(*this, start, size + (getLse() ? 1 : 0));
}

LogicalResult AttentionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes({adaptor.getOutput(), adaptor.getLse()}, types);
}

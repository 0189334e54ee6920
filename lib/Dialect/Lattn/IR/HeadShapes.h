//===- HeadShapes.h - Shapes of query, key, value and output ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_HEADSHAPES_H
#define LATTN_LIB_DIALECT_LATTN_IR_HEADSHAPES_H

#include "OpHelpers.h"

namespace lattn {

/// Verifies query, key, value and output of attention and local_attention,
/// except for their lengths.
template <typename OpTy> mlir::LogicalResult verifyHeadShapes(OpTy op) {
  llvm::StringRef axes = op.isBnhd() ? "(batch, position, head, size)"
                                     : "(batch, head, position, size)";
  auto query = mlir::cast<mlir::ShapedType>(op.getQuery().getType());
  std::pair<mlir::Value, llvm::StringRef> operands[] = {
      {op.getQuery(), "query"},
      {op.getKey(), "key"},
      {op.getValue(), "value"},
      {op.getOutput(), "output"}};
  // attention_c1, attention_c2, local_attention_c1
  for (auto [value, name] : operands)
    if (failed(verifyRank(op, value, name, 4, axes)) ||
        failed(verifyAccumulator(op, value, name, query)))
      return mlir::failure();
  // attention_c3, local_attention_c2
  for (auto [value, name] : llvm::ArrayRef(operands).drop_front())
    if (failed(verifyExtent(op, value, name, 0, query.getDimSize(0),
                            "query's batch")))
      return mlir::failure();
  auto key = mlir::cast<mlir::ShapedType>(op.getKey().getType());
  auto value = mlir::cast<mlir::ShapedType>(op.getValue().getType());
  unsigned head = op.getHeadAxis();
  // attention_c4, local_attention_c2
  int64_t heads = query.getDimSize(head), kvHeads = key.getDimSize(head);
  if (failed(verifyHeads(op, heads, kvHeads)) ||
      failed(verifyExtent(op, op.getValue(), "value", head, kvHeads,
                          "key's heads")) ||
      failed(verifyExtent(op, op.getOutput(), "output", head, heads,
                          "query's heads")))
    return mlir::failure();
  // attention_c6, local_attention_c3
  if (query.getDimSize(3) == 0 || key.getDimSize(3) == 0)
    return op.emitOpError("expected a head size of at least 1, got 0");
  if (failed(verifyExtent(op, op.getKey(), "key", 3, query.getDimSize(3),
                          "query's head size")))
    return mlir::failure();
  // attention_c7, local_attention_c3
  return verifyExtent(op, op.getOutput(), "output", 3, value.getDimSize(3),
                      "value's head size");
}

/// The extents of (batch, head, query, key).
template <typename OpTy> std::array<int64_t, 4> getScoreExtents(OpTy op) {
  auto query = mlir::cast<mlir::ShapedType>(op.getQuery().getType());
  auto key = mlir::cast<mlir::ShapedType>(op.getKey().getType());
  unsigned position = op.getPositionAxis();
  return {query.getDimSize(0), query.getDimSize(op.getHeadAxis()),
          query.getDimSize(position), key.getDimSize(position)};
}

/// Errors unless value is as long as key and output as long as query.
template <typename OpTy> mlir::LogicalResult verifyLengths(OpTy op) {
  auto [batch, heads, queries, keys] = getScoreExtents(op);
  unsigned position = op.getPositionAxis();
  if (failed(verifyExtent(op, op.getValue(), "value", position, keys,
                          "key's length")))
    return mlir::failure();
  return verifyExtent(op, op.getOutput(), "output", position, queries,
                      "query's length");
}

/// Errors unless `value`, if there is one, is a (batch, head, query) array of
/// the accumulator type.
template <typename OpTy>
mlir::LogicalResult verifyRowArray(OpTy op, mlir::Value value,
                                   llvm::StringRef name) {
  if (!value)
    return mlir::success();
  if (failed(verifyRank(op, value, name, 3, "(batch, head, query)")) ||
      failed(verifyElementType(op, value, name, op.getAccumulatorType())))
    return mlir::failure();
  llvm::StringRef meanings[] = {"query's batch", "query's heads",
                                "query's length"};
  auto extents = getScoreExtents(op);
  for (auto [axis, extent, meaning] :
       llvm::enumerate(llvm::ArrayRef(extents).drop_back(), meanings))
    if (failed(verifyExtent(op, value, name, axis, extent, meaning)))
      return mlir::failure();
  return mlir::success();
}

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_HEADSHAPES_H

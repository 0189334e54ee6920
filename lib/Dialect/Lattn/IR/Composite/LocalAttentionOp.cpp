//===- LocalAttentionOp.cpp - lattn.local_attention: verifier, window -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAttentionVerifier.h"

using namespace mlir;
using namespace lattn;

WindowAttr LocalAttentionOp::getWindow() {
  int64_t block = getBlockLength(), module = getWindowSize();
  int64_t back = getLookBackward(), forward = getForwardBlocks();
  std::optional<int64_t> left, right, bucket;
  // The limits are the module's, whatever this call's blocks are.
  if (getExactWindowsize()) {
    left = module * back;
    right = module * forward;
  }
  if (getCausal())
    right = 0;
  // Within [p - W * back, p + W * forward] no block boundary hides anything.
  if (!getExactWindowsize() || block != module)
    bucket = block;
  return WindowAttr::get(getContext(), left, right, bucket, bucket ? back : 0,
                         bucket ? forward : 0);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// local_attention_c1 to local_attention_c3
static LogicalResult verifyShapes(LocalAttentionOp op) {
  StringRef axes = op.isBnhd() ? "(batch, position, head, size)"
                               : "(batch, head, position, size)";
  auto query = cast<ShapedType>(op.getQuery().getType());
  auto key = cast<ShapedType>(op.getKey().getType());
  std::pair<Value, StringRef> operands[] = {{op.getQuery(), "query"},
                                            {op.getKey(), "key"},
                                            {op.getValue(), "value"},
                                            {op.getOutput(), "output"}};
  // local_attention_c1
  for (auto [value, name] : operands)
    if (failed(verifyRank(op, value, name, 4, axes)) ||
        failed(verifyAccumulator(op, value, name, query)))
      return failure();
  // local_attention_c2
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  for (auto [value, name] : ArrayRef(operands).drop_front())
    if (failed(verifyExtent(op, value, name, 0, query.getDimSize(0),
                            "query's batch")) ||
        failed(verifyExtent(op, value, name, position,
                            query.getDimSize(position), "query's length")))
      return failure();
  int64_t heads = query.getDimSize(head), kvHeads = key.getDimSize(head);
  if (failed(verifyHeads(op, heads, kvHeads)) ||
      failed(verifyExtent(op, op.getValue(), "value", head, kvHeads,
                          "key's heads")) ||
      failed(verifyExtent(op, op.getOutput(), "output", head, heads,
                          "query's heads")))
    return failure();
  // local_attention_c3
  if (query.getDimSize(3) == 0 || key.getDimSize(3) == 0)
    return op.emitOpError("expected a head size of at least 1, got 0");
  if (failed(verifyExtent(op, op.getKey(), "key", 3, query.getDimSize(3),
                          "query's head size")))
    return failure();
  return verifyExtent(op, op.getOutput(), "output", 3,
                      cast<ShapedType>(op.getValue().getType()).getDimSize(3),
                      "value's head size");
}

LogicalResult LocalAttentionOp::verify() {
  if (failed(verifyRequired(
          *this, {{0, "query"}, {1, "key"}, {2, "value"}, {6, "output"}})) ||
      failed(verifyAllTensorsOrAllMemRefs(*this)) || // local_attention_c1
      failed(verifyShapes(*this)))
    return failure();
  auto query = cast<ShapedType>(getQuery().getType());
  LocalSequence sequence = {"query",
                            query.getElementType(),
                            query.getDimSize(0),
                            query.getDimSize(getHeadAxis()),
                            query.getDimSize(getPositionAxis()),
                            query.getDimSize(3),
                            getCallWindowSize()};
  if (failed(verifyLocal(*this, sequence)))
    return failure();
  // local_attention_c11
  if (getCallWindowSize() && !getUseXpos())
    return emitOpError("expected use_xpos beside call_window_size: windows "
                       "extrapolate with xpos only");
  // local_attention_c12
  return verifyDropoutOperands(*this, getDropout().getTypes());
}

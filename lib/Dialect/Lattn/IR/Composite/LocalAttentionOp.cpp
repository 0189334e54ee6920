//===- LocalAttentionOp.cpp - lattn.local_attention: verifier, window -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../HeadShapes.h"
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

/// local_attention_c2
static LogicalResult verifyOneLength(LocalAttentionOp op) {
  unsigned position = op.getPositionAxis();
  int64_t length =
      cast<ShapedType>(op.getQuery().getType()).getDimSize(position);
  std::pair<Value, StringRef> operands[] = {{op.getKey(), "key"},
                                            {op.getValue(), "value"},
                                            {op.getOutput(), "output"}};
  for (auto [value, name] : operands)
    if (failed(
            verifyExtent(op, value, name, position, length, "query's length")))
      return failure();
  return success();
}

LogicalResult LocalAttentionOp::verify() {
  if (failed(verifyAttentionOperands(*this,
                                     {{6, "output"}})) || // local_attention_c1
      failed(verifyHeadShapes(*this)) ||
      failed(verifyOneLength(*this)))
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

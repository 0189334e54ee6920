//===- LocalAttentionOp.cpp - lattn.local_attention: verifier, window -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"

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

/// local_attention_c4, local_attention_c5, local_attention_c11
static LogicalResult verifyWindow(LocalAttentionOp op) {
  // local_attention_c4: the caps keep positions far from overflow.
  auto inRange = [&](StringRef name, std::optional<int64_t> value,
                     int64_t least, int64_t most) -> LogicalResult {
    if (!value || (*value >= least && *value <= most))
      return success();
    return op.emitOpError() << "expected " << name << " in [" << least << ", "
                            << most << "], got " << *value;
  };
  constexpr int64_t maxWindow = int64_t(1) << 30, maxBlocks = 1 << 8;
  if (failed(inRange("window_size", op.getWindowSize(), 1, maxWindow)) ||
      failed(
          inRange("call_window_size", op.getCallWindowSize(), 1, maxWindow)) ||
      failed(inRange("look_backward", op.getLookBackward(), 0, maxBlocks)) ||
      failed(inRange("look_forward", op.getLookForward(), 0, maxBlocks)))
    return failure();
  // local_attention_c5
  if (op.getCausal() && op.getForwardBlocks() > 0)
    return op.emitOpError("cannot look forward if causal, got look_forward = ")
           << op.getForwardBlocks();
  // local_attention_c11
  if (op.getCallWindowSize() && !op.getUseXpos())
    return op.emitOpError("expected use_xpos beside call_window_size: windows "
                          "extrapolate with xpos only");
  return success();
}

/// local_attention_c6: of a length that is known.
static LogicalResult verifyLength(LocalAttentionOp op) {
  int64_t length = cast<ShapedType>(op.getQuery().getType())
                       .getDimSize(op.getPositionAxis());
  if (ShapedType::isDynamic(length))
    return success();
  int64_t block = op.getBlockLength();
  if (op.getAutopad())
    length = llvm::alignTo(length, op.getWindowSize());
  if (length % block == 0)
    return success();
  return op.emitOpError() << "expected a sequence length divisible by the "
                             "window's "
                          << block << ", got " << length
                          << (op.getAutopad() ? " after padding" : "");
}

/// local_attention_c7
static LogicalResult verifyRotary(LocalAttentionOp op) {
  if (!op.getDim())
    return success();
  int64_t size = cast<ShapedType>(op.getQuery().getType()).getDimSize(3);
  if (ShapedType::isDynamic(size) || size % 2)
    return op.emitOpError("expected a known, even head size for rotary, got ")
           << (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  int64_t dim = *op.getDim();
  if (dim != size && dim != size - 1)
    return op.emitOpError() << "expected dim to be the head size = " << size
                            << " or one less, got " << dim;
  if (!(op.getTheta().convertToDouble() > 0) || !op.getTheta().isFinite())
    return op.emitOpError("expected theta to be positive and finite, got ")
           << op.getThetaAttr();
  if (op.getXposScaleBase() && !op.getXposScaleBase()->isFinite())
    return op.emitOpError("expected a finite xpos_scale_base, got ")
           << op.getXposScaleBaseAttr();
  return success();
}

/// local_attention_c9, local_attention_c10
static LogicalResult verifyMasks(LocalAttentionOp op) {
  auto query = cast<ShapedType>(op.getQuery().getType());
  if (Value bias = op.getBias()) {
    if (failed(verifyRank(op, bias, "bias", 3, "(head, row, slot)")) ||
        failed(verifyAccumulator(op, bias, "bias", query)))
      return failure();
    auto type = cast<ShapedType>(bias.getType());
    int64_t heads = query.getDimSize(op.getHeadAxis());
    int64_t biasHeads = type.getDimSize(0);
    if (ShapedType::isStatic(biasHeads) &&
        (biasHeads == 0 ||
         (ShapedType::isStatic(heads) && heads % biasHeads != 0)))
      return op.emitOpError()
             << "expected query heads to be a multiple of bias heads, got "
             << (ShapedType::isStatic(heads) ? std::to_string(heads) : "?")
             << " and " << biasHeads;
    std::pair<int64_t, StringRef> extents[] = {
        {op.getBlockLength(), "the rows of a block"},
        {op.getNumSlots(), "the slots of a block"}};
    for (auto [i, extent] : llvm::enumerate(extents)) {
      int64_t got = type.getDimSize(i + 1);
      if (got != 1 && got != extent.first)
        return op.emitOpError()
               << "expected axis " << i + 1 << " of bias to be 1 or "
               << extent.second << " = " << extent.first << ", got "
               << (ShapedType::isDynamic(got) ? "?" : std::to_string(got));
    }
  }
  Value mask = op.getKeyMask();
  if (!mask)
    return success();
  if (failed(verifyRank(op, mask, "key_mask", 2, "(batch, key)")) ||
      failed(verifyExtent(op, mask, "key_mask", 0, query.getDimSize(0),
                          "query's batch")))
    return failure();
  return verifyExtent(op, mask, "key_mask", 1,
                      query.getDimSize(op.getPositionAxis()), "query's length");
}

LogicalResult LocalAttentionOp::verify() {
  if (failed(verifyRequired(
          *this, {{0, "query"}, {1, "key"}, {2, "value"}, {5, "output"}})) ||
      failed(verifyAllTensorsOrAllMemRefs(*this)) || // local_attention_c1
      failed(verifyShapes(*this)) || failed(verifyWindow(*this)) ||
      failed(verifyLength(*this)) || failed(verifyRotary(*this)) ||
      failed(verifyMasks(*this)))
    return failure();
  // local_attention_c8
  if (getScale() && !getScale()->isFinite())
    return emitOpError("expected a finite scale, got ") << getScaleAttr();
  return success();
}

//===----------------------------------------------------------------------===//
// Destination style, effects, shapes
//===----------------------------------------------------------------------===//

LogicalResult LocalAttentionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  return inferDestinationTypes(operands.take_back(1), types);
}

void LocalAttentionOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addDestinationEffects(cast<DestinationStyleOpInterface>(getOperation()),
                        effects);
}

LogicalResult
LocalAttentionOp::reifyResultShapes(OpBuilder &b,
                                    ReifiedRankedShapedTypeDims &shapes) {
  return reifyDestinationShapes(
      b, cast<DestinationStyleOpInterface>(getOperation()), shapes);
}

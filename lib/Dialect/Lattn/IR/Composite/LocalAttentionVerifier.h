//===- LocalAttentionVerifier.h - What local attention asks of its options -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_IR_COMPOSITE_LOCALATTENTIONVERIFIER_H
#define LATTN_LIB_DIALECT_LATTN_IR_COMPOSITE_LOCALATTENTIONVERIFIER_H

#include "../OpHelpers.h"

namespace lattn {

/// The sequence of a local attention. Extents may be unknown.
struct LocalSequence {
  llvm::StringRef name; // of the operand with the sequence
  mlir::Type element;
  int64_t batch, heads, length, headSize;
  std::optional<int64_t> callWindow = std::nullopt;
};

/// local_attention_c4, local_attention_c5
template <typename OpTy>
mlir::LogicalResult verifyLocalWindow(OpTy op,
                                      std::optional<int64_t> callWindow) {
  // local_attention_c4: the caps keep positions far from overflow.
  auto inRange = [&](llvm::StringRef name, std::optional<int64_t> value,
                     int64_t least, int64_t most) -> mlir::LogicalResult {
    if (!value || (*value >= least && *value <= most))
      return mlir::success();
    return op.emitOpError() << "expected " << name << " in [" << least << ", "
                            << most << "], got " << *value;
  };
  constexpr int64_t maxWindow = int64_t(1) << 30, maxBlocks = 1 << 8;
  if (failed(inRange("window_size", op.getWindowSize(), 1, maxWindow)) ||
      failed(inRange("call_window_size", callWindow, 1, maxWindow)) ||
      failed(inRange("look_backward", op.getLookBackward(), 0, maxBlocks)) ||
      failed(inRange("look_forward", op.getLookForward(), 0, maxBlocks)))
    return mlir::failure();
  // local_attention_c5
  if (op.getCausal() && op.getForwardBlocks() > 0)
    return op.emitOpError("cannot look forward if causal, got look_forward = ")
           << op.getForwardBlocks();
  return mlir::success();
}

/// local_attention_c6, if the length is known.
template <typename OpTy>
mlir::LogicalResult verifyLocalLength(OpTy op, int64_t length) {
  if (mlir::ShapedType::isDynamic(length))
    return mlir::success();
  int64_t block = op.getBlockLength();
  if (op.getAutopad())
    length = llvm::alignTo(length, op.getWindowSize());
  if (length % block == 0)
    return mlir::success();
  return op.emitOpError() << "expected a sequence length divisible by the "
                             "window's "
                          << block << ", got " << length
                          << (op.getAutopad() ? " after padding" : "");
}

/// local_attention_c7
template <typename OpTy>
mlir::LogicalResult verifyLocalRotary(OpTy op, int64_t size) {
  if (!op.getDim())
    return mlir::success();
  if (mlir::ShapedType::isDynamic(size) || size % 2)
    return op.emitOpError("expected a known, even head size for rotary, got ")
           << (mlir::ShapedType::isDynamic(size) ? "?" : std::to_string(size));
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
  return mlir::success();
}

/// local_attention_c9
template <typename OpTy>
mlir::LogicalResult verifyLocalBias(OpTy op, const LocalSequence &sequence) {
  mlir::Value bias = op.getBias();
  if (!bias)
    return mlir::success();
  if (failed(verifyRank(op, bias, "bias", 3, "(head, row, slot)")) ||
      failed(verifyAccumulator(op, bias, "bias", sequence.element)))
    return mlir::failure();
  auto type = mlir::cast<mlir::ShapedType>(bias.getType());
  int64_t heads = sequence.heads, biasHeads = type.getDimSize(0);
  bool known = mlir::ShapedType::isStatic(heads);
  if (mlir::ShapedType::isStatic(biasHeads) &&
      (biasHeads == 0 || (known && heads % biasHeads != 0)))
    return op.emitOpError()
           << "expected query heads to be a multiple of bias heads, got "
           << (known ? std::to_string(heads) : "?") << " and " << biasHeads;
  std::pair<int64_t, llvm::StringRef> extents[] = {
      {op.getBlockLength(), "the rows of a block"},
      {op.getNumSlots(), "the slots of a block"}};
  for (auto [i, extent] : llvm::enumerate(extents)) {
    int64_t got = type.getDimSize(i + 1);
    if (got != 1 && got != extent.first)
      return op.emitOpError()
             << "expected axis " << i + 1 << " of bias to be 1 or "
             << extent.second << " = " << extent.first << ", got "
             << (mlir::ShapedType::isDynamic(got) ? "?" : std::to_string(got));
  }
  return mlir::success();
}

/// local_attention_c10
template <typename OpTy>
mlir::LogicalResult verifyLocalMask(OpTy op, const LocalSequence &sequence) {
  mlir::Value mask = op.getKeyMask();
  if (!mask)
    return mlir::success();
  if (failed(verifyRank(op, mask, "key_mask", 2, "(batch, key)")) ||
      failed(verifyExtent(op, mask, "key_mask", 0, sequence.batch,
                          (sequence.name + "'s batch").str())))
    return mlir::failure();
  return verifyExtent(op, mask, "key_mask", 1, sequence.length,
                      (sequence.name + "'s length").str());
}

/// local_attention_c4 to local_attention_c10
template <typename OpTy>
mlir::LogicalResult verifyLocal(OpTy op, const LocalSequence &sequence) {
  if (failed(verifyLocalWindow(op, sequence.callWindow)) ||
      failed(verifyLocalLength(op, sequence.length)) ||
      failed(verifyLocalRotary(op, sequence.headSize)) ||
      failed(verifyLocalBias(op, sequence)) ||
      failed(verifyLocalMask(op, sequence)))
    return mlir::failure();
  // local_attention_c8
  if (op.getScale() && !op.getScale()->isFinite())
    return op.emitOpError("expected a finite scale, got ") << op.getScaleAttr();
  return mlir::success();
}

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_IR_COMPOSITE_LOCALATTENTIONVERIFIER_H

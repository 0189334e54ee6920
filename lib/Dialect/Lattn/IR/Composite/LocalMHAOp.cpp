//===- LocalMHAOp.cpp - lattn.local_mha: verifier -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAttentionVerifier.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Errors unless `value`, if there is one, has these extents, as far as known,
/// and input's accumulator type.
static LogicalResult verifyWeight(LocalMHAOp op, Value value, StringRef name,
                                  StringRef axes, ArrayRef<int64_t> extents,
                                  ArrayRef<StringRef> meanings) {
  return verifyArray(op, value, name, axes, extents, meanings,
                     op.getInput().getType());
}

/// local_mha_c1
static LogicalResult verifySequences(LocalMHAOp op) {
  auto input = cast<ShapedType>(op.getInput().getType());
  constexpr StringRef axes = "(batch, position, element)";
  if (failed(verifyRank(op, op.getInput(), "input", 3, axes)) ||
      failed(
          verifyWeight(op, op.getOutput(), "output", axes, input.getShape(),
                       {"input's batch", "input's length", "input's width"})))
    return failure();
  if (input.getDimSize(2) == 0)
    return op.emitOpError("expected an input of width 1 at least, got 0");
  return success();
}

/// local_mha_c2, local_mha_c3
static LogicalResult verifyProjections(LocalMHAOp op) {
  int64_t width = cast<ShapedType>(op.getInput().getType()).getDimSize(2);
  int64_t any = ShapedType::kDynamic;
  // local_mha_c2: heads are few enough for 3 * H to be far from overflow.
  int64_t heads = op.getHeads();
  constexpr int64_t mostHeads = int64_t(1) << 20;
  if (heads < 1 || heads > mostHeads)
    return op.emitOpError("expected heads in [1, ")
           << mostHeads << "], got " << heads;
  if (failed(verifyWeight(op, op.getWQkv(), "w_qkv",
                          "(3 * heads * size, width)", {any, width},
                          {"", "input's width"})))
    return failure();
  int64_t rows = cast<ShapedType>(op.getWQkv().getType()).getDimSize(0);
  if (ShapedType::isDynamic(rows) || rows == 0 || rows % (3 * heads))
    return op.emitOpError("expected axis 0 of w_qkv to be a known, positive "
                          "multiple of 3 * heads = ")
           << 3 * heads << ", got "
           << (ShapedType::isDynamic(rows) ? "?" : std::to_string(rows));
  // local_mha_c3
  return verifyWeight(op, op.getWOut(), "w_out", "(width, heads * size)",
                      {width, heads * op.getHeadSize()},
                      {"input's width", "a third of w_qkv's rows"});
}

/// local_mha_c4 to local_mha_c6
static LogicalResult verifyOptional(LocalMHAOp op) {
  int64_t width = cast<ShapedType>(op.getInput().getType()).getDimSize(2);
  int64_t heads = op.getHeads(), size = op.getHeadSize();
  // local_mha_c4
  if (failed(verifyWeight(op, op.getNormGain(), "norm_gain", "(width)", {width},
                          {"input's width"})) ||
      failed(verifyWeight(op, op.getNormBias(), "norm_bias", "(width)", {width},
                          {"input's width"})))
    return failure();
  if (op.getNormBias() && !op.getNormGain())
    return op.emitOpError("expected norm_gain beside norm_bias");
  if (!(op.getNormEps().convertToDouble() >= 0) || !op.getNormEps().isFinite())
    return op.emitOpError("expected norm_eps of at least 0 and finite, got ")
           << op.getNormEpsAttr();
  // local_mha_c5
  if (failed(verifyWeight(op, op.getQScale(), "q_scale", "(size)", {size},
                          {"the head size"})) ||
      failed(verifyWeight(op, op.getKScale(), "k_scale", "(size)", {size},
                          {"the head size"})))
    return failure();
  if (!op.getQScale() != !op.getKScale())
    return op.emitOpError("expected q_scale and k_scale together, got ")
           << (op.getQScale() ? "q_scale" : "k_scale") << " alone";
  // local_mha_c6
  if (failed(verifyWeight(op, op.getWGate(), "w_gate", "(head, width)",
                          {heads, width}, {"heads", "input's width"})) ||
      failed(verifyWeight(op, op.getGateBias(), "gate_bias", "(head)", {heads},
                          {"heads"})))
    return failure();
  if (op.getGateBias() && !op.getWGate())
    return op.emitOpError("expected w_gate beside gate_bias");
  return success();
}

LogicalResult LocalMHAOp::verify() {
  if (failed(verifyOperands( // local_mha_c1
          *this, {{0, "input"}, {1, "w_qkv"}, {2, "w_out"}, {11, "output"}})) ||
      failed(verifySequences(*this)) || failed(verifyProjections(*this)) ||
      failed(verifyOptional(*this)))
    return failure();
  // local_mha_c7, local_mha_c8
  auto input = cast<ShapedType>(getInput().getType());
  return verifyLocal(*this,
                     {"input", input.getElementType(), input.getDimSize(0),
                      static_cast<int64_t>(getHeads()), input.getDimSize(1),
                      getHeadSize()});
}

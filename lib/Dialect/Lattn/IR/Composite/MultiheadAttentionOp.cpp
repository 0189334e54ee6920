//===- MultiheadAttentionOp.cpp - lattn.multihead_attention: verifier -----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../OpHelpers.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

static int64_t getExtent(Value value, unsigned axis) {
  return cast<ShapedType>(value.getType()).getDimSize(axis);
}

/// S', the number of all keys, those of the state included.
static int64_t getNumKeys(MultiheadAttentionOp op) {
  int64_t keys = getExtent(op.getKey(), 1);
  if (!op.getNextKey())
    return keys;
  int64_t before = op.getPrevKey() ? getExtent(op.getPrevKey(), 2) : 0;
  if (ShapedType::isDynamic(keys) || ShapedType::isDynamic(before))
    return getExtent(op.getNextKey(), 2);
  return before + keys;
}

/// Errors unless `value`, if there is one, has these extents, as far as known,
/// and query's accumulator type.
static LogicalResult verify(MultiheadAttentionOp op, Value value,
                            StringRef name, StringRef axes,
                            ArrayRef<int64_t> extents,
                            ArrayRef<StringRef> meanings) {
  return verifyArray(op, value, name, axes, extents, meanings,
                     op.getQuery().getType());
}

/// multihead_attention_c1
static LogicalResult verifySequences(MultiheadAttentionOp op) {
  constexpr StringRef axes = "(batch, position, element)";
  constexpr int64_t any = ShapedType::kDynamic;
  if (failed(verifyRank(op, op.getQuery(), "query", 3, axes)))
    return failure();
  int64_t batch = getExtent(op.getQuery(), 0);
  if (failed(verify(op, op.getKey(), "key", axes, {batch, any, any},
                    {"query's batch", "", ""})) ||
      failed(verify(op, op.getValue(), "value", axes,
                    {batch, getExtent(op.getKey(), 1), any},
                    {"query's batch", "key's length", ""})) ||
      failed(verify(op, op.getOutput(), "output", axes,
                    {batch, getExtent(op.getQuery(), 1), any},
                    {"query's batch", "query's length", ""})))
    return failure();
  std::pair<Value, StringRef> operands[] = {{op.getQuery(), "query"},
                                            {op.getKey(), "key"},
                                            {op.getValue(), "value"},
                                            {op.getOutput(), "output"}};
  for (auto [value, name] : operands)
    if (getExtent(value, 2) == 0)
      return op.emitOpError()
             << "expected " << name << " of width 1 at least, got 0";
  return success();
}

/// multihead_attention_c2, multihead_attention_c3
static LogicalResult verifyWeights(MultiheadAttentionOp op) {
  // multihead_attention_c2
  int64_t heads = op.getHeads();
  constexpr int64_t mostHeads = int64_t(1) << 20, any = ShapedType::kDynamic;
  if (heads < 1 || heads > mostHeads)
    return op.emitOpError("expected heads in [1, ")
           << mostHeads << "], got " << heads;
  constexpr StringRef axes = "(heads * size, width)";
  if (failed(verify(op, op.getWQ(), "w_q", axes,
                    {any, getExtent(op.getQuery(), 2)}, {"", "query's width"})))
    return failure();
  int64_t rows = getExtent(op.getWQ(), 0);
  if (ShapedType::isDynamic(rows) || rows == 0 || rows % heads)
    return op.emitOpError("expected axis 0 of w_q to be a known, positive "
                          "multiple of heads = ")
           << heads << ", got "
           << (ShapedType::isDynamic(rows) ? "?" : std::to_string(rows));
  // multihead_attention_c3
  if (failed(verify(op, op.getWK(), "w_k", axes,
                    {rows, getExtent(op.getKey(), 2)},
                    {"w_q's rows", "key's width"})) ||
      failed(verify(op, op.getWV(), "w_v", axes,
                    {rows, getExtent(op.getValue(), 2)},
                    {"w_q's rows", "value's width"})))
    return failure();
  return verify(op, op.getWOut(), "w_out", "(width, heads * size)",
                {getExtent(op.getOutput(), 2), rows},
                {"output's width", "w_q's rows"});
}

/// multihead_attention_c4, multihead_attention_c5
static LogicalResult verifyVectors(MultiheadAttentionOp op) {
  int64_t rows = getExtent(op.getWQ(), 0);
  // multihead_attention_c4, multihead_attention_c5
  std::pair<Value, StringRef> inner[] = {{op.getBQ(), "b_q"},
                                         {op.getBK(), "b_k"},
                                         {op.getBV(), "b_v"},
                                         {op.getSublnGain(), "subln_gain"},
                                         {op.getSublnBias(), "subln_bias"}};
  for (auto [value, name] : inner)
    if (failed(
            verify(op, value, name, "(heads * size)", {rows}, {"w_q's rows"})))
      return failure();
  if (failed(verify(op, op.getBOut(), "b_out", "(width)",
                    {getExtent(op.getOutput(), 2)}, {"output's width"})))
    return failure();
  if (op.getSublnBias() && !op.getSublnGain())
    return op.emitOpError("expected subln_gain beside subln_bias");
  if (!(op.getSublnEps().convertToDouble() >= 0) ||
      !op.getSublnEps().isFinite())
    return op.emitOpError("expected subln_eps of at least 0 and finite, got ")
           << op.getSublnEpsAttr();
  return success();
}

/// multihead_attention_c6
static LogicalResult verifyState(MultiheadAttentionOp op) {
  if (!op.getPrevKey() != !op.getPrevValue())
    return op.emitOpError("expected prev_key and prev_value together, got ")
           << (op.getPrevKey() ? "prev_key" : "prev_value") << " alone";
  if (!op.getNextKey() != !op.getNextValue())
    return op.emitOpError("expected next_key and next_value together, got ")
           << (op.getNextKey() ? "next_key" : "next_value") << " alone";
  if (op.getPrevKey() && !op.getNextKey())
    return op.emitOpError("expected next_key beside prev_key");
  if (op.getIsFirstStep() && !op.getNextKey())
    return op.emitOpError("expected next_key beside is_first_step");
  if (!op.getNextKey())
    return success();
  constexpr StringRef axes = "(batch, head, position, size)";
  int64_t batch = getExtent(op.getQuery(), 0), any = ShapedType::kDynamic;
  int64_t heads = op.getHeads(), size = op.getHeadSize();
  if (op.getPrevKey() &&
      failed(verifyRank(op, op.getPrevKey(), "prev_key", 4, axes)))
    return failure();
  if (failed(verifyRank(op, op.getNextKey(), "next_key", 4, axes)))
    return failure();
  int64_t before = op.getPrevKey() ? getExtent(op.getPrevKey(), 2) : any;
  int64_t all = getNumKeys(op);
  std::tuple<Value, StringRef, int64_t, StringRef> states[] = {
      {op.getPrevKey(), "prev_key", any, ""},
      {op.getPrevValue(), "prev_value", before, "prev_key's length"},
      {op.getNextKey(), "next_key", all, "prev_key's and key's length"},
      {op.getNextValue(), "next_value", all, "next_key's length"}};
  for (auto [value, name, length, meaning] : states)
    if (failed(verify(op, value, name, axes, {batch, heads, length, size},
                      {"query's batch", "heads", meaning, "the head size"})))
      return failure();
  for (auto [prev, next, name] :
       {std::tuple(op.getPrevKey(), op.getNextKey(), "next_key"),
        std::tuple(op.getPrevValue(), op.getNextValue(), "next_value")})
    if (prev && failed(verifyElementType(op, next, name,
                                         getElementTypeOrSelf(prev.getType()))))
      return failure();
  return success();
}

/// multihead_attention_c7, multihead_attention_c8, multihead_attention_c10
static LogicalResult verifyScores(MultiheadAttentionOp op) {
  int64_t batch = getExtent(op.getQuery(), 0), heads = op.getHeads();
  int64_t queries = getExtent(op.getQuery(), 1), keys = getNumKeys(op);
  // multihead_attention_c7
  if (Value mask = op.getKeyPaddingMask())
    if (failed(verifyRank(op, mask, "key_padding_mask", 2, "(batch, key)")) ||
        failed(verifyExtent(op, mask, "key_padding_mask", 0, batch,
                            "query's batch")) ||
        failed(verifyExtent(op, mask, "key_padding_mask", 1, keys,
                            "the number of keys")))
      return failure();
  // multihead_attention_c8
  std::pair<Value, StringRef> added[] = {{op.getAttnMask(), "attn_mask"},
                                         {op.getRelPos(), "rel_pos"}};
  for (auto [value, name] : added)
    if (value &&
        (failed(verifyAccumulator(op, value, name, op.getQuery().getType())) ||
         failed(verifyBroadcastable(op, value, name,
                                    {batch, heads, queries, keys}))))
      return failure();
  // multihead_attention_c10
  return verify(
      op, op.getWeights(), "weights", "(head, batch, query, key)",
      {heads, batch, queries, keys},
      {"heads", "query's batch", "query's length", "the number of keys"});
}

/// multihead_attention_c11
static LogicalResult verifyNumbers(MultiheadAttentionOp op) {
  if (op.getScale() && !op.getScale()->isFinite())
    return op.emitOpError("expected a finite scale, got ") << op.getScaleAttr();
  if (!op.getXposScaleBase().isFinite())
    return op.emitOpError("expected a finite xpos_scale_base, got ")
           << op.getXposScaleBaseAttr();
  if (op.getUseXpos() && op.getHeadSize() % 2)
    return op.emitOpError("expected an even head size for xpos, got ")
           << op.getHeadSize();
  return success();
}

LogicalResult MultiheadAttentionOp::verify() {
  if (failed(verifyAttentionOperands(
          *this, {{3, "w_q"},
                  {4, "w_k"},
                  {5, "w_v"},
                  {6, "w_out"},
                  {19, "output"}})) || // multihead_attention_c1
      failed(verifySequences(*this)) ||
      failed(verifyWeights(*this)) || failed(verifyVectors(*this)) ||
      failed(verifyState(*this)) || failed(verifyScores(*this)) ||
      failed(verifyNumbers(*this)))
    return failure();
  // multihead_attention_c9
  return verifyDropoutOperands(*this, getDropout().getTypes());
}

//===----------------------------------------------------------------------===//
// Destination style
//===----------------------------------------------------------------------===//

MutableOperandRange MultiheadAttentionOp::getDpsInitsMutable() {
  unsigned start = getODSOperandIndexAndLength(19).first;
  return MutableOperandRange(*this, start, getNumOperands() - start);
}

LogicalResult MultiheadAttentionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes({adaptor.getOutput(), adaptor.getWeights(),
                                adaptor.getNextKey(), adaptor.getNextValue()},
                               types);
}

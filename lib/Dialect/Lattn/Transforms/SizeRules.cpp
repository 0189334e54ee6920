//===- SizeRules.cpp - What ops ask of sizes, at run time -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The numbered constraints of spec.md, as far as they are about sizes. The ops'
// verifiers check the same of sizes that are known at compile time.

#include "SizeRules.h"
#include "lattn/Dialect/Lattn/IR/ScoreReads.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;

using Sizes = SmallVector<Value>;
using Meanings = ArrayRef<StringRef>;

//===----------------------------------------------------------------------===//
// What ops have in common
//===----------------------------------------------------------------------===//

/// The axes of an array, which need not be there, from the first on.
static void equalAll(Operation *op, SizeChecker &c, Value array, StringRef name,
                     ArrayRef<Value> expected, Meanings meanings) {
  for (auto [axis, size, meaning] : llvm::enumerate(expected, meanings))
    c.equal(op, array, name, axis, size, meaning);
}

static void checkHeads(Operation *op, SizeChecker &c, Value heads,
                       Value kvHeads) {
  c.fail(op, c.isNoMultiple(heads, kvHeads),
         "expected query heads to be a multiple of key heads, got %lld and "
         "%lld",
         heads, kvHeads);
}

static void atLeastOne(Operation *op, SizeChecker &c, Value size,
                       StringRef what) {
  Value one = c.constant(1);
  c.fail(op, c.compare(CmpIPredicate::slt, size, one),
         "expected " + what + " of at least %lld, got %lld", one, size);
}

/// Each axis, aligned at the right with these sizes, is 1 by its type or
/// agrees.
static void checkBroadcastable(Operation *op, SizeChecker &c, Value array,
                               StringRef name, ArrayRef<Value> sizes) {
  constexpr StringLiteral axes[] = {"the extent of batch", "the extent of head",
                                    "the extent of query", "the extent of key"};
  if (!array)
    return;
  auto type = cast<ShapedType>(array.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.getDimSize(axis) != 1) {
      int64_t dim = 4 - type.getRank() + axis;
      c.equal(op, array, name, axis, sizes[dim], axes[dim]);
    }
}

/// attention_c9 to attention_c13 and attention_c23, of (batch, head, query,
/// key).
static void checkScoring(AttentionOpInterface op, SizeChecker &c,
                         ArrayRef<Value> sizes) {
  if (!op.getOrigin().empty())
    return;
  constexpr StringRef batch = "the extent of batch", key = "the extent of key";
  equalAll(op, c, op.getKeyMask(), "key_mask", {sizes[0], sizes[3]},
           {batch, key});
  equalAll(op, c, op.getKvLens(), "kv_lens", {sizes[0]}, {batch});
  if (Value offset = op.getOffset();
      offset && isa<ShapedType>(offset.getType()))
    c.equal(op, offset, "offset", 0, sizes[0], batch);
  if (!op.getBiasMapAttr())
    checkBroadcastable(op, c, op.getBias(), "bias", sizes);
  for (const ScoreRead &read : getScoreReads(op))
    c.inside(op, read.index, sizes, c.getSize(read.array, read.axis),
             read.what);
}

/// `array` has the sizes of `like`.
static void equalLike(Operation *op, SizeChecker &c, Value array,
                      StringRef name, Value like, StringRef meaning) {
  for (auto [axis, size] : llvm::enumerate(array ? c.getSizes(like) : Sizes()))
    c.equal(op, array, name, axis, size, meaning);
}

/// attention_c12
template <typename Op> static void checkSink(Op op, SizeChecker &c) {
  if (op.getOrigin().empty())
    equalAll(op, c, op.getSink(), "sink",
             {c.getSize(op.getQuery(), op.getHeadAxis())}, {"query's heads"});
}

/// attention_c3 to attention_c8
template <typename Op> static void checkAttention(Op op, SizeChecker &c) {
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  Sizes query = c.getSizes(op.getQuery()), key = c.getSizes(op.getKey());
  Value value = op.getValue(), output = op.getOutput(), lse = op.getLse();
  c.equal(op, op.getKey(), "key", 0, query[0], "query's batch");
  c.equal(op, value, "value", 0, query[0], "query's batch");
  c.equal(op, output, "output", 0, query[0], "query's batch");
  checkHeads(op, c, query[head], key[head]);
  c.equal(op, value, "value", head, key[head], "key's heads");
  c.equal(op, output, "output", head, query[head], "query's heads");
  c.equal(op, value, "value", position, key[position], "key's length");
  c.equal(op, output, "output", position, query[position], "query's length");
  atLeastOne(op, c, query[3], "a head size");
  c.equal(op, op.getKey(), "key", 3, query[3], "query's head size");
  c.equal(op, output, "output", 3, c.getSize(value, 3), "value's head size");
  equalAll(op, c, lse, "lse", {query[0], query[head], query[position]},
           {"query's batch", "query's heads", "query's length"});
  checkSink(op, c);
  checkScoring(op, c, {query[0], query[head], query[position], key[position]});
}

/// attention_c3 to attention_c8, attention_c12
static void check(AttentionOp op, SizeChecker &c) { checkAttention(op, c); }

/// attention_jvp_c1 to attention_jvp_c3, attention_jvp_c5, attention_jvp_c6
static void check(AttentionJvpOp op, SizeChecker &c) {
  checkAttention(op, c);
  std::tuple<Value, StringRef, Value, StringRef> pairs[] = {
      {op.getDQuery(), "d_query", op.getQuery(), "query's extent"},
      {op.getDKey(), "d_key", op.getKey(), "key's extent"},
      {op.getDValue(), "d_value", op.getValue(), "value's extent"},
      {op.getDSink(), "d_sink", op.getSink(), "sink's extent"},
      {op.getDBias(), "d_bias", op.getBias(), "bias's extent"},
      {op.getDOutput(), "d_output", op.getOutput(), "output's extent"},
      {op.getDLse(), "d_lse", op.getLse(), "lse's extent"}};
  for (auto [array, name, like, meaning] : pairs)
    equalLike(op, c, array, name, like, meaning);
  for (auto [array, like] : llvm::zip(op.getDCaptures(), op.getFloatCaptures()))
    equalLike(op, c, array, "d_captures", like, "the captured array's extent");
}

/// attention_scores_c3 to attention_scores_c6
static void check(AttentionScoresOp op, SizeChecker &c) {
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  Sizes query = c.getSizes(op.getQuery()), key = c.getSizes(op.getKey());
  Value sizes[] = {query[0], query[head], query[position], key[position]};
  c.equal(op, op.getKey(), "key", 0, query[0], "query's batch");
  checkHeads(op, c, query[head], key[head]);
  equalAll(
      op, c, op.getScores(), "scores", sizes,
      {"query's batch", "query's heads", "query's length", "key's length"});
  atLeastOne(op, c, query[3], "a head size");
  c.equal(op, op.getKey(), "key", 3, query[3], "query's head size");
  checkSink(op, c);
  checkScoring(op, c, sizes);
}

/// attention_grad_c1 to attention_grad_c5
static void check(AttentionGradOp op, SizeChecker &c) {
  Value output = op.getOutput(), value = op.getValue();
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  Sizes query = c.getSizes(op.getQuery()), key = c.getSizes(op.getKey());
  c.equal(op, op.getKey(), "key", 0, query[0], "query's batch");
  c.equal(op, value, "value", 0, query[0], "query's batch");
  checkHeads(op, c, query[head], key[head]);
  c.equal(op, value, "value", head, key[head], "key's heads");
  c.equal(op, value, "value", position, key[position], "key's length");
  atLeastOne(op, c, query[3], "a head size");
  c.equal(op, op.getKey(), "key", 3, query[3], "query's head size");
  c.equal(op, output, "output", 0, query[0], "query's batch");
  c.equal(op, output, "output", head, query[head], "query's heads");
  c.equal(op, output, "output", position, query[position], "query's length");
  c.equal(op, output, "output", 3, c.getSize(value, 3), "value's head size");
  equalLike(op, c, op.getDOutput(), "d_output", output, "output's extent");
  for (auto [rows, name] :
       {std::pair(op.getLse(), "lse"), std::pair(op.getDLse(), "d_lse")})
    equalAll(op, c, rows, name, {query[0], query[head], query[position]},
             {"query's batch", "query's heads", "query's length"});
  equalLike(op, c, op.getDQuery(), "d_query", op.getQuery(), "query's extent");
  equalLike(op, c, op.getDKey(), "d_key", op.getKey(), "key's extent");
  equalLike(op, c, op.getDValue(), "d_value", value, "value's extent");
  if (op.getDSink())
    equalLike(op, c, op.getDSink(), "d_sink", op.getSink(), "sink's extent");
  if (op.getDBias())
    equalLike(op, c, op.getDBias(), "d_bias", op.getBias(), "bias's extent");
  if (!op.getDCaptures().empty())
    for (auto [gradient, array] :
         llvm::zip_equal(op.getDCaptures(), op.getFloatCaptures()))
      equalLike(op, c, gradient, "d_captures", array,
                "the captured array's extent");
  checkSink(op, c);
  checkScoring(op, c, {query[0], query[head], query[position], key[position]});
}

/// online_attention_c4, online_attention_c7
static void check(OnlineAttentionOp op, SizeChecker &c) {
  using Online = OnlineAttentionOp;
  constexpr StringLiteral names[] = {"query", "key", "value",
                                     "acc",   "max", "sum"};
  Value sizes[6], kvHeads;
  if (op.getPages())
    sizes[Online::KeyPos] = checkPagedKeys(op, c);
  for (auto [i, map] : llvm::enumerate(op.getEffectiveMaps())) {
    bool inPages = op.isInPages(i); // whose rows are not all keys
    for (unsigned result = inPages; result < map.getNumResults(); ++result) {
      unsigned dim = map.getDimPosition(result), axis = result + inPages;
      bool kv = dim == Online::Head && (i == 1 || i == 2);
      Value &size = kv ? kvHeads : sizes[dim];
      c.equal(op, op.getMappedOperand(i), names[i], axis, size,
              "the extent seen before");
      if (!size)
        size = c.getSize(op.getMappedOperand(i), axis);
    }
  }
  atLeastOne(op, c, sizes[Online::HeadDim], "a head size");
  checkHeads(op, c, sizes[Online::Head], kvHeads);
  for (Online::Dim dim : {Online::Batch, Online::Head})
    if (!op.getAxis(0, dim))
      sizes[dim] = c.constant(1);
  if (op.getQueryRows())
    sizes[Online::QueryPos] = {};
  checkScoring(op, c, ArrayRef(sizes).take_front(4));
}

//===----------------------------------------------------------------------===//
// Local attention
//===----------------------------------------------------------------------===//

/// local_attention_c6, local_attention_c9, local_attention_c10
template <typename OpTy>
static void checkLocal(OpTy op, SizeChecker &c, Value batch, Value heads,
                       Value length) {
  Value block = c.constant(op.getBlockLength());
  bool isPadded = op.getAutopad();
  if (!isPadded || op.getWindowSize() % op.getBlockLength())
    c.fail(op,
           c.isNoMultiple(isPadded ? c.roundUp(length, op.getWindowSize())
                                   : length,
                          block),
           "expected a sequence length divisible by the window's %lld" +
               Twine(isPadded ? " after padding" : " without autopad") +
               ", got %lld",
           block, length);
  if (Value bias = op.getBias()) {
    Value biasHeads = c.getSize(bias, 0);
    // What is not known at compile time has one bias for each head.
    bool isKnown = !cast<ShapedType>(bias.getType()).isDynamicDim(0);
    Value isBroken = isKnown ? c.isNoMultiple(heads, biasHeads)
                             : c.compare(CmpIPredicate::ne, heads, biasHeads);
    c.fail(op, isBroken,
           (isKnown ? Twine("expected query heads to be a multiple of bias "
                            "heads, got ")
                    : Twine("expected bias of as many heads as query where its "
                            "type does not tell, got ")) +
               "%lld and %lld",
           heads, biasHeads);
  }
  equalAll(op, c, op.getKeyMask(), "key_mask", {batch, length},
           {"the sequence's batch", "the sequence's length"});
}

/// local_attention_c2, local_attention_c3
static void check(LocalAttentionOp op, SizeChecker &c) {
  unsigned head = op.getHeadAxis(), position = op.getPositionAxis();
  Sizes query = c.getSizes(op.getQuery()), key = c.getSizes(op.getKey());
  Value value = op.getValue(), output = op.getOutput();
  std::pair<Value, StringRef> operands[] = {
      {op.getKey(), "key"}, {value, "value"}, {output, "output"}};
  for (auto [array, name] : operands) {
    c.equal(op, array, name, 0, query[0], "query's batch");
    c.equal(op, array, name, position, query[position], "query's length");
  }
  checkHeads(op, c, query[head], key[head]);
  c.equal(op, value, "value", head, key[head], "key's heads");
  c.equal(op, output, "output", head, query[head], "query's heads");
  atLeastOne(op, c, query[3], "a head size");
  c.equal(op, op.getKey(), "key", 3, query[3], "query's head size");
  c.equal(op, output, "output", 3, c.getSize(value, 3), "value's head size");
  checkLocal(op, c, query[0], query[head], query[position]);
}

/// local_mha_c1 to local_mha_c8
static void check(LocalMHAOp op, SizeChecker &c) {
  Sizes input = c.getSizes(op.getInput());
  Value width = input[2], heads = c.constant(op.getHeads());
  Value size = c.constant(op.getHeadSize());
  equalAll(op, c, op.getOutput(), "output", input,
           {"input's batch", "input's length", "input's width"});
  atLeastOne(op, c, width, "an input's width");
  c.equal(op, op.getWQkv(), "w_qkv", 1, width, "input's width");
  equalAll(op, c, op.getWOut(), "w_out", {width, c.multiply(heads, size)},
           {"input's width", "a third of w_qkv's rows"});
  equalAll(op, c, op.getNormGain(), "norm_gain", {width}, {"input's width"});
  equalAll(op, c, op.getNormBias(), "norm_bias", {width}, {"input's width"});
  equalAll(op, c, op.getQScale(), "q_scale", {size}, {"the head size"});
  equalAll(op, c, op.getKScale(), "k_scale", {size}, {"the head size"});
  equalAll(op, c, op.getWGate(), "w_gate", {heads, width},
           {"heads", "input's width"});
  equalAll(op, c, op.getGateBias(), "gate_bias", {heads}, {"heads"});
  checkLocal(op, c, input[0], heads, input[1]);
}

//===----------------------------------------------------------------------===//
// Multi-head attention
//===----------------------------------------------------------------------===//

/// multihead_attention_c1 to multihead_attention_c5
static void checkSequences(MultiheadAttentionOp op, SizeChecker &c) {
  Sizes query = c.getSizes(op.getQuery()), key = c.getSizes(op.getKey());
  Value rows = c.getSize(op.getWQ(), 0);
  Value valueWidth = c.getSize(op.getValue(), 2);
  Value width = c.getSize(op.getOutput(), 2);
  c.equal(op, op.getKey(), "key", 0, query[0], "query's batch");
  equalAll(op, c, op.getValue(), "value", {query[0], key[1]},
           {"query's batch", "key's length"});
  equalAll(op, c, op.getOutput(), "output", {query[0], query[1]},
           {"query's batch", "query's length"});
  for (auto [size, name] : {std::pair(query[2], "a query's width"),
                            std::pair(key[2], "a key's width"),
                            std::pair(valueWidth, "a value's width"),
                            std::pair(width, "an output's width")})
    atLeastOne(op, c, size, name);
  c.equal(op, op.getWQ(), "w_q", 1, query[2], "query's width");
  equalAll(op, c, op.getWK(), "w_k", {rows, key[2]},
           {"w_q's rows", "key's width"});
  equalAll(op, c, op.getWV(), "w_v", {rows, valueWidth},
           {"w_q's rows", "value's width"});
  equalAll(op, c, op.getWOut(), "w_out", {width, rows},
           {"output's width", "w_q's rows"});
  std::pair<Value, StringRef> inner[] = {{op.getBQ(), "b_q"},
                                         {op.getBK(), "b_k"},
                                         {op.getBV(), "b_v"},
                                         {op.getSublnGain(), "subln_gain"},
                                         {op.getSublnBias(), "subln_bias"}};
  for (auto [array, name] : inner)
    equalAll(op, c, array, name, {rows}, {"w_q's rows"});
  equalAll(op, c, op.getBOut(), "b_out", {width}, {"output's width"});
}

/// multihead_attention_c6 to multihead_attention_c10
static void check(MultiheadAttentionOp op, SizeChecker &c) {
  checkSequences(op, c);
  Sizes query = c.getSizes(op.getQuery());
  Value batch = query[0], queries = query[1], keys = c.getSize(op.getKey(), 1);
  Value heads = c.constant(op.getHeads()), size = c.constant(op.getHeadSize());
  Value before;
  if (op.getPrevKey()) {
    before = c.getSize(op.getPrevKey(), 2);
    keys = c.add(before, keys);
  }
  std::tuple<Value, StringRef, Value, StringRef> states[] = {
      {op.getPrevKey(), "prev_key", Value(), ""},
      {op.getPrevValue(), "prev_value", before, "prev_key's length"},
      {op.getNextKey(), "next_key", keys, "prev_key's and key's length"},
      {op.getNextValue(), "next_value", keys, "next_key's length"}};
  for (auto [array, name, length, meaning] : states)
    equalAll(op, c, array, name, {batch, heads, length, size},
             {"query's batch", "heads", meaning, "the head size"});
  equalAll(op, c, op.getKeyPaddingMask(), "key_padding_mask", {batch, keys},
           {"query's batch", "the number of keys"});
  Value sizes[] = {batch, heads, queries, keys};
  checkBroadcastable(op, c, op.getAttnMask(), "attn_mask", sizes);
  checkBroadcastable(op, c, op.getRelPos(), "rel_pos", sizes);
  equalAll(op, c, op.getWeights(), "weights", {heads, batch, queries, keys},
           {"heads", "query's batch", "query's length", "the number of keys"});
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// merge_c1, finalize_c1
template <typename OpTy> static void checkState(OpTy op, SizeChecker &c) {
  for (auto [axis, size] : llvm::enumerate(c.getSizes(op.getMax()))) {
    c.equal(op, op.getSum(), "sum", axis, size, "max's extent");
    c.equal(op, op.getAcc(), "acc", axis + (axis >= op.getValueAxis()), size,
            "max's extent");
  }
}

/// merge_c3
static void check(MergeOp op, SizeChecker &c) {
  checkState(op, c);
  Value parts = c.getSize(op.getAccs(), 0);
  std::pair<Value, Value> pairs[] = {{op.getAccs(), op.getAcc()},
                                     {op.getMaxs(), op.getMax()},
                                     {op.getSums(), op.getSum()}};
  for (auto [partial, state] : pairs) {
    c.equal(op, partial, "a partial state", 0, parts, "the number of parts");
    for (auto [axis, size] : llvm::enumerate(c.getSizes(state)))
      c.equal(op, partial, "a partial state", axis + 1, size,
              "the state's extent");
  }
}

/// finalize_c2 to finalize_c4
static void check(FinalizeOp op, SizeChecker &c) {
  checkState(op, c);
  Sizes max = c.getSizes(op.getMax()), output = c.getSizes(op.getOutput());
  size_t rank = output.size();
  c.equal(op, op.getOutput(), "output", rank - 1,
          c.getSize(op.getAcc(), op.getValueAxis()), "acc's value extent");
  for (size_t axis = 0; axis + 2 < rank; ++axis)
    c.equal(op, op.getOutput(), "output", axis, max[axis], "max's extent");
  c.fail(op, c.compare(CmpIPredicate::sgt, output[rank - 2], max[rank - 2]),
         "expected at most %lld rows of output, as many as the state has, got "
         "%lld",
         max[rank - 2], output[rank - 2]);
  for (auto [i, dest] : llvm::enumerate(op.getRows()))
    for (size_t axis = 0; axis + 1 < rank; ++axis)
      c.equal(op, dest, op.getRowName(i), axis, output[axis],
              "output's extent");
}

/// pack_query_c1, pack_query_c2
static void check(PackQueryOp op, SizeChecker &c) {
  Sizes query = c.getSizes(op.getQuery()), packed = c.getSizes(op.getPacked());
  c.equal(op, op.getPacked(), "packed", 0, query[1], "query's head size");
  c.fail(op, c.compare(CmpIPredicate::sgt, query[0], packed[1]),
         "expected packed with at least %lld columns, one per query, got %lld",
         query[0], packed[1]);
}

void lattn::checkSizes(Operation *op, SizeChecker &c) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<AttentionOp, AttentionGradOp, AttentionJvpOp, AttentionScoresOp,
            OnlineAttentionOp, LocalAttentionOp, LocalMHAOp,
            MultiheadAttentionOp, MergeOp, FinalizeOp, PackQueryOp>(
          [&](auto op) { check(op, c); })
      .Default([&](Operation *op) { checkOtherSizes(op, c); });
}

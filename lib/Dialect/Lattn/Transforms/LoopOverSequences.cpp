//===- LoopOverSequences.cpp - Packed sequences one after the other -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream's tiling by one batch would slice the padded arrays, which then
// exist.
//
// attention_grad or attention_jvp of lattn.pad_sequences, before
// lattn.pack_sequences -> for (sequence): the same of its rows, in the packed
//                         arrays

#include "PackedSequences.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "lattn/Transforms/ReportingRewriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNLOOPOVERSEQUENCESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// Which operands, by number, have rows of queries and of keys.
struct RowOperands {
  SmallVector<unsigned> queries, keys;
};
} // namespace

static void add(SmallVector<unsigned> &to, OpOperand &operand) {
  to.push_back(operand.getOperandNumber());
}
static void add(SmallVector<unsigned> &to, MutableOperandRange range) {
  for (OpOperand &operand : range)
    to.push_back(operand.getOperandNumber());
}
template <typename... Operands>
static void addAll(SmallVector<unsigned> &to, Operands &&...operands) {
  (add(to, operands), ...);
}

/// Of AttentionGradOp and AttentionJvpOp, whose operands have the same names.
template <typename OpTy> static RowOperands getRowOperands(OpTy op) {
  RowOperands rows;
  addAll(rows.queries, op.getQueryMutable(), op.getOutputMutable(),
         op.getLseMutable(), op.getDOutputMutable(), op.getDLseMutable(),
         op.getDQueryMutable());
  addAll(rows.keys, op.getKeyMutable(), op.getValueMutable(),
         op.getDKeyMutable(), op.getDValueMutable());
  return rows;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

namespace {
/// What becomes of a result.
struct Fate {
  enum Kind {
    Packed, // the rows of each sequence go to their place in a packed array
    Batch,  // or to their batch
    Sum,    // what the sequences add up to
    Unused
  } kind;
  PackSequencesOp pack;    // of Packed
  std::optional<int> slot; // of what the loop carries
};

/// Builds the loop of one op. OpTy: AttentionGradOp or AttentionJvpOp.
template <typename OpTy> class SequenceLoop {
public:
  SequenceLoop(RewriterBase &rewriter, OpTy op)
      : b(rewriter), op(op), loc(op.getLoc()), rows(getRowOperands(op)),
        queries(getPaddedSequences(op.getQuery())),
        keys(getPaddedKeys(op, op.getPositionAxis())) {}

  bool isNeeded() { return queries || getPaddedSequences(op.getKey()); }
  LogicalResult run();

private:
  /// What pads the sequences that operand `number` has rows of.
  PadSequencesOp getSide(unsigned number) {
    return isKey(number) ? keys : queries;
  }
  bool isKey(unsigned number) { return llvm::is_contained(rows.keys, number); }
  bool hasRows(unsigned number) {
    return isKey(number) || llvm::is_contained(rows.queries, number);
  }
  void addArray(unsigned number, PackedArray array) {
    (isKey(number) ? keyArrays : queryArrays).push_back(array);
  }
  LogicalResult check();
  LogicalResult addFate(OpResult result, OpOperand &init);
  /// The rows of a sequence in `array`, packed or with a batch for each.
  RowSlice getSlice(Value array, bool isPacked, unsigned number,
                    Value sequence);
  Value take(OpOperand &operand, Value sequence);
  Value getDestination(const Fate &fate, OpOperand &init, Value sequence,
                       ValueRange carried);
  OpTy buildOp(Value sequence, ValueRange carried);
  SmallVector<Value> buildBody(Value sequence, ValueRange carried);

  RewriterBase &b;
  OpTy op;
  Location loc;
  RowOperands rows;
  PadSequencesOp queries, keys;
  /// Those with the rows of queries and of keys.
  SmallVector<PackedArray> queryArrays, keyArrays;
  SmallVector<Fate> fates;
  SmallVector<Value> inits;
};
} // namespace

template <typename OpTy>
LogicalResult SequenceLoop<OpTy>::addFate(OpResult result, OpOperand &init) {
  unsigned number = init.getOperandNumber();
  if (result.use_empty()) {
    fates.push_back({Fate::Unused, {}, {}});
    return success();
  }
  int slot = inits.size();
  if (!hasRows(number)) {
    Value zero = arith::ConstantOp::create(
        b, loc, b.getZeroAttr(getElementTypeOrSelf(result.getType())));
    inits.push_back(
        linalg::FillOp::create(b, loc, zero, init.get()).getResult(0));
    fates.push_back({Fate::Sum, {}, slot});
    return success();
  }
  if (!getSide(number)) {
    inits.push_back(init.get());
    fates.push_back({Fate::Batch, {}, slot});
    return success();
  }
  PackSequencesOp pack = getPackedResult(op, result, getSide(number));
  if (!pack)
    return b.notifyMatchFailure(
        op, "result " + Twine(result.getResultNumber()) +
                " is used by something else than one lattn.pack_sequences of "
                "the same sequences, whose destination can be had before");
  addArray(number, pack);
  inits.push_back(pack.getOutput());
  fates.push_back({Fate::Packed, pack, slot});
  return success();
}

template <typename OpTy> LogicalResult SequenceLoop<OpTy>::check() {
  if (!op.hasPureTensorSemantics())
    return b.notifyMatchFailure(op, "is not on tensors");
  if (!op.getOrigin().empty())
    return b.notifyMatchFailure(op, "is a tile of a larger op");
  if (getPaddedSequences(op.getKey()) && !keys)
    return b.notifyMatchFailure(op, "key and value are not padded alike, or "
                                    "kv_lens is not their lengths");
  for (OpOperand &operand : op->getOpOperands()) {
    PadSequencesOp pad = getPaddedSequences(operand.get());
    unsigned number = operand.getOperandNumber();
    if (pad && hasRows(number) &&
        pad.getRowAxis() != getRowAxis(operand.get(), op.getLayout()))
      return b.notifyMatchFailure(op, "operand " + Twine(number) +
                                          " is padded in another layout");
    if (pad && hasRows(number) && !haveSameSequences(pad, getSide(number)))
      return b.notifyMatchFailure(op, "operand " + Twine(number) +
                                          " is padded otherwise than " +
                                          (isKey(number) ? "key" : "query"));
    if (pad && hasRows(number))
      addArray(number, pad);
  }
  for (auto [result, init] :
       llvm::zip_equal(op->getResults(), op.getDpsInitsMutable()))
    if (failed(addFate(result, init)))
      return failure();
  return success();
}

template <typename OpTy>
RowSlice SequenceLoop<OpTy>::getSlice(Value array, bool isPacked,
                                      unsigned number, Value sequence) {
  OpFoldResult zero = b.getIndexAttr(0);
  PadSequencesOp side = getSide(number);
  if (!side) {
    unsigned axis = getRowAxis(array, op.getLayout());
    return RowSlice(b, loc, array, op.getLayout(), sequence, zero,
                    tensor::getMixedSize(b, loc, array, axis));
  }
  auto [begin, length] = buildSequenceRows(
      b, side, isKey(number) ? keyArrays : queryArrays, sequence);
  if (isPacked)
    return RowSlice(b, loc, array, op.getLayout(), zero, begin, length);
  return RowSlice(b, loc, array, op.getLayout(), sequence, zero, length);
}

template <typename OpTy>
Value SequenceLoop<OpTy>::take(OpOperand &operand, Value sequence) {
  PadSequencesOp pad = getPaddedSequences(operand.get());
  Value array = pad ? pad.getPacked() : operand.get();
  return getSlice(array, bool(pad), operand.getOperandNumber(), sequence)
      .extract(b, loc, array);
}

template <typename OpTy>
Value SequenceLoop<OpTy>::getDestination(const Fate &fate, OpOperand &init,
                                         Value sequence, ValueRange carried) {
  unsigned number = init.getOperandNumber();
  if (fate.kind == Fate::Packed || fate.kind == Fate::Batch) {
    Value array = carried[*fate.slot];
    return getSlice(array, fate.kind == Fate::Packed, number, sequence)
        .extract(b, loc, array);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, init.get());
  if (hasRows(number))
    sizes = getSlice(init.get(), false, number, sequence).sizes;
  return tensor::EmptyOp::create(b, loc, sizes,
                                 getElementTypeOrSelf(init.get().getType()));
}

/// The op of one sequence, which is a tile of one batch.
template <typename OpTy>
OpTy SequenceLoop<OpTy>::buildOp(Value sequence, ValueRange carried) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(hasRows(operand.getOperandNumber()) &&
                               !op.isDpsInit(&operand)
                           ? take(operand, sequence)
                           : operand.get());
  for (auto [fate, init] : llvm::zip_equal(fates, op.getDpsInitsMutable()))
    operands[init.getOperandNumber()] =
        getDestination(fate, init, sequence, carried);
  Value offset = buildExplicitOffset(b, op, op.getPositionAxis(), sequence);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  auto one = cast<OpTy>(b.clone(*op));
  one->setOperands(operands);
  for (auto [result, init] :
       llvm::zip_equal(one->getResults(), one.getDpsInits()))
    result.setType(init.getType());
  if (keys)
    one.getKvLensMutable().clear();
  one.getOffsetMutable().assign(offset);
  one.getOriginMutable().assign({sequence, zero, zero, zero});
  return one;
}

template <typename OpTy>
SmallVector<Value> SequenceLoop<OpTy>::buildBody(Value sequence,
                                                 ValueRange carried) {
  OpTy one = buildOp(sequence, carried);
  SmallVector<Value> next(carried);
  for (auto [fate, init, result] :
       llvm::zip_equal(fates, op.getDpsInitsMutable(), one->getResults())) {
    if (!fate.slot)
      continue;
    Value &array = next[*fate.slot];
    if (fate.kind == Fate::Sum)
      array = linalg::AddOp::create(b, loc, ValueRange{array, result}, array)
                  .getResult(0);
    else
      array = getSlice(array, fate.kind == Fate::Packed,
                       init.getOperandNumber(), sequence)
                  .insert(b, loc, result, array);
  }
  return next;
}

template <typename OpTy> LogicalResult SequenceLoop<OpTy>::run() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  if (failed(check()))
    return failure();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value count =
      buildSequenceCount(b, loc, (queries ? queries : keys).getCuSeqlens());
  auto loop = scf::ForOp::create(b, loc, zero, count, one, inits);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> next =
      buildBody(loop.getInductionVar(), loop.getRegionIterArgs());
  if (inits.empty())
    b.setInsertionPoint(loop.getBody()->getTerminator());
  else
    scf::YieldOp::create(b, loc, next);
  for (auto [fate, result] : llvm::zip_equal(fates, op->getResults())) {
    if (!fate.slot)
      continue;
    if (fate.pack)
      b.replaceOp(fate.pack, loop.getResult(*fate.slot));
    else
      b.replaceAllUsesWith(result, loop.getResult(*fate.slot));
  }
  eraseWithUsers(b, op);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct LoopOverSequences
    : lattn::impl::LattnLoopOverSequencesPassBase<LoopOverSequences> {
  using Base::Base;
  void runOnOperation() override {
    // Passes to come ask whether attention can write to packed rows.
    IRRewriter rewriter(&getContext());
    for (AttentionOp op : collectOps<AttentionOp>(getOperation()))
      hoistDestinations(rewriter, op);
    loopOverAll<AttentionGradOp>();
    loopOverAll<AttentionJvpOp>();
  }

  template <typename OpTy> void loopOverAll() {
    ReportingRewriter rewriter(&getContext());
    for (OpTy op : collectOps<OpTy>(getOperation())) {
      hoistDestinations(rewriter, op);
      SequenceLoop<OpTy> loop(rewriter, op);
      if (!loop.isNeeded() || succeeded(loop.run()))
        continue;
      emitWarning(op.getLoc()) << "packed sequences are copied to padded ones: "
                               << rewriter.getReason();
    }
  }
};
} // namespace

//===- OtherSizeRules.cpp - What ops that are no attention ask of sizes ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SizeRules.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn;
using arith::CmpIPredicate;

/// An extent of the loops is the same wherever an operand has it. Other indices
/// are inside of their operand.
static void checkLinalg(linalg::LinalgOp op, SizeChecker &c) {
  SmallVector<Value> extents(op.getNumLoops());
  auto isShaped = [](OpOperand &operand) {
    return isa<ShapedType>(operand.get().getType());
  };
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isShaped(operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::string name = "operand " + std::to_string(operand.getOperandNumber());
    for (auto [axis, result] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim)
        continue;
      Value &extent = extents[dim.getPosition()];
      std::string meaning =
          "the extent of loop " + std::to_string(dim.getPosition());
      c.equal(op, operand.get(), name, axis, extent, meaning);
      if (!extent)
        extent = c.getSize(operand.get(), axis);
    }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (isShaped(operand))
      for (auto [axis, index] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        if (!isa<AffineDimExpr>(index))
          c.inside(op, index, extents, c.getSize(operand.get(), axis),
                   "axis " + std::to_string(axis) + " of operand " +
                       std::to_string(operand.getOperandNumber()));
}

/// Operands of elementwise arithmetic on arrays have one shape.
static void checkElementwise(Operation *op, SizeChecker &c) {
  Value first;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    if (!first)
      first = operand;
    for (auto [axis, size] : llvm::enumerate(c.getSizes(first)))
      c.equal(op, operand, "operand " + std::to_string(i), axis, size,
              "the first one's");
  }
}

/// A cast to a size that the result's type has.
static void checkCast(Operation *op, SizeChecker &c) {
  auto from = dyn_cast<ShapedType>(op->getOperand(0).getType());
  auto to = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!from || !to || !from.hasRank() || !to.hasRank())
    return;
  for (auto [axis, size] : llvm::enumerate(to.getShape()))
    if (!ShapedType::isDynamic(size))
      c.equal(op, op->getOperand(0), "the source", axis, c.constant(size),
              "the result's");
}

/// A slice lies in its array.
static void checkSlice(OffsetSizeAndStrideOpInterface op, Value array,
                       SizeChecker &c) {
  Value zero = c.constant(0), one = c.constant(1), less = c.constant(-1);
  for (auto [axis, offset, size, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    Value begin = c.get(offset), count = c.get(size),
          all = c.getSize(array, axis);
    std::string where = " of the slice on axis " + std::to_string(axis);
    c.fail(op, c.compare(CmpIPredicate::slt, count, zero),
           "expected a size" + where + " of at least %lld, got %lld", zero,
           count);
    Value some = c.compare(CmpIPredicate::sgt, count, zero);
    c.fail(op, c.both(some, c.compare(CmpIPredicate::slt, begin, zero)),
           "expected an offset" + where + " of at least %lld, got %lld", zero,
           begin);
    Value last = c.multiply(c.add(count, less), c.get(stride));
    Value end = c.add(c.add(begin, last), one);
    c.fail(op, c.both(some, c.compare(CmpIPredicate::sgt, end, all)),
           "expected the end" + where + " to be at most %lld, got %lld", all,
           end);
  }
}

/// What is inserted has the sizes of the slice that it replaces.
static void checkInsert(tensor::InsertSliceOp op, SizeChecker &c) {
  checkSlice(op, op.getDest(), c);
  llvm::SmallBitVector dropped = op.getDroppedDims();
  unsigned sourceAxis = 0;
  for (auto [axis, size] : llvm::enumerate(op.getMixedSizes()))
    if (!dropped[axis])
      c.equal(op, op.getSource(), "the source", sourceAxis++, c.get(size),
              "the slice's");
}

/// Upstream lowers a pad to a copy into a slice of the result. If an amount is
/// negative, that slice does not lie in the result.
static void checkAmounts(tensor::PadOp op, SizeChecker &c) {
  Value zero = c.constant(0);
  for (auto [amounts, side] : {std::pair(op.getMixedLowPad(), "low"),
                               std::pair(op.getMixedHighPad(), "high")})
    for (auto [axis, amount] : llvm::enumerate(amounts)) {
      Value got = c.get(amount);
      c.fail(op, c.compare(CmpIPredicate::slt, got, zero),
             Twine("expected ") + side + " of axis " + Twine(axis) +
                 " to be at least %lld, got %lld; tensor.extract_slice removes "
                 "elements",
             zero, got);
    }
}

static void checkNew(Operation *op, ValueRange sizes, SizeChecker &c) {
  Value zero = c.constant(0);
  for (Value value : sizes) {
    Value size = c.getScalar(value);
    c.fail(op, c.compare(CmpIPredicate::slt, size, zero),
           "expected a size of at least %lld, got %lld", zero, size);
  }
}

/// What an axis is taken apart into has as many elements.
static void checkExpand(tensor::ExpandShapeOp op, SizeChecker &c) {
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
    Value elements = c.constant(1);
    for (int64_t part : group)
      elements = c.multiply(elements, c.get(op.getMixedOutputShape()[part]));
    c.equal(op, op.getSrc(), "the source", axis, elements, "the result's");
  }
}

/// rotary_c1, rotate_pairs_c1, l2_normalize_c1
template <typename OpTy> static void checkRows(OpTy op, SizeChecker &c) {
  for (auto [axis, size] : llvm::enumerate(c.getSizes(op.getInput())))
    c.equal(op, op.getOutput(), "output", axis, size, "input's extent");
}

/// rotate_pairs_c1, rotate_pairs_c2
static void checkRotation(RotatePairsOp op, SizeChecker &c) {
  checkRows(op, c);
  Value count = c.getSize(op.getInput(), op.getRowAxis());
  Value rows = c.getSize(op.getTable(), 0);
  Value start = c.getScalar(op.getStart()), end = c.add(start, count);
  Value zero = c.constant(0);
  Value hasRows = c.compare(CmpIPredicate::sgt, count, zero);
  c.fail(op, c.both(hasRows, c.compare(CmpIPredicate::slt, start, zero)),
         "expected start of at least %lld, got %lld", zero, start);
  c.fail(op, c.both(hasRows, c.compare(CmpIPredicate::sgt, end, rows)),
         "expected a table of at least %lld rows, got %lld", end, rows);
}

/// gather_pages_c2, gather_pages_c3
static void checkPages(GatherPagesOp op, SizeChecker &c) {
  SmallVector<Value> pool = c.getSizes(op.getPool());
  SmallVector<Value> pages = c.getSizes(op.getPages());
  Value one = c.constant(1);
  Value hasEntries = c.both(c.compare(CmpIPredicate::sge, pages[0], one),
                            c.compare(CmpIPredicate::sge, pages[1], one));
  c.fail(op, c.both(hasEntries, c.compare(CmpIPredicate::slt, pool[0], one)),
         "expected a pool of at least %lld page, got %lld", one, pool[0]);
  Value keys = c.multiply(pages[1], c.constant(op.getPageSize()));
  c.equal(op, op.getResult(), "result", 0, pages[0], "the batch of pages");
  c.equal(op, op.getResult(), "result", op.getRowAxis(), keys,
          "the keys of a sequence's pages");
  for (unsigned axis : {op.getHeadAxis(), 3u})
    c.equal(op, op.getResult(), "result", axis, pool[axis], "pool's extent");
}

/// online_attention_c12
Value lattn::checkPagedKeys(OnlineAttentionOp op, SizeChecker &c) {
  Value zero = c.constant(0), one = c.constant(1);
  Value first = c.getScalar(op.getFirstKey()),
        count = c.getScalar(op.getNumKeys());
  Value hasKeys = c.compare(CmpIPredicate::sge, count, one);
  for (auto [pool, name] :
       {std::pair(op.getKey(), "key"), std::pair(op.getValue(), "value")}) {
    Value pages = c.getSize(pool, 0);
    c.fail(op, c.both(hasKeys, c.compare(CmpIPredicate::slt, pages, one)),
           "expected " + Twine(name) + " with at least %lld page, got %lld",
           one, pages);
  }
  for (auto [key, name] :
       {std::pair(first, "first_key"), std::pair(count, "num_keys")})
    c.fail(op, c.compare(CmpIPredicate::slt, key, zero),
           "expected " + Twine(name) + " of at least %lld, got %lld", zero,
           key);
  Value end = c.add(first, count);
  Value keys =
      c.multiply(c.getSize(op.getPages(), 0), c.constant(op.getPageSize()));
  c.fail(op, c.compare(CmpIPredicate::sgt, end, keys),
         "expected keys before %lld, the end of its pages, got keys to %lld",
         keys, end);
  return count;
}

/// That `padded` has a batch for each sequence, and but for its rows the other
/// sizes of `packed`, which has one.
static void checkSequences(Operation *op, Value packed, StringRef name,
                           Value padded, Value cuSeqlens, unsigned rowAxis,
                           SizeChecker &c) {
  Value one = c.constant(1);
  Value entries = c.getSizes(cuSeqlens)[0];
  c.fail(op, c.compare(CmpIPredicate::slt, entries, one),
         "expected cu_seqlens of at least %lld entry, got %lld", one, entries);
  c.equal(op, packed, name, 0, one, "the one batch of packed rows");
  c.equal(op, padded, "padded", 0, c.add(entries, c.constant(-1)),
          "the number of sequences");
  for (auto [axis, size] : llvm::enumerate(c.getSizes(packed)))
    if (axis != 0 && axis != rowAxis)
      c.equal(op, padded, "padded", axis, size, "that of packed rows");
}

/// pad_sequences_c1 to pad_sequences_c3
static void checkPad(PadSequencesOp op, SizeChecker &c) {
  checkSequences(op, op.getPacked(), "packed", op.getPadded(),
                 op.getCuSeqlens(), op.getRowAxis(), c);
  Value zero = c.constant(0), most = c.getScalar(op.getMaxSeqlen());
  c.fail(op, c.compare(CmpIPredicate::slt, most, zero),
         "expected max_seqlen of at least %lld, got %lld", zero, most);
  c.equal(op, op.getPadded(), "padded", op.getRowAxis(), most, "max_seqlen");
  c.equal(op, op.getLengths(), "lengths", 0, c.getSizes(op.getPadded())[0],
          "the number of sequences");
}

/// pack_sequences_c1 to pack_sequences_c3
static void checkPack(PackSequencesOp op, SizeChecker &c) {
  checkSequences(op, op.getOutput(), "output", op.getPadded(),
                 op.getCuSeqlens(), op.getRowAxis(), c);
}

/// stage_rows_c2
static void checkStage(StageRowsOp op, SizeChecker &c) {
  SmallVector<Value> input = c.getSizes(op.getInput());
  for (auto [axis, room] : llvm::enumerate(c.getSizes(op.getScratch())))
    c.fail(op, c.compare(CmpIPredicate::sgt, input[axis], room),
           "expected axis " + Twine(axis) +
               " of scratch to hold input's %lld, got %lld",
           input[axis], room);
}

void lattn::checkOtherSizes(Operation *op, SizeChecker &c) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](linalg::LinalgOp op) { checkLinalg(op, c); })
      .Case<tensor::CastOp, memref::CastOp>([&](auto op) { checkCast(op, c); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>(
          [&](auto op) { checkSlice(op, op.getSource(), c); })
      .Case([&](tensor::InsertSliceOp op) { checkInsert(op, c); })
      .Case([&](tensor::PadOp op) { checkAmounts(op, c); })
      .Case<RotaryOp, L2NormalizeOp>([&](auto op) { checkRows(op, c); })
      .Case([&](RotatePairsOp op) { checkRotation(op, c); })
      .Case([&](GatherPagesOp op) { checkPages(op, c); })
      .Case([&](StageRowsOp op) { checkStage(op, c); })
      .Case([&](PadSequencesOp op) { checkPad(op, c); })
      .Case([&](PackSequencesOp op) { checkPack(op, c); })
      .Case([&](tensor::ExpandShapeOp op) { checkExpand(op, c); })
      .Case<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { checkNew(op, op.getDynamicSizes(), c); })
      .Default([&](Operation *op) {
        if (OpTrait::hasElementwiseMappableTraits(op))
          checkElementwise(op, c);
      });
}

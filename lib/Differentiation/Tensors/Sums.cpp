//===- Sums.cpp - Loops that add to elements ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The loops that the cotangent of a read of a table becomes, or attention by
// blocks: each iteration adds to elements or slices of arrays that the loops
// carry, or to all of them, and reads these for nothing else. So the cotangent
// of a carried array is the same in all iterations, and the derivatives of such
// loops are such loops.

#include "TensorRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

namespace {
/// What of an array is read and written: an element, a slice or all.
struct Part {
  std::optional<SmallVector<Value>> indices; // none, of an array of rank 0
  std::optional<ArraySlice> slice;

  static Part of(tensor::ExtractSliceOp op) {
    return {std::nullopt, ArraySlice{op.getMixedOffsets(), op.getMixedSizes(),
                                     op.getMixedStrides(), op.getType()}};
  }
  Value read(OpBuilder &b, Location loc, Value array) const {
    if (slice)
      return slice->read(b, loc, array);
    if (!indices)
      return array;
    return tensor::ExtractOp::create(b, loc, array, *indices);
  }
  Value add(OpBuilder &b, Location loc, Value array, Value more) const {
    if (slice)
      return addToSlice(b, loc, array, *slice, more);
    if (!indices)
      return addToAll(b, loc, array, more);
    return addToElement(b, loc, array, *indices, more);
  }
  void map(const IRMapping &mapping) {
    if (indices)
      for (Value &index : *indices)
        index = mapping.lookupOrDefault(index);
    if (!slice)
      return;
    for (auto *values : {&slice->offsets, &slice->sizes, &slice->strides})
      for (OpFoldResult &value : *values)
        if (auto known = dyn_cast<Value>(value))
          value = mapping.lookupOrDefault(known);
  }
};

/// `more` is added to a part of carried array `carried`.
struct Update {
  unsigned carried;
  Value more;
  Part part;
};

/// A nest of such loops, each in the one before and nothing beside it.
class SumLoops {
public:
  LogicalResult match(scf::ForOp outermost);

  /// The same iterations with other carried values. `body` gets the nest's
  /// `updates` for one iteration, on the ops that compute what is added, and
  /// changes what is carried.
  using Body = function_ref<LogicalResult(
      OpBuilder &, ArrayRef<Operation *> ops, ArrayRef<Update> updates,
      MutableArrayRef<Value> carried)>;
  FailureOr<SmallVector<Value>> build(OpBuilder &b, ValueRange starts,
                                      Body body);

  scf::ForOp getInner() { return loops.back(); }

private:
  LogicalResult matchUpdates(unsigned carried);
  /// The update that makes `array`, which becomes the array before it.
  std::optional<Update> matchUpdate(Value &array);

  SmallVector<scf::ForOp> loops;
  std::vector<Update> updates;
  DenseSet<Operation *> updateOps;
};
} // namespace

/// Whether `inner` is all that the body of `outer` has.
static bool isPerfect(scf::ForOp outer, scf::ForOp inner) {
  return inner.getInitArgs() == ValueRange(outer.getRegionIterArgs()) &&
         outer.getYieldedValues() == ValueRange(inner.getResults());
}

LogicalResult SumLoops::match(scf::ForOp outermost) {
  loops.push_back(outermost);
  while (auto inner = dyn_cast<scf::ForOp>(loops.back().getBody()->front())) {
    if (!llvm::hasNItems(loops.back().getBody()->without_terminator(), 1) ||
        !isPerfect(loops.back(), inner))
      break;
    loops.push_back(inner);
  }
  for (scf::ForOp loop : loops)
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (!outermost.isDefinedOutsideOfLoop(bound))
        return failure();
  for (unsigned i = 0; i < outermost.getNumResults(); ++i)
    if (failed(matchUpdates(i)))
      return failure();
  return success();
}

/// Whether `value` is what the part that `written` inserts into was before.
static bool isOldPart(Value value, Operation *written) {
  if (!value.hasOneUse())
    return false;
  if (auto insert = dyn_cast<tensor::InsertOp>(written)) {
    auto extract = value.getDefiningOp<tensor::ExtractOp>();
    return extract && extract.getTensor() == insert.getDest() &&
           extract.getIndices() == insert.getIndices();
  }
  auto insert = cast<tensor::InsertSliceOp>(written);
  auto extract = value.getDefiningOp<tensor::ExtractSliceOp>();
  return extract && extract.getSource() == insert.getDest() &&
         extract.getType() == insert.getSourceType() &&
         extract.isSameAs(insert, std::equal_to<>());
}

std::optional<Update> SumLoops::matchUpdate(Value &array) {
  Operation *written = array.getDefiningOp(), *sum = written;
  Update update;
  Value before;
  if (auto insert = dyn_cast_or_null<tensor::InsertOp>(written)) {
    before = insert.getDest();
    sum = insert.getScalar().getDefiningOp();
    update.part.indices = llvm::to_vector(insert.getIndices());
  } else if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(written)) {
    before = insert.getDest();
    sum = insert.getSource().getDefiningOp();
    update.part.slice =
        ArraySlice{insert.getMixedOffsets(), insert.getMixedSizes(),
                   insert.getMixedStrides(), insert.getSourceType()};
  }
  if (!isa_and_nonnull<arith::AddFOp, linalg::AddOp>(sum) || !sum->hasOneUse())
    return {};
  unsigned old = 0;
  if (before) {
    old = isOldPart(sum->getOperand(0), written) ? 0 : 1;
    if (old && !isOldPart(sum->getOperand(1), written))
      return {};
    updateOps.insert(sum->getOperand(old).getDefiningOp());
  }
  update.more = sum->getOperand(1 - old);
  updateOps.insert(written);
  updateOps.insert(sum);
  array = before ? before : sum->getOperand(old);
  if (!array.hasNUses(before ? 2 : 1))
    return {};
  return update;
}

LogicalResult SumLoops::matchUpdates(unsigned carried) {
  scf::ForOp inner = getInner();
  Value array = inner.getYieldedValues()[carried];
  while (array != inner.getRegionIterArg(carried)) {
    std::optional<Update> update = matchUpdate(array);
    if (!update)
      return failure();
    update->carried = carried;
    updates.push_back(*update);
  }
  return success();
}

FailureOr<SmallVector<Value>> SumLoops::build(OpBuilder &b, ValueRange starts,
                                              Body body) {
  SmallVector<Value> lower, upper, steps;
  for (scf::ForOp loop : loops) {
    lower.push_back(loop.getLowerBound());
    upper.push_back(loop.getUpperBound());
    steps.push_back(loop.getStep());
  }
  bool isMade = true;
  scf::LoopNest nest = scf::buildLoopNest(
      b, getInner().getLoc(), lower, upper, steps, starts,
      [&](OpBuilder &nested, Location, ValueRange indices,
          ValueRange carried) -> scf::ValueVector {
        IRMapping mapping;
        for (auto [loop, index] : llvm::zip_equal(loops, indices))
          mapping.map(loop.getInductionVar(), index);
        SmallVector<Operation *> ops;
        for (Operation &op : getInner().getBody()->without_terminator())
          if (!updateOps.contains(&op))
            ops.push_back(nested.clone(op, mapping));
        std::vector<Update> cloned(updates);
        for (Update &update : cloned) {
          update.more = mapping.lookupOrDefault(update.more);
          update.part.map(mapping);
        }
        scf::ValueVector made(carried.begin(), carried.end());
        isMade = succeeded(body(nested, ops, cloned, made));
        return made;
      });
  if (!isMade)
    return failure();
  return SmallVector<Value>(nest.results);
}

/// What is active of a loop's body on the way to what the updates add.
static Activity findActive(ArrayRef<Operation *> ops, ArrayRef<Update> updates,
                           Activity::IsActive isActive) {
  SmallVector<Value> added;
  for (const Update &update : updates)
    added.push_back(update.more);
  return Activity(ops, added, isActive);
}

static Type getSumType(Value array) {
  return getAccumulatorElement(getElementTypeOrSelf(array.getType()));
}

static LogicalResult buildSumsAdjoint(scf::ForOp op, SumLoops &loops,
                                      OpBuilder &b, Reverse &reverse) {
  Location loc = op.getLoc();
  SmallVector<Value> cotangents, outer, starts;
  for (auto [start, result] :
       llvm::zip_equal(op.getInitArgs(), op.getResults())) {
    cotangents.push_back(reverse.getCotangent(b, result));
    reverse.add(b, start, cotangents.back());
  }
  for (Value value : getReadValues(op)) {
    if (!reverse.isActive(value) || llvm::is_contained(op.getInitArgs(), value))
      continue;
    outer.push_back(value);
    starts.push_back(reverse.takeSum(b, value, getSumType(value)));
  }
  auto body = [&](OpBuilder &nested, ArrayRef<Operation *> ops,
                  ArrayRef<Update> updates, MutableArrayRef<Value> sums) {
    Reverse inner(findActive(ops, updates, [&](Value value) {
      return llvm::is_contained(outer, value);
    }));
    for (auto [value, sum] : llvm::zip_equal(outer, sums))
      inner.add(nested, value, sum);
    for (const Update &update : updates)
      if (Value cotangent = cotangents[update.carried])
        inner.add(nested, update.more,
                  update.part.read(nested, loc, cotangent));
    auto onRead = [&](Operation *read) {
      Value array = read->getOperand(0);
      if (!llvm::is_contained(outer, array))
        return false;
      Part part;
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(read))
        part = Part::of(slice);
      else
        part.indices = llvm::to_vector(read->getOperands().drop_front());
      Value sum = inner.takeSum(nested, array, getSumType(array));
      Value more = inner.getWideCotangent(read->getResult(0));
      inner.add(nested, array, part.add(nested, loc, sum, more));
      return true;
    };
    if (failed(inner.run(nested, ops, onRead)))
      return failure();
    for (auto [value, sum] : llvm::zip_equal(outer, sums))
      if (Value made = inner.getWideCotangent(value)) // null: not active
        sum = made;
    return success();
  };
  FailureOr<SmallVector<Value>> sums = loops.build(b, starts, body);
  if (failed(sums))
    return failure();
  for (auto [value, sum] : llvm::zip_equal(outer, *sums))
    reverse.add(b, value, sum);
  return success();
}

static LogicalResult buildSumsTangent(scf::ForOp op, SumLoops &loops,
                                      OpBuilder &b, Forward &forward) {
  Location loc = op.getLoc();
  SmallVector<Value> starts;
  for (Value start : op.getInitArgs()) {
    Value tangent = forward.getTangent(start);
    starts.push_back(tangent ? tangent : buildZeros(b, loc, start));
  }
  auto body = [&](OpBuilder &nested, ArrayRef<Operation *> ops,
                  ArrayRef<Update> updates, MutableArrayRef<Value> sums) {
    Forward inner(findActive(ops, updates, [&](Value value) {
      return bool(forward.getTangent(value));
    }));
    for (Value value : getReadValues(op))
      inner.setTangent(value, forward.getTangent(value));
    if (failed(inner.run(nested, ops)))
      return failure();
    // The last update of the body comes first.
    for (const Update &update : llvm::reverse(updates))
      if (Value tangent = inner.getTangent(update.more))
        sums[update.carried] =
            update.part.add(nested, loc, sums[update.carried], tangent);
    return success();
  };
  FailureOr<SmallVector<Value>> sums = loops.build(b, starts, body);
  if (failed(sums))
    return failure();
  for (auto [result, sum] : llvm::zip_equal(op.getResults(), *sums))
    forward.setTangent(result, sum);
  return success();
}

namespace {
struct ForModel
    : DifferentiableOpInterface::ExternalModel<ForModel, scf::ForOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    SumLoops loops;
    return failed(match(op, loops))
               ? failure()
               : buildSumsAdjoint(cast<scf::ForOp>(op), loops, b, reverse);
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    SumLoops loops;
    return failed(match(op, loops))
               ? failure()
               : buildSumsTangent(cast<scf::ForOp>(op), loops, b, forward);
  }

private:
  static LogicalResult match(Operation *op, SumLoops &loops) {
    if (succeeded(loops.match(cast<scf::ForOp>(op))))
      return success();
    return op->emitOpError("has no derivative: expected a nest of loops that "
                           "adds to elements or slices of tensors and reads "
                           "them for nothing else");
  }
};
} // namespace

void lattn::attachLoops(MLIRContext *context) {
  scf::ForOp::attachInterface<ForModel>(*context);
}

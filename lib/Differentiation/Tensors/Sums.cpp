//===- Sums.cpp - Loops that add to elements ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The loops that the cotangent of a read of a table becomes: each iteration
// adds to elements of arrays that the loops carry, and reads these for nothing
// else. So the cotangent of a carried array is the same in all iterations.

#include "TensorRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

namespace {
/// `more` is added to the element at `indices` of carried array `carried`.
struct Update {
  unsigned carried;
  Value more;
  SmallVector<Value> indices;
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

  SmallVector<scf::ForOp> loops;
  SmallVector<Update> updates;
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
      return failure();
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

LogicalResult SumLoops::matchUpdates(unsigned carried) {
  scf::ForOp inner = getInner();
  Value array = inner.getYieldedValues()[carried];
  Value start = inner.getRegionIterArg(carried);
  while (array != start) {
    auto insert = array.getDefiningOp<tensor::InsertOp>();
    auto sum =
        insert ? insert.getScalar().getDefiningOp<arith::AddFOp>() : nullptr;
    if (!sum)
      return failure();
    array = insert.getDest();
    auto reads = [&](Value value) {
      auto extract = value.getDefiningOp<tensor::ExtractOp>();
      return extract && extract.getTensor() == array && value.hasOneUse() &&
             extract.getIndices() == insert.getIndices();
    };
    unsigned old = reads(sum.getLhs()) ? 0 : 1;
    if (!reads(sum->getOperand(old)) || !sum->hasOneUse() || !array.hasNUses(2))
      return failure();
    updates.push_back({carried, sum->getOperand(1 - old),
                       llvm::to_vector(insert.getIndices())});
    for (Operation *op : {insert.getOperation(), sum.getOperation(),
                          sum->getOperand(old).getDefiningOp()})
      updateOps.insert(op);
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
        SmallVector<Update> cloned(updates);
        for (Update &update : cloned) {
          update.more = mapping.lookupOrDefault(update.more);
          for (Value &index : update.indices)
            index = mapping.lookupOrDefault(index);
        }
        scf::ValueVector made(carried.begin(), carried.end());
        isMade = succeeded(body(nested, ops, cloned, made));
        return made;
      });
  if (!isMade)
    return failure();
  return SmallVector<Value>(nest.results);
}

/// Adds `more` to the element of `array` at `indices`.
static void addTo(OpBuilder &b, Location loc, Value &array, ValueRange indices,
                  Value more) {
  Value old = tensor::ExtractOp::create(b, loc, array, indices);
  more = convertElements(b, loc, more, old.getType());
  Value sum = arith::AddFOp::create(b, loc, old, more);
  array = tensor::InsertOp::create(b, loc, sum, array, indices);
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
    Type type = getElementTypeOrSelf(value.getType());
    starts.push_back(buildZeros(b, loc, value, getAccumulatorElement(type)));
  }
  auto body = [&](OpBuilder &nested, ArrayRef<Operation *> ops,
                  ArrayRef<Update> updates, MutableArrayRef<Value> sums) {
    SmallVector<Value> added;
    for (const Update &update : updates)
      added.push_back(update.more);
    Reverse inner(Activity(ops, added, [&](Value value) {
      return llvm::is_contained(outer, value);
    }));
    for (const Update &update : updates)
      if (Value cotangent = cotangents[update.carried])
        inner.add(
            nested, update.more,
            tensor::ExtractOp::create(nested, loc, cotangent, update.indices));
    auto onRead = [&](Operation *read) {
      unsigned i = llvm::find(outer, read->getOperand(0)) - outer.begin();
      if (i < outer.size())
        addTo(nested, loc, sums[i], read->getOperands().drop_front(),
              inner.getWideCotangent(read->getResult(0)));
    };
    if (failed(inner.run(nested, ops, onRead)))
      return failure();
    for (auto [value, sum] : llvm::zip_equal(outer, sums))
      if (Value more = inner.getWideCotangent(value))
        sum = buildSum(nested, loc, sum,
                       convertElements(nested, loc, more, sum.getType()));
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
    SmallVector<Value> added;
    for (const Update &update : updates)
      added.push_back(update.more);
    Forward inner(Activity(ops, added, [&](Value value) {
      return bool(forward.getTangent(value));
    }));
    for (Value value : getReadValues(op))
      inner.setTangent(value, forward.getTangent(value));
    if (failed(inner.run(nested, ops)))
      return failure();
    // The last update of the body comes first.
    for (const Update &update : llvm::reverse(updates))
      if (Value tangent = inner.getTangent(update.more))
        addTo(nested, loc, sums[update.carried], update.indices, tangent);
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
                           "adds to elements of tensors and reads them for "
                           "nothing else");
  }
};
} // namespace

void lattn::attachLoops(MLIRContext *context) {
  scf::ForOp::attachInterface<ForModel>(*context);
}

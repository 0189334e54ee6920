//===- Block.cpp - Derivatives of what a block computes -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace lattn;

#include "lattn/Differentiation/DifferentiationInterfaces.cpp.inc"

bool lattn::isDifferentiable(Type type) {
  return isa<FloatType>(getElementTypeOrSelf(type));
}

SetVector<Value> lattn::getReadValues(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

Activity::Activity(ArrayRef<Operation *> ops, ValueRange results,
                   IsActive isActive) {
  DenseSet<Value> needed(results.begin(), results.end());
  for (Operation *op : llvm::reverse(ops))
    if (!isMemoryEffectFree(op) ||
        llvm::any_of(op->getResults(),
                     [&](Value result) { return needed.contains(result); }))
      needed.insert_range(getReadValues(op));
  DenseSet<Operation *> inside(ops.begin(), ops.end());
  for (Value value : needed)
    if (!inside.contains(value.getDefiningOp()) &&
        isDifferentiable(value.getType()) && isActive(value))
      active.insert(value);
  for (Operation *op : ops)
    if (readsActive(op))
      for (Value result : op->getResults())
        // Other integers that come from floats are constant almost everywhere.
        if (needed.contains(result) &&
            (isDifferentiable(result.getType()) || isa<arith::BitcastOp>(op)))
          active.insert(result);
}

bool Activity::readsActive(Operation *op) const {
  return llvm::any_of(getReadValues(op),
                      [&](Value value) { return active.contains(value); });
}

LogicalResult Activity::verify(ArrayRef<Operation *> ops) const {
  for (Operation *op : ops) {
    if (isa<DifferentiableOpInterface>(op))
      continue;
    if (llvm::any_of(op->getResults(),
                     [&](Value result) { return active.contains(result); }))
      return op->emitOpError("has no derivative");
    if (!isMemoryEffectFree(op) && readsActive(op))
      return op->emitOpError("has no derivative: it has side effects");
  }
  return success();
}

/// Clones the ops of `block` but the terminator; `results` are the values that
/// the terminator's operands have then.
static SmallVector<Operation *> cloneBody(OpBuilder &b, Block &block,
                                          ValueRange arguments,
                                          SmallVector<Value> &results) {
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(b.clone(op, mapping));
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(operand));
  return ops;
}

FailureOr<ReverseBlock> lattn::buildReverse(OpBuilder &b, Block &block,
                                            ValueRange arguments,
                                            ArrayRef<Value> cotangents,
                                            Activity::IsActive isActive) {
  ReverseBlock made;
  SmallVector<Operation *> ops = cloneBody(b, block, arguments, made.results);
  Reverse reverse(Activity(ops, made.results, isActive));
  for (auto [result, cotangent] : llvm::zip_equal(made.results, cotangents))
    reverse.add(b, result, cotangent);
  auto onRead = [&](Operation *read) {
    Value array = read->getOperand(0);
    if (reverse.isActive(array))
      made.reads.push_back({array,
                            llvm::to_vector(read->getOperands().drop_front()),
                            reverse.getWideCotangent(read->getResult(0))});
    return true;
  };
  if (failed(reverse.run(b, ops, onRead)))
    return failure();
  std::reverse(made.reads.begin(), made.reads.end());
  for (Value argument : arguments)
    made.cotangents.push_back(reverse.getWideCotangent(argument));
  return made;
}

FailureOr<SmallVector<Value>>
lattn::buildReverseOfReads(OpBuilder &b, Block &block,
                           ArrayRef<Value> cotangents,
                           Activity::IsActive isActive, ArrayRef<Value> reads) {
  SmallVector<Value> results;
  SmallVector<Operation *> ops = cloneBody(b, block, {}, results);
  Reverse reverse(Activity(ops, results, isActive));
  for (auto [result, cotangent] : llvm::zip_equal(results, cotangents))
    reverse.add(b, result, cotangent);
  if (failed(reverse.run(b, ops)))
    return failure();
  SmallVector<Value> made;
  for (Value read : reads) {
    Value cotangent = reverse.getCotangent(b, read);
    made.push_back(cotangent ? cotangent : buildZeros(b, read.getLoc(), read));
  }
  return made;
}

FailureOr<ForwardBlock>
lattn::buildForward(OpBuilder &b, Block &block, ValueRange arguments,
                    function_ref<Value(Value)> getTangent) {
  ForwardBlock made;
  SmallVector<Operation *> ops = cloneBody(b, block, arguments, made.results);
  DenseMap<Value, Value> outer;
  auto ask = [&](Value value) { outer[value] = getTangent(value); };
  llvm::for_each(arguments, ask);
  llvm::for_each(made.results, ask);
  for (Operation *op : ops)
    llvm::for_each(getReadValues(op), ask);
  for (Operation *op : ops)
    for (Value result : op->getResults())
      outer.erase(result);
  auto isActive = [&](Value value) { return bool(outer.lookup(value)); };
  Forward forward(Activity(ops, made.results, isActive));
  for (auto [value, tangent] : outer)
    forward.setTangent(value, tangent);
  if (failed(forward.run(b, ops)))
    return failure();
  for (Value result : made.results)
    made.tangents.push_back(forward.getTangent(result));
  return made;
}

//===- Branches.cpp - Derivatives of scf.if -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each branch becomes its derivative: what it reads from outside gets the
// cotangents that the branch taken gives, or zeros.

#include "Tensors/TensorRules.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;

/// The active values from outside that a branch reads.
static SetVector<Value> getActiveReads(scf::IfOp op, const Reverse &reverse) {
  SetVector<Value> active;
  for (Value value : getReadValues(op))
    if (reverse.isActive(value))
      active.insert(value);
  return active;
}

/// Each branch of `op`, and the one that it becomes.
static std::array<std::pair<Block *, Block *>, 2> getBlocks(scf::IfOp op,
                                                            scf::IfOp made) {
  return {
      {{op.thenBlock(), made.thenBlock()}, {op.elseBlock(), made.elseBlock()}}};
}

namespace {
struct IfModel : DifferentiableOpInterface::ExternalModel<IfModel, scf::IfOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto branches = cast<scf::IfOp>(op);
    SetVector<Value> reads = getActiveReads(branches, reverse);
    if (reads.empty())
      return success();
    SmallVector<Value> cotangents;
    for (Value result : op->getResults())
      cotangents.push_back(
          reverse.isActive(result) ? reverse.getCotangent(b, result) : Value());
    ArrayRef<Value> values = reads.getArrayRef();
    auto made = scf::IfOp::create(
        b, op->getLoc(), ValueRange(values).getTypes(), branches.getCondition(),
        /*addThenBlock=*/true, /*addElseBlock=*/true);
    auto isActive = [&](Value value) { return reads.contains(value); };
    for (auto [block, to] : getBlocks(branches, made)) {
      OpBuilder nested = OpBuilder::atBlockBegin(to);
      FailureOr<SmallVector<Value>> yielded =
          buildReverseOfReads(nested, *block, cotangents, isActive, values);
      if (failed(yielded))
        return failure();
      scf::YieldOp::create(nested, op->getLoc(), *yielded);
    }
    for (auto [value, cotangent] : llvm::zip_equal(values, made.getResults()))
      reverse.add(b, value, cotangent);
    return success();
  }

  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto branches = cast<scf::IfOp>(op);
    SmallVector<OpResult> floats;
    for (OpResult result : op->getResults())
      if (isDifferentiable(result.getType()))
        floats.push_back(result);
    Location loc = op->getLoc();
    auto made = scf::IfOp::create(
        b, loc,
        ValueRange(SmallVector<Value>(floats.begin(), floats.end())).getTypes(),
        branches.getCondition(), /*addThenBlock=*/true, /*addElseBlock=*/true);
    auto getTangent = [&](Value value) { return forward.getTangent(value); };
    for (auto [block, to] : getBlocks(branches, made)) {
      OpBuilder nested = OpBuilder::atBlockBegin(to);
      FailureOr<ForwardBlock> of = buildForward(nested, *block, {}, getTangent);
      if (failed(of))
        return failure();
      SmallVector<Value> yielded;
      for (OpResult result : floats) {
        Value tangent = of->tangents[result.getResultNumber()];
        yielded.push_back(
            tangent ? tangent
                    : buildZeros(nested, loc,
                                 of->results[result.getResultNumber()]));
      }
      scf::YieldOp::create(nested, loc, yielded);
    }
    for (auto [result, tangent] : llvm::zip_equal(floats, made.getResults()))
      forward.setTangent(result, tangent);
    return success();
  }
};
} // namespace

void lattn::attachBranches(MLIRContext *context) {
  scf::IfOp::attachInterface<IfModel>(*context);
}

//===- BufferizeSweepKeys.cpp - Bufferization of loops over keys ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// As upstream's scf.for, but each step must update tensors of the state in
// place, so that the op on buffers need not carry them.

#include "BufferizeSweepKeys.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace lattn;

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

namespace {
struct SweepKeysModel
    : BufferizableOpInterface::ExternalModel<SweepKeysModel, SweepKeysOp> {
  static unsigned getNumber(Operation *op, OpOperand &init) {
    return init.getOperandNumber() - cast<SweepKeysOp>(op).getBounds().size();
  }

  bool bufferizesToMemoryRead(Operation *op, OpOperand &init,
                              const AnalysisState &state) const {
    return state.isValueRead(
        cast<SweepKeysOp>(op).getTiedLoopRegionIterArg(&init));
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return true;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &init,
                                      const AnalysisState &) const {
    return {{op->getResult(getNumber(op, init)), BufferRelation::Equivalent}};
  }
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return true;
  }

  LogicalResult verifyAnalysis(Operation *op,
                               const AnalysisState &state) const {
    auto sweep = cast<SweepKeysOp>(op);
    for (auto [i, carried, next] : llvm::enumerate(
             sweep.getRegionIterArgs(), *sweep.getYieldedValuesMutable()))
      if (isTensor(carried) &&
          !state.areEquivalentBufferizedValues(carried, next.get()))
        return op->emitOpError()
               << "expected a body that updates its state in place, but value "
               << i << " that it yields is another tensor";
    return success();
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    auto sweep = cast<SweepKeysOp>(op);
    OpOperand *init = isa<BlockArgument>(value)
                          ? sweep.getTiedLoopInit(cast<BlockArgument>(value))
                          : sweep.getTiedLoopInit(cast<OpResult>(value));
    return bufferization::getBufferType(init->get(), options, state,
                                        invocationStack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto sweep = cast<SweepKeysOp>(op);
    Location loc = op->getLoc();
    rewriter.setInsertionPoint(op);
    SmallVector<Value> buffers(op->getNumResults()), inits;
    for (auto [buffer, init] : llvm::zip_equal(buffers, sweep.getInits())) {
      if (!isTensor(init)) {
        inits.push_back(init);
        continue;
      }
      FailureOr<Value> found = getBuffer(rewriter, init, options, state);
      if (failed(found))
        return failure();
      buffer = *found;
    }
    auto buffered =
        SweepKeysOp::create(rewriter, loc, sweep.getBounds(),
                            sweep.getRunKinds(), sweep.getKeyTile(), inits);
    buffered->setDiscardableAttrs(op->getDiscardableAttrDictionary());

    // The body sees tensors in the buffers.
    Block &body = buffered.getBody().front();
    rewriter.setInsertionPointToStart(&body);
    SmallVector<Value> arguments = {buffered.getKey(), buffered.getSize(),
                                    buffered.getEdge()};
    SmallVector<Value> results, next;
    unsigned kept = 0;
    Operation *yield = sweep.getBody().front().getTerminator();
    for (auto [i, buffer] : llvm::enumerate(buffers)) {
      if (buffer) {
        results.push_back(buffer);
        arguments.push_back(ToTensorOp::create(
            rewriter, loc, sweep.getState()[i].getType(), buffer));
        continue;
      }
      results.push_back(buffered->getResult(kept));
      arguments.push_back(buffered.getState()[kept++]);
      next.push_back(yield->getOperand(i));
    }
    rewriter.mergeBlocks(&sweep.getBody().front(), &body, arguments);
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(next); });
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }
};

/// In lattn.sweep_keys; score regions have no tensors to yield.
struct YieldModel
    : BufferizableOpInterface::ExternalModel<YieldModel, YieldOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const AnalysisState &) const {
    return {};
  }
  bool mustBufferizeInPlace(Operation *, OpOperand &,
                            const AnalysisState &) const {
    return true;
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isTensor(operand.get()))
        continue;
      FailureOr<Value> buffer =
          getBuffer(rewriter, operand.get(), options, state);
      if (failed(buffer))
        return failure();
      rewriter.modifyOpInPlace(op, [&] { operand.set(*buffer); });
    }
    return success();
  }
};
} // namespace

void lattn::attachSweepKeysBufferization(MLIRContext *context) {
  SweepKeysOp::attachInterface<SweepKeysModel>(*context);
  YieldOp::attachInterface<YieldModel>(*context);
}

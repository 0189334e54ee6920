//===- BufferizableOpInterfaceImpl.cpp - Bufferization of lattn ops -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferizeSweepKeys.h"
#include "lattn/Dialect/Lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace lattn;

/// Moves a score region to `to`, where captures are `captures`' buffers: reads
/// of tensor elements become loads.
static void bufferizeScoreRegion(RewriterBase &rewriter, Region &from,
                                 Region &to, TypeRange captures) {
  if (from.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  Block &oldBlock = from.front();
  constexpr unsigned numScalars = 5;
  SmallVector<Type> types(
      TypeRange(oldBlock.getArgumentTypes()).take_front(numScalars));
  llvm::append_range(types, captures);
  SmallVector<Location> locs(types.size(), from.getLoc());
  Block *block = rewriter.createBlock(&to, to.end(), types, locs);
  IRMapping mapping;
  mapping.map(oldBlock.getArguments(), block->getArguments());
  for (Operation &inner : oldBlock) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inner)) {
      SmallVector<Value> indices;
      for (Value index : extract.getIndices())
        indices.push_back(mapping.lookupOrDefault(index));
      mapping.map(extract.getResult(),
                  memref::LoadOp::create(rewriter, extract.getLoc(),
                                         mapping.lookup(extract.getTensor()),
                                         indices)
                      .getResult());
    } else if (auto toBuffer = dyn_cast<ToBufferOp>(inner)) {
      // Left by the bufferization of an extract inside.
      mapping.map(toBuffer.getBuffer(), mapping.lookup(toBuffer.getTensor()));
    } else {
      rewriter.clone(inner, mapping);
    }
  }
}

/// The operands of `op`, tensors as buffers.
static FailureOr<SmallVector<Value>>
getBuffers(RewriterBase &rewriter, Operation *op,
           const BufferizationOptions &options,
           const BufferizationState &state) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType())) {
      operands.push_back(operand);
      continue;
    }
    FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
    if (failed(buffer))
      return failure();
    operands.push_back(*buffer);
  }
  return operands;
}

namespace {

/// Destination-style lattn ops: results live in their destinations' buffers.
/// `ReadsInits`: whether the op starts from what its destinations hold.
template <typename OpTy, bool ReadsInits>
struct DestinationModel : DstBufferizableOpInterfaceExternalModel<
                              DestinationModel<OpTy, ReadsInits>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return ReadsInits ||
           !cast<DestinationStyleOpInterface>(op).isDpsInit(&operand);
  }

  AliasingOpOperandList
  getAliasingOpOperands(Operation *op, Value value,
                        const AnalysisState &state) const {
    // A capture's block argument is its operand's buffer.
    if (auto argument = dyn_cast<BlockArgument>(value))
      return {{getCapture(op, argument), BufferRelation::Equivalent}};
    auto result = cast<OpResult>(value);
    auto dest = cast<DestinationStyleOpInterface>(op);
    return {{dest.getDpsInitOperand(result.getResultNumber()),
             BufferRelation::Equivalent}};
  }

  FailureOr<BufferLikeType>
  getBufferType(Operation *op, Value value, const BufferizationOptions &options,
                const BufferizationState &state,
                SmallVector<Value> &invocationStack) const {
    OpOperand *source =
        isa<BlockArgument>(value)
            ? getCapture(op, cast<BlockArgument>(value))
            : cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
                  cast<OpResult>(value).getResultNumber());
    return bufferization::getBufferType(source->get(), options, state,
                                        invocationStack);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> operands =
        getBuffers(rewriter, op, options, state);
    if (failed(operands))
      return failure();
    OperationState newState(op->getLoc(), op->getName(), *operands, TypeRange(),
                            op->getAttrs());
    newState.propertiesAttr = op->getPropertiesAsAttribute();
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      newState.addRegion();
    Operation *newOp = rewriter.create(newState);
    if (auto attention = dyn_cast<AttentionOpInterface>(newOp))
      bufferizeScoreRegion(rewriter, op->getRegion(0), newOp->getRegion(0),
                           attention.getCaptures().getTypes());
    SmallVector<Value> results;
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(newOp).getDpsInitsMutable())
      results.push_back(init.get());
    replaceOpWithBufferizedValues(rewriter, op, results);
    return success();
  }

private:
  static OpOperand *getCapture(Operation *op, BlockArgument argument) {
    auto attention = cast<AttentionOpInterface>(op);
    unsigned first = attention.getCaptures().getBeginOperandIndex();
    return &op->getOpOperand(first + argument.getArgNumber() - 5);
  }
};

/// The result is the input's buffer or the scratch's: decided at run time.
struct StageRowsModel
    : BufferizableOpInterface::ExternalModel<StageRowsModel, StageRowsOp> {
  static bool isScratch(Operation *op, OpOperand &operand) {
    return &operand == &cast<StageRowsOp>(op).getScratchMutable();
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !isScratch(op, operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return isScratch(op, operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Unknown, /*isDefinite=*/false}};
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(
        getMemRefTypeWithFullyDynamicLayout(cast<TensorType>(value.getType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto stage = cast<StageRowsOp>(op);
    FailureOr<SmallVector<Value>> operands =
        getBuffers(rewriter, op, options, state);
    if (failed(operands))
      return failure();
    replaceOpWithNewBufferizedOp<StageRowsOp>(
        rewriter, op,
        getMemRefTypeWithFullyDynamicLayout(
            cast<TensorType>(stage.getResult().getType())),
        operands->front(), operands->back(), stage.getPositionAxisAttr());
    return success();
  }
};

template <bool ReadsInits, typename... Ops>
void attachModels(MLIRContext *context) {
  (Ops::template attachInterface<DestinationModel<Ops, ReadsInits>>(*context),
   ...);
}

} // namespace

void lattn::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LattnDialect *) {
    attachModels</*ReadsInits=*/true, AttentionGradStepOp, AttentionJvpStepOp,
                 OnlineAttentionOp, MergeOp>(context);
    attachModels</*ReadsInits=*/false, AttentionOp, AttentionGradOp,
                 AttentionJvpOp, AttentionScoresOp, FinalizeOp, RotatePairsOp,
                 L2NormalizeOp, PackQueryOp, RotaryOp, LocalAttentionOp,
                 LocalMHAOp, MultiheadAttentionOp>(context);
    StageRowsOp::attachInterface<StageRowsModel>(*context);
    attachSweepKeysBufferization(context);
    context->loadDialect<memref::MemRefDialect, BufferizationDialect>();
  });
}

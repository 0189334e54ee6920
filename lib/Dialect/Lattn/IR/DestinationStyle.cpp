//===- DestinationStyle.cpp - Effects and results of most ops -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// Memref inputs are read, memref destinations read and written.
static void addDestinationEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

/// The result shapes are those of the destinations.
static LogicalResult
reifyDestinationShapes(OpBuilder &b, DestinationStyleOpInterface op,
                       ReifiedRankedShapedTypeDims &shapes) {
  if (!op.hasPureTensorSemantics())
    return failure();
  for (Value init : op.getDpsInits())
    shapes.push_back(tensor::getMixedSizes(b, op.getLoc(), init));
  return success();
}

#define LATTN_EFFECTS(OpTy)                                                    \
  void OpTy::getEffects(                                                       \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>      \
          &effects) {                                                          \
    addDestinationEffects(cast<DestinationStyleOpInterface>(getOperation()),   \
                          effects);                                            \
  }
#define LATTN_EFFECTS_AND_SHAPES(OpTy)                                         \
  LATTN_EFFECTS(OpTy)                                                          \
  LogicalResult OpTy::reifyResultShapes(OpBuilder &b,                          \
                                        ReifiedRankedShapedTypeDims &shapes) { \
    return reifyDestinationShapes(                                             \
        b, cast<DestinationStyleOpInterface>(getOperation()), shapes);         \
  }

/// The destinations are the last `count` operands.
#define LATTN_LAST_OPERANDS(OpTy, count)                                       \
  LogicalResult OpTy::inferReturnTypes(MLIRContext *, std::optional<Location>, \
                                       ValueRange operands, DictionaryAttr,    \
                                       OpaqueProperties, RegionRange,          \
                                       SmallVectorImpl<Type> &types) {         \
    return inferDestinationTypes(operands.take_back(count), types);            \
  }

LATTN_EFFECTS(AttentionGradStepOp)
LATTN_EFFECTS(AttentionJvpStepOp)
LATTN_EFFECTS(FinalizeOp)
LATTN_EFFECTS(MergeOp)
LATTN_EFFECTS(PackQueryOp)
LATTN_EFFECTS_AND_SHAPES(AttentionGradOp)
LATTN_EFFECTS_AND_SHAPES(AttentionJvpOp)
LATTN_EFFECTS_AND_SHAPES(AttentionOp)
LATTN_EFFECTS_AND_SHAPES(AttentionScoresOp)
LATTN_EFFECTS_AND_SHAPES(L2NormalizeOp)
LATTN_EFFECTS_AND_SHAPES(LocalAttentionOp)
LATTN_EFFECTS_AND_SHAPES(LocalMHAOp)
LATTN_EFFECTS_AND_SHAPES(MultiheadAttentionOp)
LATTN_EFFECTS_AND_SHAPES(OnlineAttentionOp)
LATTN_EFFECTS_AND_SHAPES(RotaryOp)
LATTN_EFFECTS_AND_SHAPES(RotatePairsOp)
LATTN_LAST_OPERANDS(AttentionScoresOp, 1)
LATTN_LAST_OPERANDS(LocalAttentionOp, 1)
LATTN_LAST_OPERANDS(LocalMHAOp, 1)
LATTN_LAST_OPERANDS(MergeOp, 3)
LATTN_LAST_OPERANDS(OnlineAttentionOp, 3)
LATTN_LAST_OPERANDS(PackQueryOp, 1)
#undef LATTN_LAST_OPERANDS
#undef LATTN_EFFECTS
#undef LATTN_EFFECTS_AND_SHAPES

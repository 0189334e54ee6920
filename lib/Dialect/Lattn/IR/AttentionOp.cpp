//===- AttentionOp.cpp - lattn.attention: verifier and shape interfaces ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadShapes.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  if (failed(
          verifyAttentionOperands(*this, {{11, "output"}})) || // attention_c20
      failed(verifyHeadShapes(*this)) ||
      failed(verifyLengths(*this)) ||                   // attention_c5
      failed(verifyRowArray(*this, getLse(), "lse")) || // attention_c8
      failed(
          verifyPartDropout(*this, getDropout().getTypes())) || // attention_c17
      failed(verifyOriginOffset(*this)))                        // attention_c18
    return failure();
  auto extents = getScoreExtents(*this);
  // attention_c12
  if (failed(verifySink(*this, getSink(), extents[1])))
    return failure();
  // attention_c22
  if (failed(verifyProducts(*this, getScheduleAttr())))
    return failure();
  return verifyScoring(*this, extents);
}

//===----------------------------------------------------------------------===//
// Destination style
//===----------------------------------------------------------------------===//

/// Attention on tensors has no side effects: like linalg.matmul, it may run
/// even if nothing needs its result.
Speculation::Speculatability AttentionOp::getSpeculatability() {
  return hasPureTensorSemantics() ? Speculation::Speculatable
                                  : Speculation::NotSpeculatable;
}

MutableOperandRange AttentionOp::getDpsInitsMutable() {
  auto [start, size] = getODSOperandIndexAndLength(11);
  return MutableOperandRange(*this, start, size + (getLse() ? 1 : 0));
}

LogicalResult AttentionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferDestinationTypes({adaptor.getOutput(), adaptor.getLse()}, types);
}

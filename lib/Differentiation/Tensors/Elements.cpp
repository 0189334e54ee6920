//===- Elements.cpp - Reads and writes of elements ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorRules.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

namespace {

struct ExtractModel
    : DifferentiableOpInterface::ExternalModel<ExtractModel,
                                               tensor::ExtractOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &b,
                             Reverse &reverse) const {
    auto extract = cast<tensor::ExtractOp>(op);
    Value array = extract.getTensor();
    Value all = buildZeros(b, op->getLoc(), array);
    reverse.add(b, array,
                tensor::InsertOp::create(b, op->getLoc(),
                                         reverse.getCotangent(b, extract), all,
                                         extract.getIndices()));
    return success();
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto extract = cast<tensor::ExtractOp>(op);
    if (Value tangent = forward.getTangent(extract.getTensor()))
      forward.setTangent(extract,
                         tensor::ExtractOp::create(b, op->getLoc(), tangent,
                                                   extract.getIndices()));
    return success();
  }
};

struct LoadModel
    : DifferentiableOpInterface::ExternalModel<LoadModel, memref::LoadOp> {
  LogicalResult buildAdjoint(Operation *op, OpBuilder &, Reverse &) const {
    return op->emitOpError("has no derivative: a memref has no cotangent");
  }
  LogicalResult buildTangent(Operation *op, OpBuilder &b,
                             Forward &forward) const {
    auto load = cast<memref::LoadOp>(op);
    if (Value tangent = forward.getTangent(load.getMemref()))
      forward.setTangent(load, memref::LoadOp::create(b, op->getLoc(), tangent,
                                                      load.getIndices()));
    return success();
  }
};

} // namespace

void lattn::attachLoads(MLIRContext *context) {
  memref::LoadOp::attachInterface<LoadModel>(*context);
}

void lattn::attachElements(MLIRContext *context) {
  tensor::ExtractOp::attachInterface<ExtractModel>(*context);
}

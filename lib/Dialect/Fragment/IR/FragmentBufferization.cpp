//===- FragmentBufferization.cpp - Fragment ops in one-shot bufferization -===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lattn/Dialect/Fragment/IR/Fragment.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace lattn::fragment;

// Tiles are values of their own: store writes its destination in place, and
// what only reads is Fragment_ReadingOp (FragmentOps.td).

bool StoreOp::bufferizesToMemoryRead(OpOperand &, const AnalysisState &) {
  return false;
}
bool StoreOp::bufferizesToMemoryWrite(OpOperand &, const AnalysisState &) {
  return true;
}
AliasingValueList StoreOp::getAliasingValues(OpOperand &,
                                             const AnalysisState &) {
  return {{getResult(), BufferRelation::Equivalent}};
}
LogicalResult StoreOp::bufferize(RewriterBase &rewriter,
                                 const BufferizationOptions &options,
                                 BufferizationState &state) {
  FailureOr<Value> dest = getBuffer(rewriter, getDest(), options, state);
  if (failed(dest))
    return failure();
  StoreOp::create(rewriter, getLoc(), TypeRange(), getSource(), *dest);
  replaceOpWithBufferizedValues(rewriter, *this, *dest);
  return success();
}

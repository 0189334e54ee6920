//===- BufferizableOpInterfaceImpl.cpp - Bufferization of checks ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Check/Transforms/BufferizableOpInterfaceImpl.h"
#include "lattn/Dialect/Check/IR/Check.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace lattn::check;

namespace {

/// A check with `actual` and `expected`: reads both, writes neither.
template <typename OpTy>
struct CheckBufferization
    : BufferizableOpInterface::ExternalModel<CheckBufferization<OpTy>, OpTy> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &state) const {
    return true;
  }

  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &state) const {
    return false;
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &state) const {
    return {};
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto check = cast<OpTy>(op);
    FailureOr<Value> actual =
        getBuffer(rewriter, check.getActual(), options, state);
    FailureOr<Value> expected =
        getBuffer(rewriter, check.getExpected(), options, state);
    if (failed(actual) || failed(expected))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      check.getActualMutable().set(*actual);
      check.getExpectedMutable().set(*expected);
    });
    return success();
  }
};

} // namespace

void lattn::check::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, CheckDialect *dialect) {
    ExpectCloseOp::attachInterface<CheckBufferization<ExpectCloseOp>>(*context);
    ExpectEqOp::attachInterface<CheckBufferization<ExpectEqOp>>(*context);
  });
}

//===- Streams.cpp - What a step reads from global memory -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace lattn;
using fragment::LoadOp;
using fragment::MultiplyOp;

SmallVector<MultiplyOp> lattn::getMultiplies(SweepKeysOp sweep) {
  return llvm::to_vector(sweep.getBody().getOps<MultiplyOp>());
}

/// The matrix from outside that `view` takes the step's rows of; `view` itself
/// if it is something else.
static Value getMatrix(Value view, SweepKeysOp sweep) {
  auto rows = view.getDefiningOp<memref::SubViewOp>();
  if (!rows || rows.getSourceType().getRank() != 2 ||
      !sweep.isDefinedOutsideOfLoop(rows.getSource()) ||
      rows.getMixedOffsets()[0] != OpFoldResult(sweep.getKey()) ||
      !isZeroInteger(rows.getMixedOffsets()[1]) || !rows.hasUnitStride())
    return view;
  return rows.getSource();
}

SmallVector<Stream> lattn::getStreams(SweepKeysOp sweep) {
  int64_t rows = sweep.getKeyTile();
  SmallVector<Stream> streams;
  auto add = [&](OpOperand &use, SmallVector<int64_t> shape) {
    Value source = getMatrix(use.get(), sweep);
    auto *known = llvm::find_if(
        streams, [&](const Stream &stream) { return stream.source == source; });
    if (known == streams.end()) {
      streams.push_back({source, shape, {}});
      known = &streams.back();
    }
    known->uses.push_back(&use);
  };
  for (Operation &op : sweep.getBody().front()) {
    if (auto multiply = dyn_cast<MultiplyOp>(op))
      add(multiply.getRightMutable(),
          {rows, multiply.getTransposed()
                     ? multiply.getLeft().getType().getColumns()
                     : multiply.getType().getColumns()});
    else if (auto load = dyn_cast<LoadOp>(op);
             load && load.getType().isColumn())
      add(load.getSourceMutable(), {rows});
    else if (load && load.getType().getPart() == fragment::Part::Operand &&
             !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(
                 cast<MemRefType>(load.getSource().getType())))
      add(load.getSourceMutable(), llvm::to_vector(load.getType().getShape()));
  }
  return streams;
}

FailureOr<SetVector<Operation *>> lattn::findInStep(Value value,
                                                    SweepKeysOp sweep) {
  SetVector<Operation *> finders;
  Operation *op = value.getDefiningOp();
  if (!op || !sweep->isProperAncestor(op))
    return finders;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *op) { return sweep->isProperAncestor(op); };
  if (failed(getBackwardSlice(op, &finders, options)) ||
      llvm::any_of(finders, [](Operation *op) {
        return op->getNumRegions() != 0 ||
               !(isMemoryEffectFree(op) ||
                 hasSingleEffect<MemoryEffects::Read>(op));
      }))
    return failure();
  return finders;
}

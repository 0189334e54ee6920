//===- MapLinalg.cpp - What is beside attention, on a GPU -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// linalg ops on buffers -> loops in which each thread computes one element.
// These loops are not fast, but the arrays need not leave the GPU.

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNMAPLINALGTOGPUPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;

static scf::ForallOp createElements(OpBuilder &b, Location loc,
                                    ArrayRef<OpFoldResult> extents,
                                    StringRef kernel) {
  SmallVector<Attribute> ids;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    ids.push_back(gpu::GPUThreadMappingAttr::get(
        b.getContext(),
        static_cast<gpu::MappingId>(
            static_cast<uint64_t>(gpu::MappingId::LinearDim0) + axis)));
  auto forall =
      scf::ForallOp::create(b, loc, extents, ValueRange(), b.getArrayAttr(ids));
  forall->setAttr(lattn::kGrid, lattn::GridAttr::get(b.getContext(), kernel,
                                                     lattn::GridBlocks::Any));
  return forall;
}

/// Makes `loops` a loop over elements.
static void mapLoops(RewriterBase &rewriter, scf::ParallelOp loops,
                     StringRef kernel) {
  rewriter.setInsertionPoint(loops);
  scf::ForallOp forall =
      createElements(rewriter, loops.getLoc(),
                     getAsOpFoldResult(loops.getUpperBound()), kernel);
  rewriter.eraseOp(loops.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loops.getBody(), forall.getTerminator(),
                             forall.getInductionVars());
  rewriter.eraseOp(loops);
}

/// Parallel loops that are inside of a reduction would not be a grid of
/// threads. The reductions keep their order, so each sum keeps its order as
/// well.
static FailureOr<linalg::LinalgOp> putParallelLoopsFirst(RewriterBase &rewriter,
                                                         linalg::LinalgOp op) {
  SmallVector<unsigned> order;
  op.getParallelDims(order);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!linalg::isParallelIterator(op.getIteratorTypesArray()[loop]))
      order.push_back(loop);
  if (llvm::is_sorted(order))
    return op;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    FailureOr<linalg::GenericOp> made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return failure();
    generic = *made;
  }
  if (failed(linalg::interchangeGenericOp(rewriter, generic, order)))
    return failure();
  return cast<linalg::LinalgOp>(generic.getOperation());
}

/// One thread computes an op without parallel loops.
static LogicalResult mapToOneThread(RewriterBase &rewriter, linalg::LinalgOp op,
                                    StringRef kernel) {
  rewriter.setInsertionPoint(op);
  scf::ForallOp forall = createElements(
      rewriter, op.getLoc(), OpFoldResult(rewriter.getIndexAttr(1)), kernel);
  rewriter.moveOpBefore(op, forall.getTerminator());
  rewriter.setInsertionPoint(op);
  if (failed(linalg::linalgOpToLoops(rewriter, op)))
    return op->emitOpError("has no loops for a GPU");
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult mapToElements(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  std::string kernel = op->getName().stripDialect().str();
  if (linalg::isaContractionOpInterface(op))
    op->emitRemark()
        << "'" << op->getName()
        << "' runs on the GPU as plain loops, without tensor cores";
  if (op.getNumParallelLoops() == 0)
    return mapToOneThread(rewriter, op, kernel);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgOp> ordered = putParallelLoopsFirst(rewriter, op);
  if (failed(ordered))
    return op->emitOpError("has no loops for a GPU");
  rewriter.setInsertionPoint(*ordered);
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToParallelLoops(rewriter, *ordered);
  if (failed(loops))
    return (*ordered)->emitOpError("has no loops for a GPU");
  rewriter.eraseOp(*ordered);
  mapLoops(rewriter, cast<scf::ParallelOp>(loops->front()), kernel);
  return success();
}

static bool isOnHost(Operation *op) {
  return !op->getParentOfType<scf::ForallOp>() &&
         !op->getParentOfType<gpu::LaunchOp>() &&
         !op->getParentOfType<gpu::GPUModuleOp>();
}

namespace {
struct MapLinalgToGPU
    : lattn::impl::LattnMapLinalgToGPUPassBase<MapLinalgToGPU> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp op) {
      if (isOnHost(op))
        copies.push_back(op);
    });
    for (memref::CopyOp op : copies) {
      rewriter.setInsertionPoint(op);
      linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                               op.getTarget());
      rewriter.eraseOp(op);
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isOnHost(op) && op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (failed(mapToElements(rewriter, op)))
        return signalPassFailure();
  }
};
} // namespace

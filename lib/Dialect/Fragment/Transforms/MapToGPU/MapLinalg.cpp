//===- MapLinalg.cpp - What is beside attention, on a GPU -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// linalg ops on buffers -> loops in which each thread computes one element, or
// each warp one sum. The arrays need not leave the GPU.

#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Target/GPUTarget.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
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

//===----------------------------------------------------------------------===//
// Sums by warps
//===----------------------------------------------------------------------===//

/// Whether the inputs of `op` have neighbours along loop `loop`, and many.
static bool isAlongRows(linalg::GenericOp op, unsigned loop) {
  int64_t terms = op.getStaticLoopRanges()[loop];
  if (ShapedType::isStatic(terms) && terms < lattn::GPUTarget::warpThreads)
    return false;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    return !map.isFunctionOfDim(loop) ||
           map.getResults().back() == getAffineDimExpr(loop, op.getContext());
  });
}

/// The addition of an op that only sums rows of f32; null of others.
static arith::AddFOp getSum(linalg::GenericOp op) {
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  if (summed.size() != 1 || op.getNumParallelLoops() == 0 ||
      op.getNumDpsInits() != 1 || !isAlongRows(op, summed[0]))
    return {};
  Value sum = op.getBody()->getArguments().back();
  auto add = op.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!add || !sum.getType().isF32() || !sum.hasOneUse() ||
      !llvm::is_contained(add->getOperands(), sum))
    return {};
  return add;
}

namespace {
/// A sum that a warp computes. Each lane adds every 32nd term, so that the
/// lanes read neighbours at the same time. Then the sums of the lanes are
/// added, always in the same order.
class WarpSum {
public:
  WarpSum(RewriterBase &b, linalg::GenericOp op, arith::AddFOp add)
      : b(b), op(op), add(add), loc(op.getLoc()) {}
  void run(StringRef kernel);

private:
  static constexpr int64_t kLanes = lattn::GPUTarget::warpThreads;
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  SmallVector<Value> getIndices(OpOperand &operand);
  Value addTerm(Value sum);
  Value addLanes(Value sum);

  RewriterBase &b;
  linalg::GenericOp op;
  arith::AddFOp add;
  Location loc;
  SmallVector<Value> at; // of each loop
};
} // namespace

SmallVector<Value> WarpSum::getIndices(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> indices;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    indices.push_back(affine::makeComposedAffineApply(
        b, loc, map.getSubMap({i}), getAsOpFoldResult(at)));
  return indices;
}

/// `sum` and the term of where all loops are.
Value WarpSum::addTerm(Value sum) {
  IRMapping mapping;
  mapping.map(op.getBody()->getArguments().back(), sum);
  for (OpOperand *input : op.getDpsInputOperands())
    mapping.map(op.getMatchingBlockArgument(input),
                memref::LoadOp::create(b, loc, input->get(), getIndices(*input))
                    .getResult());
  for (Operation &inner : op.getBody()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (index)
      mapping.map(index.getResult(), at[index.getDim()]);
    else
      b.clone(inner, mapping);
  }
  return mapping.lookup(add.getResult());
}

Value WarpSum::addLanes(Value sum) {
  for (int32_t distance = kLanes / 2; distance; distance /= 2) {
    Value other = gpu::ShuffleOp::create(b, loc, sum, distance, kLanes,
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    sum = arith::AddFOp::create(b, loc, sum, other);
  }
  return sum;
}

void WarpSum::run(StringRef kernel) {
  b.setInsertionPoint(op);
  SmallVector<Range> ranges =
      cast<linalg::LinalgOp>(op.getOperation()).createLoopRanges(b, loc);
  SmallVector<OpFoldResult> extents;
  unsigned summed = 0;
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (linalg::isParallelIterator(op.getIteratorTypesArray()[loop]))
      extents.push_back(range.size);
    else
      summed = loop;
  Value terms = getValueOrCreateConstantIndexOp(b, loc, ranges[summed].size);
  extents.push_back(b.getIndexAttr(kLanes));
  scf::ForallOp forall = createElements(b, loc, extents, kernel);
  SmallVector<Value> indices = forall.getInductionVars();
  Value lane = indices.pop_back_val();
  b.setInsertionPoint(forall.getTerminator());
  Value zero =
      arith::ConstantOp::create(b, loc, b.getFloatAttr(b.getF32Type(), 0.0));
  auto loop = scf::ForOp::create(b, loc, lane, terms, constant(kLanes), zero);
  indices.insert(indices.begin() + summed, loop.getInductionVar());
  at = indices;
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc, addTerm(loop.getRegionIterArg(0)));
  b.setInsertionPoint(forall.getTerminator());
  Value sum = addLanes(loop.getResult(0));
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                                        constant(0));
  auto guard = scf::IfOp::create(b, loc, isFirst);
  b.setInsertionPointToStart(guard.thenBlock());
  OpOperand &result = *op.getDpsInitOperand(0);
  at[summed] = constant(0);
  SmallVector<Value> place = getIndices(result);
  Value before = memref::LoadOp::create(b, loc, result.get(), place);
  sum = arith::AddFOp::create(b, loc, before, sum);
  memref::StoreOp::create(b, loc, sum, result.get(), place);
  b.eraseOp(op);
}

/// What an op that only computes `any = any or term` adds in each iteration;
/// null for other ops.
static Value getTerm(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return {};
  Value before = op.getBody()->getArguments().back();
  auto any = op.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::OrIOp>();
  if (!any || !any.getType().isInteger(1) || !before.hasOneUse() ||
      !llvm::is_contained(any->getOperands(), before))
    return {};
  return any.getLhs() == before ? any.getRhs() : any.getLhs();
}

/// A thread for each term. Those whose term is true all write true, so their
/// order does not matter.
static LogicalResult mapAny(RewriterBase &rewriter, linalg::GenericOp op,
                            StringRef kernel) {
  Value term = getTerm(op);
  Operation *end = op.getBody()->getTerminator();
  rewriter.modifyOpInPlace(end, [&] { end->setOperand(0, term); });
  SmallVector<Attribute> kinds(
      op.getNumLoops(), linalg::IteratorTypeAttr::get(
                            op.getContext(), utils::IteratorType::parallel));
  op.setIteratorTypesAttr(rewriter.getArrayAttr(kinds));
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::LinalgLoops> loops =
      linalg::linalgOpToParallelLoops(rewriter, op);
  if (failed(loops))
    return op.emitOpError("has no loops for a GPU");
  rewriter.eraseOp(op);
  auto all = cast<scf::ParallelOp>(loops->front());
  auto store = *all.getBody()->getOps<memref::StoreOp>().begin();
  rewriter.setInsertionPoint(store);
  auto guard =
      scf::IfOp::create(rewriter, store.getLoc(), store.getValueToStore());
  rewriter.moveOpBefore(store, guard.thenBlock()->getTerminator());
  mapLoops(rewriter, all, kernel);
  return success();
}

static LogicalResult mapToElements(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  std::string kernel = op->getName().stripDialect().str();
  if (linalg::isaContractionOpInterface(op))
    op->emitRemark()
        << "'" << op->getName()
        << "' runs on the GPU as plain loops, without tensor cores";
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (generic && getTerm(generic))
    return mapAny(rewriter, generic, kernel);
  if (op.getNumParallelLoops() == 0)
    return mapToOneThread(rewriter, op, kernel);
  if (generic)
    if (arith::AddFOp add = getSum(generic);
        add && !linalg::isaContractionOpInterface(op)) {
      WarpSum(rewriter, generic, add).run(kernel);
      return success();
    }
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

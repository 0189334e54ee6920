//===- FuseRows.cpp - Tile chains of token-wise work by blocks of rows ----===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// norm -> matmul -> gelu -> matmul -> add
// ->
// forall (block of rows):
//   norm; matmul; gelu; matmul; add
//
// What a block computes for itself lies in buffers of its own, of known size.
// Only rows are cut: the sums of an element are added in the same order for all
// sizes of blocks.

#include "RowChain.h"
#include "TileToForall.h"
#include "lattn/Transforms/Passes.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNFUSEROWSPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
struct BlockSizes {
  int64_t rows;   // of a block, at most
  int64_t unit;   // that they are a multiple of
  int64_t shares; // that blocks are to be equal for
};

/// Makes the loop of one chain.
class RowFuser {
public:
  RowFuser(RewriterBase &rewriter, const RowChain &chain, BlockSizes sizes)
      : rewriter(rewriter), chain(chain), sizes(sizes) {}
  LogicalResult run();

private:
  Value balanceRows(Value all);
  LogicalResult tileRoot();
  OpResult getProduced(tensor::ExtractSliceOp slice);
  SmallVector<tensor::ExtractSliceOp> findSlices(Operation *producer);
  LogicalResult fuse(Operation *producer);
  void fuseView(Operation *view);
  void shrinkScratch();

  RewriterBase &rewriter;
  const RowChain &chain;
  BlockSizes sizes;
  SmallVector<LoopLikeOpInterface> loops;
};
} // namespace

/// Rows of a block of `all`, one at least. All blocks have about as many, so
/// that threads get equal shares, unless blocks would become small.
Value RowFuser::balanceRows(Value all) {
  constexpr int64_t leastRows = 48;
  Location loc = chain.getRoot().getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  auto ceilDiv = [&](Value x, Value y) -> Value {
    return rewriter.createOrFold<arith::CeilDivUIOp>(loc, x, y);
  };
  auto alignTo = [&](Value x, int64_t unit) -> Value {
    return rewriter.createOrFold<arith::MulIOp>(loc, ceilDiv(x, index(unit)),
                                                index(unit));
  };
  Value least = ceilDiv(all, index(sizes.rows));
  Value shares = rewriter.createOrFold<arith::MinUIOp>(
      loc, alignTo(least, sizes.shares), ceilDiv(all, index(leastRows)));
  Value blocks = rewriter.createOrFold<arith::MaxUIOp>(loc, least, shares);
  return alignTo(ceilDiv(all, blocks), sizes.unit);
}

LogicalResult RowFuser::tileRoot() {
  linalg::LinalgOp root = chain.getRoot();
  Location loc = root.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  auto interface = cast<TilingInterface>(root.getOperation());
  SmallVector<Range> domain = interface.getIterationDomain(rewriter);
  SmallVector<OpFoldResult> tile(domain.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> counts = tile;
  for (unsigned loop : chain.getRowLoops(root)) {
    tile[loop] = rewriter.getIndexAttr(1);
    counts[loop] = domain[loop].size;
  }
  unsigned last = chain.getRowLoops(root).back();
  Value all = getValueOrCreateConstantIndexOp(rewriter, loc, domain[last].size);
  Value rows = balanceRows(all);
  tile[last] = getAsOpFoldResult(rows);
  counts[last] = getAsOpFoldResult(
      rewriter.createOrFold<arith::CeilDivUIOp>(loc, all, rows));
  FailureOr<scf::SCFTilingResult> tiled =
      tileToForall(rewriter, interface, counts, tile);
  if (failed(tiled))
    return failure();
  loops = tiled->loops;
  rewriter.replaceOp(root, tiled->replacements);
  return success();
}

/// The result of an op outside of the loop that `slice` in its body reads.
OpResult RowFuser::getProduced(tensor::ExtractSliceOp slice) {
  auto forall = cast<scf::ForallOp>(loops.front().getOperation());
  Value source = slice.getSource();
  if (auto argument = dyn_cast<BlockArgument>(source))
    if (argument.getOwner() == forall.getBody())
      if (OpOperand *init = forall.getTiedLoopInit(argument))
        source = init->get();
  return dyn_cast<OpResult>(source);
}

/// What the loop's body reads of `producer`, in the order of the body.
SmallVector<tensor::ExtractSliceOp> RowFuser::findSlices(Operation *producer) {
  auto forall = cast<scf::ForallOp>(loops.front().getOperation());
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : forall.getBody()->getOps<tensor::ExtractSliceOp>())
    if (OpResult result = getProduced(slice))
      if (result.getOwner() == producer)
        slices.push_back(slice);
  return slices;
}

/// Not before `op`: lengths are read there, which resolveLengths finds
/// elsewhere.
static void replaceAfter(RewriterBase &rewriter, Operation *op, Value from,
                         Value to) {
  rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
    return op->isBeforeInBlock(
        op->getBlock()->findAncestorOpInBlock(*use.getOwner()));
  });
}

/// Computes the rows of `producer` in the loop, once for all who read them
/// there, and lets the loop return them if others read them, too.
LogicalResult RowFuser::fuse(Operation *producer) {
  if (isView(producer)) {
    fuseView(producer);
    return success();
  }
  SmallVector<tensor::ExtractSliceOp> slices = findSlices(producer);
  if (slices.empty())
    return success();
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      scf::tileAndFuseProducerOfSlice(rewriter, slices.front(), loops);
  if (!fused)
    return rewriter.notifyMatchFailure(producer, "it cannot be tiled");
  for (tensor::ExtractSliceOp other : ArrayRef(slices).drop_front()) {
    Value tile = fused->tiledOps.front()->getResult(
        getProduced(other).getResultNumber());
    if (other.getType() == tile.getType())
      rewriter.replaceAllUsesWith(other.getResult(), tile);
  }
  if (chain.isReadLater(producer)) {
    unsigned results = loops.front()->getNumResults();
    if (failed(scf::yieldReplacementForFusedProducer(rewriter, slices.front(),
                                                     *fused, loops)))
      return rewriter.notifyMatchFailure(producer,
                                         "its rows cannot be returned");
    // Offsets of the second result and later ones are computed at the end.
    auto forall = cast<scf::ForallOp>(loops.front().getOperation());
    for (auto slice : forall.getBody()->getOps<tensor::ExtractSliceOp>())
      (void)moveValueDefinitions(rewriter, slice->getOperands(), slice);
    for (auto [i, result] : llvm::enumerate(producer->getResults()))
      replaceAfter(rewriter, loops.front(), result,
                   loops.front()->getResult(results + i));
  }
  return success();
}

/// Rows of a slice or reshape: the same of whole rows of its source, which may
/// be computed in the loop then.
void RowFuser::fuseView(Operation *view) {
  OpBuilder::InsertionGuard guard(rewriter);
  Value source = view->getOperand(0);
  for (tensor::ExtractSliceOp slice : findSlices(view)) {
    rewriter.setInsertionPoint(slice);
    Location loc = slice.getLoc();
    SmallVector<OpFoldResult> wanted = slice.getMixedSizes(), zeros, ones;
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, source);
    zeros.assign(sizes.size(), rewriter.getIndexAttr(0));
    ones.assign(sizes.size(), rewriter.getIndexAttr(1));
    SmallVector<OpFoldResult> offsets = zeros;
    for (auto [from, to] : chain.matchRows(view)) {
      offsets[from] = slice.getMixedOffsets()[to];
      sizes[from] = wanted[to];
    }
    Value rows = tensor::ExtractSliceOp::create(rewriter, loc, source, offsets,
                                                sizes, ones);
    if (auto columns = dyn_cast<tensor::ExtractSliceOp>(view))
      rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
          slice, slice.getType(), rows, columns.getMixedOffsets(), wanted,
          columns.getMixedStrides());
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
      rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
          slice, slice.getType(), rows, expand.getReassociationIndices(),
          wanted);
    else
      rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
          slice, slice.getType(), rows,
          cast<tensor::CollapseShapeOp>(view).getReassociationIndices());
  }
}

/// Rows that only the loop's body reads are written to buffers of its own.
void RowFuser::shrinkScratch() {
  auto forall = cast<scf::ForallOp>(loops.front().getOperation());
  for (auto slice : llvm::make_early_inc_range(
           forall.getBody()->getOps<tensor::ExtractSliceOp>())) {
    auto empty = slice.getSource().getDefiningOp<tensor::EmptyOp>();
    if (!empty || slice.use_empty() || !slice.hasUnitStride())
      continue;
    rewriter.setInsertionPoint(slice);
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes(), whole = sizes;
    // If only the number of rows is not known, its bound makes a buffer of
    // known size. With several such extents, bounds would multiply.
    if (llvm::count_if(sizes, llvm::IsaPred<Value>) == 1)
      for (auto [size, offset] : llvm::zip(whole, slice.getMixedOffsets()))
        if (isa<Value>(size) && !isZeroInteger(offset))
          size = rewriter.getIndexAttr(this->sizes.rows);
    Value scratch = tensor::EmptyOp::create(rewriter, slice.getLoc(), whole,
                                            empty.getType().getElementType());
    SmallVector<OpFoldResult> zeros(sizes.size(), rewriter.getIndexAttr(0));
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        slice, slice.getType(), scratch, zeros, sizes, slice.getMixedStrides());
  }
}

LogicalResult RowFuser::run() {
  if (failed(tileRoot()))
    return failure();
  for (Operation *producer : chain.getProducers()) {
    if (failed(fuse(producer)))
      return failure();
    if (producer->use_empty())
      rewriter.eraseOp(producer);
  }
  shrinkScratch();
  return success();
}

//===----------------------------------------------------------------------===//
// Few rows
//===----------------------------------------------------------------------===//

/// Two copies of a chain, for at least `least` rows and for fewer. Returns the
/// last op of the first.
static linalg::LinalgOp branchOnRows(RewriterBase &rewriter,
                                     const RowChain &chain, OpFoldResult count,
                                     int64_t least) {
  linalg::LinalgOp root = chain.getRoot();
  Location loc = root.getLoc();
  SmallVector<Value> results(root->getResults());
  for (Operation *op : chain.getProducers())
    if (chain.isReadLater(op))
      llvm::append_range(results, op->getResults());
  Value isMany = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::uge,
      getValueOrCreateConstantIndexOp(rewriter, loc, count),
      arith::ConstantIndexOp::create(rewriter, loc, least));
  Operation *copy;
  auto copyChain = [&](OpBuilder &b, Location) {
    IRMapping mapping;
    for (Operation *op : llvm::reverse(chain.getProducers())) {
      Operation *cloned = b.clone(*op, mapping);
      // What a branch writes for itself, it allocates.
      auto tile = dyn_cast<linalg::LinalgOp>(cloned);
      if (!tile || chain.isReadLater(op))
        continue;
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(cloned);
      for (OpOperand &init : tile.getDpsInitsMutable())
        if (auto empty = init.get().getDefiningOp<tensor::EmptyOp>())
          init.set(b.clone(*empty)->getResult(0));
    }
    copy = b.clone(*root, mapping);
    scf::YieldOp::create(b, loc, llvm::map_to_vector(results, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  };
  auto branch = scf::IfOp::create(rewriter, loc, isMany, copyChain, copyChain);
  copy = branch.thenBlock()->getTerminator()->getPrevNode();
  for (auto [from, to] : llvm::zip_equal(results, branch.getResults()))
    replaceAfter(rewriter, branch, from, to);
  if (root->use_empty())
    rewriter.eraseOp(root);
  for (Operation *op : chain.getProducers())
    if (op->use_empty())
      rewriter.eraseOp(op);
  return cast<linalg::LinalgOp>(copy);
}

namespace {
struct FuseRows : lattn::impl::LattnFuseRowsPassBase<FuseRows> {
  using Base::Base;
  void runOnOperation() override;

private:
  int64_t chooseRows(const RowChain &chain);
  bool fuse(ReportingRewriter &rewriter, const RowChain &chain);
};
} // namespace

/// As many as the products like, fewer where what a block computes would be
/// more than a few times L2. It need not fit: products read it in order, and
/// what more blocks cost, each packing all weights, is more than what L2 saves.
/// Without a product all that a block reads stays in L2, for the ops that read
/// it again.
int64_t FuseRows::chooseRows(const RowChain &chain) {
  bool hasProduct = chain.hasProduct();
  int64_t least = hasProduct
                      ? std::max<int64_t>(rowUnit, rows / 2 / rowUnit * rowUnit)
                      : int64_t(rowUnit);
  double bytes =
      hasProduct ? chain.getRowBytes() / 4 : 8 * chain.getMovedBytes();
  double fitting = l2Bytes / std::max(bytes, 1.0);
  int64_t chosen = std::min<double>(rows, fitting);
  return std::max(chosen / rowUnit * rowUnit, least);
}

/// Blocks of rows, where there are at least two: few rows are quicker op by op,
/// whose columns go to several threads. Returns whether there are.
bool FuseRows::fuse(ReportingRewriter &rewriter, const RowChain &chain) {
  Location loc = chain.getRoot().getLoc();
  BlockSizes sizes = {chooseRows(chain), rowUnit, shares};
  int64_t least = sizes.rows + 1;
  rewriter.setInsertionPoint(chain.getRoot());
  OpFoldResult count = chain.countRows(rewriter);
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known && *known < least)
    return false;
  LogicalResult fused = failure();
  if (known) {
    fused = RowFuser(rewriter, chain, sizes).run();
  } else {
    RowLoops loops(chain.getRowLoops(chain.getRoot()));
    RowChain::Reasons reasons;
    RowChain many(branchOnRows(rewriter, chain, count, least), loops, reasons);
    fused = RowFuser(rewriter, many, sizes).run();
  }
  if (failed(fused))
    emitRemark(loc) << "blocks of rows are not fused: " << rewriter.getReason();
  return true;
}

void FuseRows::runOnOperation() {
  constexpr int64_t most = 65536;
  if (rows < 1 || rows > most || rowUnit < 1 || rowUnit > rows || shares < 1 ||
      shares > most) {
    emitError(getOperation()->getLoc())
        << "lattn-fuse-rows: expected blocks of 1 to " << most
        << " rows, a row-unit of 1 to rows and 1 to " << most
        << " shares, got rows=" << int64_t(rows)
        << " row-unit=" << int64_t(rowUnit) << " shares=" << int64_t(shares);
    return signalPassFailure();
  }
  foldTransposedWeights(getOperation());
  mergeBatches(getOperation());
  resolveLengths(getOperation());
  SmallVector<linalg::LinalgOp> ops;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForallOp>(op))
      return WalkResult::skip(); // its work is dealt out already
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      ops.push_back(linalgOp);
    return WalkResult::advance();
  });
  ReportingRewriter rewriter(&getContext());
  RowChain::Reasons reasons;
  DenseSet<Operation *> done;
  for (linalg::LinalgOp op : llvm::reverse(ops)) {
    if (done.contains(op))
      continue;
    RowLoops loops = findRowLoops(op);
    if (loops.empty())
      loops = findLeadingLoops(op);
    if (loops.empty())
      continue;
    RowChain::Reasons found;
    RowChain chain(op, loops, found);
    bool isWorthwhile = chain.isWorthwhile();
    if (isWorthwhile) {
      done.insert(op);
      done.insert(chain.getProducers().begin(), chain.getProducers().end());
    }
    // Of few rows nothing would be fused anyway.
    if (!isWorthwhile || fuse(rewriter, chain))
      for (const auto &reason : found)
        reasons.insert(reason);
  }
  resolveLengths(getOperation());
  for (auto &[op, reason] : reasons)
    if (!done.contains(op))
      emitRemark(op->getLoc())
          << op->getName()
          << " is not fused with the operations that read its rows: " << reason;
}

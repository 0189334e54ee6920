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
//   norm; matmul {lattn.matmul_tile}; gelu; matmul {lattn.matmul_tile}; add
//
// What a block computes for itself lies in buffers of its own, of known size.
// Only rows are cut: the sums of an element are added in the same order for all
// sizes of blocks.

#include "RowChain.h"
#include "lattn/Target/MatmulBlock.h"
#include "lattn/Transforms/Passes.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/IR/IRMapping.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNFUSEROWSPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

namespace {
/// Makes the loop of one chain.
class RowFuser {
public:
  RowFuser(RewriterBase &rewriter, const RowChain &chain, int64_t rows)
      : rewriter(rewriter), chain(chain), rows(rows) {}
  LogicalResult run();

private:
  LogicalResult tileRoot();
  SmallVector<tensor::ExtractSliceOp> findSlices(Operation *producer);
  LogicalResult fuse(linalg::LinalgOp producer);
  void markProduct(Operation *tile);
  void shrinkScratch();

  RewriterBase &rewriter;
  const RowChain &chain;
  int64_t rows;
  SmallVector<LoopLikeOpInterface> loops;
};
} // namespace

void RowFuser::markProduct(Operation *tile) {
  auto op = dyn_cast<linalg::LinalgOp>(tile);
  if (op && isMatmul(op) && succeeded(requireFloats(rewriter, op)))
    op->setAttr(kMatmulTile, rewriter.getUnitAttr());
}

LogicalResult RowFuser::tileRoot() {
  linalg::LinalgOp root = chain.getRoot();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(root);
  auto interface = cast<TilingInterface>(root.getOperation());
  SmallVector<int64_t> tile(root.getNumLoops(), 0);
  for (unsigned loop : chain.getRowLoops(root))
    tile[loop] = 1;
  tile[chain.getRowLoops(root).back()] = rows;
  // Loops that count tiles, from 0 by 1: what lattn-outline-parallel takes.
  AffineExpr s0;
  bindSymbols(rewriter.getContext(), s0);
  SmallVector<OpFoldResult> counts;
  for (auto [range, size] :
       llvm::zip_equal(interface.getIterationDomain(rewriter), tile))
    counts.push_back(
        size ? affine::makeComposedFoldedAffineApply(
                   rewriter, root.getLoc(), s0.ceilDiv(size), {range.size})
             : OpFoldResult(rewriter.getIndexAttr(0)));
  scf::SCFTilingOptions options;
  options.setNumThreads(counts);
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), tile));
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, interface, options);
  if (failed(tiled))
    return rewriter.notifyMatchFailure(root, "it cannot be tiled");
  markProduct(tiled->tiledOps.back());
  loops = tiled->loops;
  rewriter.replaceOp(root, tiled->replacements);
  return success();
}

/// What the loop's body reads of `producer`, in the order of the body.
SmallVector<tensor::ExtractSliceOp> RowFuser::findSlices(Operation *producer) {
  auto forall = cast<scf::ForallOp>(loops.front().getOperation());
  SmallVector<tensor::ExtractSliceOp> slices;
  for (auto slice : forall.getBody()->getOps<tensor::ExtractSliceOp>()) {
    Value source = slice.getSource();
    if (auto argument = dyn_cast<BlockArgument>(source))
      if (argument.getOwner() == forall.getBody())
        if (OpOperand *init = forall.getTiedLoopInit(argument))
          source = init->get();
    if (source.getDefiningOp() == producer)
      slices.push_back(slice);
  }
  return slices;
}

/// Computes the rows of `producer` in the loop, once for all who read them
/// there, and lets the loop return them if others read them, too.
LogicalResult RowFuser::fuse(linalg::LinalgOp producer) {
  SmallVector<tensor::ExtractSliceOp> slices = findSlices(producer);
  if (slices.empty())
    return success();
  OpBuilder::InsertionGuard guard(rewriter);
  std::optional<scf::SCFFuseProducerOfSliceResult> fused =
      scf::tileAndFuseProducerOfSlice(rewriter, slices.front(), loops);
  if (!fused)
    return rewriter.notifyMatchFailure(producer, "it cannot be tiled");
  for (tensor::ExtractSliceOp other : ArrayRef(slices).drop_front())
    rewriter.replaceAllUsesWith(other.getResult(),
                                fused->tiledAndFusedProducer);
  for (Operation *tile : fused->tiledOps)
    markProduct(tile);
  auto isOutside = [&](OpOperand &use) {
    return !loops.front()->isAncestor(use.getOwner());
  };
  if (chain.isReadLater(producer)) {
    unsigned results = loops.front()->getNumResults();
    if (failed(scf::yieldReplacementForFusedProducer(rewriter, slices.front(),
                                                     *fused, loops)))
      return rewriter.notifyMatchFailure(producer,
                                         "its rows cannot be returned");
    rewriter.replaceUsesWithIf(producer->getResult(0),
                               loops.front()->getResult(results),
                               [&](OpOperand &use) { return isOutside(use); });
  }
  return success();
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
    SmallVector<OpFoldResult> whole, sizes = slice.getMixedSizes();
    for (OpFoldResult size : sizes)
      whole.push_back(isa<Attribute>(size) ? size
                                           : rewriter.getIndexAttr(rows));
    // Other extents that are not known are those of the whole.
    for (auto [i, offset] : llvm::enumerate(slice.getMixedOffsets()))
      if (isZeroInteger(offset))
        whole[i] = sizes[i];
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
  for (linalg::LinalgOp producer : chain.getProducers()) {
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

/// How many rows there are, of all batches.
static OpFoldResult countRows(RewriterBase &rewriter, const RowChain &chain) {
  linalg::LinalgOp root = chain.getRoot();
  SmallVector<Range> domain =
      cast<TilingInterface>(root.getOperation()).getIterationDomain(rewriter);
  AffineExpr s0, s1;
  bindSymbols(rewriter.getContext(), s0, s1);
  OpFoldResult count = rewriter.getIndexAttr(1);
  for (unsigned loop : chain.getRowLoops(root))
    count = affine::makeComposedFoldedAffineApply(
        rewriter, root.getLoc(), s0 * s1, {count, domain[loop].size});
  return count;
}

/// Two copies of a chain, for at least `least` rows and for fewer. Returns the
/// last op of the first.
static linalg::LinalgOp branchOnRows(RewriterBase &rewriter,
                                     const RowChain &chain, OpFoldResult count,
                                     int64_t least) {
  linalg::LinalgOp root = chain.getRoot();
  Location loc = root.getLoc();
  SmallVector<Value> results = {root->getResult(0)};
  for (linalg::LinalgOp op : chain.getProducers())
    if (chain.isReadLater(op))
      results.push_back(op->getResult(0));
  Value isMany = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::uge,
      getValueOrCreateConstantIndexOp(rewriter, loc, count),
      arith::ConstantIndexOp::create(rewriter, loc, least));
  Operation *copy;
  auto copyChain = [&](OpBuilder &b, Location) {
    IRMapping mapping;
    for (linalg::LinalgOp op : llvm::reverse(chain.getProducers())) {
      // What a branch writes for itself, it allocates.
      Value init = op.getDpsInits()[0];
      Operation *empty = init.getDefiningOp<tensor::EmptyOp>();
      if (empty && !chain.isReadLater(op))
        mapping.map(init, b.clone(*empty)->getResult(0));
      b.clone(*op, mapping);
      mapping.erase(init);
    }
    copy = b.clone(*root, mapping);
    scf::YieldOp::create(b, loc, llvm::map_to_vector(results, [&](Value value) {
                           return mapping.lookup(value);
                         }));
  };
  auto branch = scf::IfOp::create(rewriter, loc, isMany, copyChain, copyChain);
  copy = branch.thenBlock()->getTerminator()->getPrevNode();
  for (auto [from, to] : llvm::zip_equal(results, branch.getResults()))
    rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
      return !chain.contains(use.getOwner());
    });
  rewriter.eraseOp(root);
  for (linalg::LinalgOp op : chain.getProducers())
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
  void fuse(ReportingRewriter &rewriter, const RowChain &chain);
};
} // namespace

/// As many as the products like, fewer where what a block computes would not
/// stay in L2 beside the weights that pass through.
int64_t FuseRows::chooseRows(const RowChain &chain) {
  double widest = 0, all = 0;
  auto add = [&](linalg::LinalgOp op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t columns = type.getRank() ? type.getShape().back() : 1;
    if (ShapedType::isDynamic(columns))
      return;
    double bytes = columns * type.getElementTypeBitWidth() / 8.0;
    all = std::max(all, widest + bytes);
    widest = std::max(widest, bytes);
  };
  add(chain.getRoot());
  for (linalg::LinalgOp op : chain.getProducers())
    add(op);
  double fitting = all > 0 ? l2Bytes / all : double(rows);
  int64_t least = std::max<int64_t>(rowUnit, rows / 2 / rowUnit * rowUnit);
  int64_t chosen = std::min<double>(rows, fitting);
  return std::max(chosen / rowUnit * rowUnit, least);
}

/// Blocks of rows, where there are at least two: few rows are quicker op by op,
/// whose columns go to several threads.
void FuseRows::fuse(ReportingRewriter &rewriter, const RowChain &chain) {
  Location loc = chain.getRoot().getLoc();
  int64_t block = chooseRows(chain), least = block + 1;
  rewriter.setInsertionPoint(chain.getRoot());
  OpFoldResult count = countRows(rewriter, chain);
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known && *known < least)
    return;
  LogicalResult fused = failure();
  if (known) {
    fused = RowFuser(rewriter, chain, block).run();
  } else {
    RowLoops loops(chain.getRowLoops(chain.getRoot()));
    RowChain::Reasons reasons;
    RowChain many(branchOnRows(rewriter, chain, count, least), loops, reasons);
    fused = RowFuser(rewriter, many, block).run();
  }
  if (failed(fused))
    emitRemark(loc) << "blocks of rows are not fused: " << rewriter.getReason();
}

void FuseRows::runOnOperation() {
  constexpr int64_t most = 65536;
  if (rows < 1 || rows > most || rowUnit < 1 || rowUnit > rows) {
    emitError(getOperation()->getLoc())
        << "lattn-fuse-rows: expected blocks of 1 to " << most
        << " rows and a row-unit of 1 to rows, got rows=" << int64_t(rows)
        << " row-unit=" << int64_t(rowUnit);
    return signalPassFailure();
  }
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
      continue;
    RowChain chain(op, loops, reasons);
    if (!chain.isWorthwhile())
      continue;
    done.insert(op);
    for (linalg::LinalgOp producer : chain.getProducers())
      done.insert(producer);
    fuse(rewriter, chain);
  }
  for (auto &[op, reason] : reasons)
    if (!done.contains(op))
      emitRemark(op->getLoc())
          << op->getName()
          << " is not fused with what reads its rows: " << reason;
}

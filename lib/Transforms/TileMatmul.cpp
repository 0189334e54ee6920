//===- TileMatmul.cpp - Tile matrix products for the matmul kernel --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// matmul -> forall (batch, row tile, column tile):
//             matmul {lattn.matmul_tile} of all k, after the fill (or bias) of
//             its tile
//
// Along k nothing is cut: a tile's sums are added in the order of k, whoever
// computes it.

#include "lattn/Target/MatmulBlock.h"
#include "lattn/Transforms/Passes.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNTILEMATMULPASS
#include "lattn/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

bool lattn::isMatmul(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) ||
      !(op.hasPureTensorSemantics() || op.hasPureBufferSemantics()))
    return false;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1)
    return false;
  // Else an operand is broadcast along a batch.
  int64_t rank = dims->batch.size() + 2;
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return map.getNumResults() == rank;
  });
}

LogicalResult lattn::requireFloats(RewriterBase &rewriter,
                                   linalg::LinalgOp op) {
  auto widthOf = [](Value value) -> int64_t {
    Type type = getElementTypeOrSelf(value.getType());
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type)
               ? type.getIntOrFloatBitWidth()
               : 0;
  };
  int64_t width = std::max<int64_t>(widthOf(op.getDpsInits()[0]), 32);
  for (Value value : op->getOperands()) {
    Type type = getElementTypeOrSelf(value.getType());
    if (!widthOf(value))
      return rewriter.notifyMatchFailure(
          op, [&](Diagnostic &d) { d << "it computes on " << type; });
    if (widthOf(value) > width)
      return rewriter.notifyMatchFailure(op, [&](Diagnostic &d) {
        d << "an input of " << type << " would be narrowed";
      });
  }
  return success();
}

/// What sums start with, a fill or rows of a bias, is written for each tile on
/// its own.
static void fuseStart(RewriterBase &rewriter, scf::SCFTilingResult &tiled) {
  for (Operation *slice : tiled.generatedSlices) {
    auto extract = dyn_cast<tensor::ExtractSliceOp>(slice);
    if (!extract)
      continue;
    auto argument = dyn_cast<BlockArgument>(extract.getSource());
    if (!argument || tiled.loops.empty() ||
        argument.getOwner()->getParentOp() != tiled.loops[0])
      continue;
    OpOperand *init = tiled.loops[0].getTiedLoopInit(argument);
    if (init && isa_and_nonnull<linalg::FillOp, linalg::BroadcastOp>(
                    init->get().getDefiningOp()))
      scf::tileAndFuseProducerOfSlice(rewriter, extract, tiled.loops);
  }
}

LogicalResult lattn::tileMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                                MatmulTile sizes) {
  if (!isMatmul(op))
    return rewriter.notifyMatchFailure(op, "it is no matrix product");
  if (failed(requireFloats(rewriter, op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto interface = cast<TilingInterface>(op.getOperation());
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  SmallVector<int64_t> tile(op.getNumLoops(), 0);
  for (unsigned batch : dims.batch)
    tile[batch] = 1;
  tile[dims.m[0]] = sizes.rows;
  tile[dims.n[0]] = sizes.columns;
  // Loops that count tiles, from 0 by 1: what lattn-outline-parallel takes.
  AffineExpr s0;
  bindSymbols(rewriter.getContext(), s0);
  SmallVector<OpFoldResult> counts;
  for (auto [range, size] :
       llvm::zip_equal(interface.getIterationDomain(rewriter), tile)) {
    // Upstream takes a 0 for what is not tiled.
    if (isZeroInteger(range.size))
      return rewriter.notifyMatchFailure(op, "it is empty");
    counts.push_back(
        size ? affine::makeComposedFoldedAffineApply(
                   rewriter, op.getLoc(), s0.ceilDiv(size), {range.size})
             : OpFoldResult(rewriter.getIndexAttr(0)));
  }
  scf::SCFTilingOptions options;
  options.setNumThreads(counts);
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes(getAsIndexOpFoldResult(rewriter.getContext(), tile));
  FailureOr<scf::SCFTilingResult> tiled =
      scf::tileUsingSCF(rewriter, interface, options);
  if (failed(tiled))
    return rewriter.notifyMatchFailure(op, "it cannot be tiled");
  tiled->tiledOps.back()->setAttr(kMatmulTile, rewriter.getUnitAttr());
  fuseStart(rewriter, *tiled);
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

namespace {
struct TileMatmul : lattn::impl::LattnTileMatmulPassBase<TileMatmul> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t most = 65536;
    if (rowTile < 1 || columnTile < 1 || rowTile > most || columnTile > most) {
      emitError(getOperation()->getLoc())
          << "lattn-tile-matmul: expected tiles of 1 to " << most
          << " rows and columns, got row-tile=" << int64_t(rowTile)
          << " column-tile=" << int64_t(columnTile);
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isMatmul(op) && !op->hasAttr(kMatmulTile))
        ops.push_back(op);
    });
    ReportingRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (failed(tileMatmul(rewriter, op, {rowTile, columnTile})))
        emitRemark(op.getLoc())
            << "a matrix product stays untiled and will run as slow loops: "
            << rewriter.getReason();
  }
};
} // namespace

//===- TileMatmul.cpp - Tile matrix products for the matmul kernel --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// matmul -> forall (batch, row tile, column tile):
//             matmul of all k, after the fill (or bias) of its tile
//
// Along k nothing is cut: a tile's sums are added in the order of k, whoever
// computes it.

#include "TileToForall.h"
#include "lattn/Transforms/Passes.h"
#include "lattn/Transforms/Transforms.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

static LogicalResult requireFloats(RewriterBase &rewriter,
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

LogicalResult lattn::matchMatmul(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (!isMatmul(op))
    return rewriter.notifyMatchFailure(op, "it is no matrix product");
  return requireFloats(rewriter, op);
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

namespace {
/// Arithmetic on extents, which folds where they are constants.
struct Extents {
  OpBuilder &b;
  Location loc;
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }
  Value ceilDiv(Value x, Value y) { return make<arith::CeilDivUIOp>(x, y); }
  Value compare(arith::CmpIPredicate how, Value x, int64_t y) {
    return b.createOrFold<arith::CmpIOp>(loc, how, x, constant(y));
  }
  Value choose(Value condition, Value then, Value otherwise) {
    std::optional<int64_t> known = getConstantIntValue(then);
    if (known && known == getConstantIntValue(otherwise))
      return otherwise;
    return b.createOrFold<arith::SelectOp>(loc, condition, then, otherwise);
  }
  Value ifAtMost(Value x, int64_t most, Value then, Value otherwise) {
    return choose(compare(arith::CmpIPredicate::ule, x, most), then, otherwise);
  }
  Value isMultiple(Value x, Value of) {
    return compare(arith::CmpIPredicate::eq, make<arith::RemUIOp>(x, of), 0);
  }
  Value max(Value x, Value y) { return make<arith::MaxUIOp>(x, y); }
  /// The extent of `count` tiles of `extent`, as equal as multiples of `unit`
  /// are.
  Value share(Value extent, Value count, int64_t unit) {
    Value one = constant(1), least = constant(unit);
    Value size = ceilDiv(extent, max(count, one));
    size = make<arith::MulIOp>(ceilDiv(size, least), least);
    return max(size, least);
  }
};
} // namespace

namespace {
/// Columns of a tile of few rows: at most, and at least where threads lack
/// tiles.
struct FewRowsColumns {
  int64_t most, least;
};
} // namespace

/// Few rows are bound by reading the weight, whose rows are read whole or,
/// along columns, in long parts.
static FewRowsColumns
getFewRowsColumns(linalg::LinalgOp op,
                  const linalg::ContractionDimensions &dims) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  bool areRows = map.getResults().back().isFunctionOfDim(dims.k[0]);
  return areRows ? FewRowsColumns{64, 64} : FewRowsColumns{1024, 256};
}

/// Tiles of rows beside `across` tiles of columns: the fewest with which
/// `shares` threads get as many tiles each. A thread packs what it reads of the
/// weight for each of its tiles.
static Value countRowTiles(Extents extents, Value across, Value areEqual,
                           int64_t shares) {
  Value count = extents.constant(shares);
  for (int64_t fewer = shares / 2; fewer >= 1; --fewer) {
    if (shares % fewer != 0)
      continue;
    Value tiles = extents.make<arith::MulIOp>(across, extents.constant(fewer));
    Value isShared = extents.make<arith::AndIOp>(
        areEqual, extents.isMultiple(tiles, extents.constant(shares)));
    count = extents.choose(isShared, extents.constant(fewer), count);
  }
  return count;
}

/// Rows and columns of the tiles of a product of `rows` x `columns`. All tiles
/// are about equal, so that threads get equal shares; what is packed for a tile
/// serves more rows where there are tiles enough.
static std::pair<Value, Value> chooseTile(Extents extents, Value rows,
                                          Value columns, MatmulTile sizes,
                                          FewRowsColumns few) {
  constexpr int64_t leastRows = 96;
  auto countTiles = [&](int64_t width) {
    return extents.ceilDiv(columns, extents.constant(width));
  };
  Value fewTiles =
      extents.max(countTiles(few.most),
                  extents.make<arith::MinUIOp>(countTiles(few.least),
                                               extents.constant(sizes.shares)));
  Value across =
      extents.ifAtMost(rows, kFewRows, fewTiles, countTiles(sizes.columns));
  Value width = extents.share(columns, across, sizes.columnUnit);
  Value wanted = countRowTiles(
      extents, across, extents.isMultiple(columns, width), sizes.shares);
  Value mostRows = extents.ceilDiv(rows, extents.constant(leastRows));
  Value count = extents.max(extents.ceilDiv(rows, extents.constant(sizes.rows)),
                            extents.make<arith::MinUIOp>(mostRows, wanted));
  return {extents.share(rows, count, sizes.rowUnit), width};
}

LogicalResult lattn::tileMatmul(RewriterBase &rewriter, linalg::LinalgOp op,
                                MatmulTile sizes) {
  if (failed(matchMatmul(rewriter, op)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto interface = cast<TilingInterface>(op.getOperation());
  linalg::ContractionDimensions dims = *linalg::inferContractionDims(op);
  SmallVector<Range> domain = interface.getIterationDomain(rewriter);
  // Upstream takes a 0 for what is not tiled.
  if (llvm::any_of(domain, [](Range r) { return isZeroInteger(r.size); }))
    return rewriter.notifyMatchFailure(op, "it is empty");
  auto extentOf = [&](unsigned dim) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, domain[dim].size);
  };
  auto [rows, columns] =
      chooseTile({rewriter, loc}, extentOf(dims.m[0]), extentOf(dims.n[0]),
                 sizes, getFewRowsColumns(op, dims));
  OpFoldResult none = rewriter.getIndexAttr(0);
  SmallVector<OpFoldResult> tile(domain.size(), none), counts = tile;
  for (unsigned batch : dims.batch) {
    tile[batch] = rewriter.getIndexAttr(1);
    counts[batch] = domain[batch].size;
  }
  for (auto [dim, size] : {std::pair(dims.m[0], rows), {dims.n[0], columns}}) {
    tile[dim] = getAsOpFoldResult(size);
    counts[dim] =
        getAsOpFoldResult(Extents{rewriter, loc}.ceilDiv(extentOf(dim), size));
  }
  FailureOr<scf::SCFTilingResult> tiled =
      tileToForall(rewriter, interface, counts, tile);
  if (failed(tiled))
    return failure();
  fuseStart(rewriter, *tiled);
  rewriter.replaceOp(op, tiled->replacements);
  return success();
}

namespace {
struct TileMatmul : lattn::impl::LattnTileMatmulPassBase<TileMatmul> {
  using Base::Base;
  void runOnOperation() override {
    constexpr int64_t most = 65536;
    auto isSize = [](int64_t size) { return size >= 1 && size <= most; };
    if (!isSize(rowTile) || !isSize(columnTile) || !isSize(shares) ||
        !isSize(rowUnit) || !isSize(columnUnit)) {
      emitError(getOperation()->getLoc())
          << "lattn-tile-matmul: expected 1 to " << most
          << " rows, columns and shares, got row-tile=" << int64_t(rowTile)
          << " column-tile=" << int64_t(columnTile)
          << " shares=" << int64_t(shares) << " row-unit=" << int64_t(rowUnit)
          << " column-unit=" << int64_t(columnUnit);
      return signalPassFailure();
    }
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      // In a parallel loop it is a tile already.
      if (isMatmul(op) && !op->getParentOfType<scf::ForallOp>())
        ops.push_back(op);
    });
    ReportingRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      if (failed(
              tileMatmul(rewriter, op,
                         {rowTile, columnTile, shares, rowUnit, columnUnit})))
        emitRemark(op.getLoc())
            << "a matrix product stays untiled and will run as slow loops: "
            << rewriter.getReason();
  }
};
} // namespace

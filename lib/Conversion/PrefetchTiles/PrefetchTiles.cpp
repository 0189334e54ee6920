//===- PrefetchTiles.cpp - Rows of the next query tile are asked for ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tile's queries and outputs are touched once, in a burst that no hardware
// prefetcher sees coming. Here they are asked for while keys are worked on, a
// few rows with each key tile, so that the requests do not queue up.

#include "lattn/Conversion/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNPREFETCHTILESPASS
#include "lattn/Conversion/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Asks for the row `row` of a matrix, which need not exist.
static void prefetchRow(OpBuilder &b, Location loc, Value matrix, Value row,
                        bool isWrite) {
  constexpr int64_t lineBits = 64 * 8, localityInL2 = 2;
  auto type = cast<MemRefType>(matrix.getType());
  int64_t step = std::max<int64_t>(1, lineBits / type.getElementTypeBitWidth());
  for (int64_t d = 0; d < type.getDimSize(1); d += step) {
    Value column = arith::ConstantIndexOp::create(b, loc, d);
    memref::PrefetchOp::create(b, loc, matrix, ValueRange{row, column}, isWrite,
                               localityInL2, /*isDataCache=*/true);
  }
}

/// The rows asked for in each of the first kSteps iterations of `loop`.
static void prefetchIn(scf::ForOp loop, PackQueryOp pack, FinalizeOp finalize) {
  constexpr int64_t kSteps = 4;
  Location loc = loop.getLoc();
  int64_t queries = cast<ShapedType>(pack.getPacked().getType()).getDimSize(1);
  int64_t rows = llvm::divideCeil(queries, kSteps);
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value).getResult();
  };
  Value done = arith::SubIOp::create(b, loc, loop.getInductionVar(),
                                     loop.getLowerBound());
  Value step = arith::DivUIOp::create(b, loc, done, loop.getStep());
  Value first = arith::MulIOp::create(b, loc, step, index(rows));
  Value isWanted = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         first, index(queries));
  auto wanted = scf::IfOp::create(b, loc, isWanted);
  b = wanted.getThenBodyBuilder();
  for (int64_t i = 0; i < rows; ++i) {
    Value row = arith::AddIOp::create(b, loc, first, index(i));
    Value next = arith::AddIOp::create(b, loc, row, index(queries));
    prefetchRow(b, loc, pack.getQuery(), next, /*isWrite=*/false);
    prefetchRow(b, loc, finalize.getOutput(), row, /*isWrite=*/true);
  }
}

static bool isInterior(scf::ForOp loop) {
  auto steps = loop.getBody()->getOps<OnlineAttentionOp>();
  return llvm::hasSingleElement(steps) && !(*steps.begin()).hasMask();
}

/// Whether the view `matrix` can be had before `loop`; moves it there.
static bool hoistView(Value matrix, scf::ForOp loop) {
  Operation *view = matrix.getDefiningOp();
  if (!view || view->getBlock() != loop->getBlock() ||
      view->isBeforeInBlock(loop))
    return true;
  bool canMove = isa<memref::SubViewOp>(view) &&
                 llvm::all_of(view->getOperands(), [&](Value operand) {
                   Operation *op = operand.getDefiningOp();
                   return !op || op->getBlock() != loop->getBlock() ||
                          op->isBeforeInBlock(loop);
                 });
  if (canMove)
    view->moveBefore(loop);
  return canMove;
}

static bool isMatrixOfKnownWidth(Value matrix) {
  auto type = dyn_cast<MemRefType>(matrix.getType());
  return type && type.getRank() == 2 && !type.isDynamicDim(1);
}

namespace {
struct PrefetchTiles : lattn::impl::LattnPrefetchTilesPassBase<PrefetchTiles> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](PackQueryOp pack) {
      Block *block = pack->getBlock();
      auto finalizes = block->getOps<FinalizeOp>();
      if (!llvm::hasSingleElement(finalizes))
        return;
      FinalizeOp finalize = *finalizes.begin();
      if (!isMatrixOfKnownWidth(pack.getQuery()) ||
          !isMatrixOfKnownWidth(finalize.getOutput()))
        return;
      for (auto loop : block->getOps<scf::ForOp>())
        if (isInterior(loop) && hoistView(finalize.getOutput(), loop))
          return prefetchIn(loop, pack, finalize);
    });
  }
};
} // namespace

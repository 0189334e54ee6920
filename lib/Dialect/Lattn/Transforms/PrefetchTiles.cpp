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

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Dialect/Lattn/IR/WindowGeometry.h"
#include "lattn/Dialect/Lattn/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNPREFETCHTILESPASS
#include "lattn/Dialect/Lattn/Transforms/Passes.h.inc"
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

namespace {
/// What a query tile touches that the tile before it did not.
struct Fresh {
  struct Rows {
    Value matrix, first;
    bool isWrite;
  };
  SmallVector<Rows> rows;
  int64_t count; // of each
  int64_t steps; // that ask for them, from `begin` on
  Value begin;
};
} // namespace

/// In the first steps over keys each asks for some of the fresh rows.
static void prefetchIn(scf::ForOp loop, const Fresh &fresh) {
  Location loc = loop.getLoc();
  int64_t share = llvm::divideCeil(fresh.count, fresh.steps);
  OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value).getResult();
  };
  Value done =
      arith::SubIOp::create(b, loc, loop.getInductionVar(), fresh.begin);
  Value step = arith::DivUIOp::create(b, loc, done, loop.getStep());
  Value first = arith::MulIOp::create(b, loc, step, index(share));
  Value isWanted = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                         first, index(fresh.count));
  auto wanted = scf::IfOp::create(b, loc, isWanted);
  b = wanted.getThenBodyBuilder();
  Value end = arith::AddIOp::create(b, loc, first, index(share));
  auto shared = scf::ForOp::create(b, loc, first, end, index(1));
  b.setInsertionPointToStart(shared.getBody());
  for (const Fresh::Rows &rows : fresh.rows) {
    Value row =
        arith::AddIOp::create(b, loc, shared.getInductionVar(), rows.first);
    prefetchRow(b, loc, rows.matrix, row, rows.isWrite);
  }
}

static bool isMatrixOfKnownWidth(Value matrix) {
  auto type = dyn_cast<MemRefType>(matrix.getType());
  return type && type.getRank() == 2 && !type.isDynamicDim(1);
}

/// The one step of online softmax in `loop`, or null.
static OnlineAttentionOp getStep(scf::ForOp loop) {
  auto steps = loop.getBody()->getOps<OnlineAttentionOp>();
  return llvm::hasSingleElement(steps) ? *steps.begin() : OnlineAttentionOp();
}

/// Whether `value` is there before `loop`.
static bool isBefore(Value value, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  return !op || op->getBlock() != loop->getBlock() || op->isBeforeInBlock(loop);
}

/// Whether the view `matrix` can be had before `loop`; moves it there.
static bool hoistView(Value matrix, scf::ForOp loop) {
  if (isBefore(matrix, loop))
    return true;
  auto view = matrix.getDefiningOp<memref::SubViewOp>();
  if (!view || llvm::any_of(view->getOperands(), [&](Value operand) {
        return !isBefore(operand, loop);
      }))
    return false;
  view->moveBefore(loop);
  return true;
}

/// How many keys a tile of so many queries sees away from the array's ends;
/// without bounds many.
static int64_t getSeenKeys(scf::ForOp last, int64_t queries) {
  constexpr int64_t kMany = 4096;
  WindowAttrInterface window = getStep(last).getEffectiveWindow();
  if (!window)
    return kMany;
  Halo halo = getHalo(window);
  if (!halo.before || !halo.after)
    return kMany;
  return *halo.before + *halo.after + queries;
}

/// How many of a tile's steps ask for something.
static int64_t getSteps(scf::ForOp last, int64_t seenKeys) {
  constexpr int64_t kMost = 4;
  std::optional<int64_t> keyTile = getConstantIntValue(last.getStep());
  if (!keyTile)
    return kMost;
  return std::clamp<int64_t>(llvm::divideCeil(seenKeys, *keyTile), 1, kMost);
}

/// Keys and values that the next tile is the first to see: hardware prefetches
/// end with each page. Of few keys they are in a cache, or too many at once.
static void addFreshKeys(MutableArrayRef<scf::ForOp> loops, int64_t seenKeys,
                         Fresh &fresh) {
  constexpr int64_t manyKeys = 192;
  OnlineAttentionOp step = getStep(loops.back());
  WindowAttrInterface window = step.getEffectiveWindow();
  Value end = loops.back().getUpperBound();
  if (seenKeys < manyKeys || !window || !getHalo(window).after ||
      !isBefore(end, loops.front()))
    return;
  for (Value rows : {step.getKey(), step.getValue()}) {
    auto view = rows.getDefiningOp<memref::SubViewOp>();
    if (view && isMatrixOfKnownWidth(view.getSource()) &&
        isBefore(view.getSource(), loops.front()))
      fresh.rows.push_back({view.getSource(), end, /*isWrite=*/false});
  }
}

namespace {
struct PrefetchTiles : lattn::impl::LattnPrefetchTilesPassBase<PrefetchTiles> {
  using Base::Base;
  void runOnOperation() override {
    getOperation()->walk([&](PackQueryOp pack) {
      Block *block = pack->getBlock();
      auto finalizes = block->getOps<FinalizeOp>();
      SmallVector<scf::ForOp> loops;
      for (auto loop : block->getOps<scf::ForOp>())
        if (getStep(loop))
          loops.push_back(loop);
      if (loops.empty() || !llvm::hasSingleElement(finalizes))
        return;
      Value query = pack.getQuery(), output = (*finalizes.begin()).getOutput();
      if (!isMatrixOfKnownWidth(query) || !isMatrixOfKnownWidth(output) ||
          !hoistView(output, loops.front()))
        return;
      int64_t count =
          cast<ShapedType>(pack.getPacked().getType()).getDimSize(1);
      int64_t seenKeys = getSeenKeys(loops.back(), count);
      OpBuilder b(loops.front());
      auto index = [&](int64_t value) {
        return arith::ConstantIndexOp::create(b, pack.getLoc(), value)
            .getResult();
      };
      Fresh fresh = {{{query, index(count), /*isWrite=*/false},
                      {output, index(0), /*isWrite=*/true}},
                     count,
                     getSteps(loops.back(), seenKeys),
                     loops.front().getLowerBound()};
      addFreshKeys(loops, seenKeys, fresh);
      for (scf::ForOp loop : loops)
        prefetchIn(loop, fresh);
    });
  }
};
} // namespace

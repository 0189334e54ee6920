//===- MapToGPU.cpp - Loops over tiles as grids of blocks -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Fragment/Transforms/Passes.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {
#define GEN_PASS_DEF_LATTNMAPTOGPUPASS
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"
} // namespace lattn

using namespace mlir;
using namespace lattn;

/// Threads of a block where each takes an element.
static constexpr int64_t kElementThreads = 128;

template <typename MappingAttr> static bool isMappedTo(scf::ForallOp forall) {
  std::optional<ArrayAttr> mapping = forall.getMapping();
  return mapping && !mapping->empty() &&
         llvm::all_of(*mapping, llvm::IsaPred<MappingAttr>);
}

/// Threads of a block, as its tiles are held.
static std::optional<int64_t> getThreads(scf::ForallOp forall) {
  std::optional<int64_t> threads;
  forall.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tile = dyn_cast<fragment::TileType>(type)) {
        threads = tile.getThreads();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return threads;
}

namespace {
/// A loop over blocks, or over elements by 128 for each block, as a grid.
class GridMapper {
public:
  GridMapper(IRRewriter &rewriter, scf::ForallOp forall)
      : b(rewriter), forall(forall), loc(forall.getLoc()),
        ofElements(isMappedTo<gpu::GPUThreadMappingAttr>(forall)),
        grid(forall->getAttrOfType<GridAttr>(kGrid)) {}
  LogicalResult run();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value countBlocks();
  gpu::LaunchOp buildLaunch(Value blocks);
  /// The loop's body for item `item`, before `end` of `body`.
  void inlineBody(Value item, Block *body, Block::iterator end);

  IRRewriter &b;
  scf::ForallOp forall;
  Location loc;
  bool ofElements;
  GridAttr grid; // null where nothing is said
  int64_t threads;
  SmallVector<Value> extents;
  Value items;
};
} // namespace

Value GridMapper::countBlocks() {
  for (OpFoldResult extent : forall.getMixedUpperBound())
    extents.push_back(getValueOrCreateConstantIndexOp(b, loc, extent));
  items = extents[0];
  for (Value extent : ArrayRef(extents).drop_front())
    items = b.createOrFold<arith::MulIOp>(loc, items, extent);
  if (!ofElements)
    return items;
  Value blocks =
      b.createOrFold<arith::AddIOp>(loc, items, constant(threads - 1));
  return b.createOrFold<arith::DivUIOp>(loc, blocks, constant(threads));
}

/// An empty launch of `blocks`, where there are any.
gpu::LaunchOp GridMapper::buildLaunch(Value blocks) {
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, blocks,
                                    constant(0));
  auto guard = scf::IfOp::create(b, loc, any);
  b.setInsertionPointToStart(guard.thenBlock());
  Value one = constant(1);
  auto launch = gpu::LaunchOp::create(b, loc, blocks, one, one,
                                      constant(threads), one, one);
  if (grid) {
    auto function = forall->getParentOfType<FunctionOpInterface>();
    std::string name = (function.getName() + "_" + grid.getKernel()).str();
    launch.setFunctionAttr(FlatSymbolRefAttr::get(b.getContext(), name));
  }
  return launch;
}

void GridMapper::inlineBody(Value item, Block *body, Block::iterator end) {
  bool perTile = grid && grid.getBlocks() == GridBlocks::PerTile;
  auto tile = fragment::WorkTileOp::create(b, loc, item, extents, perTile);
  b.eraseOp(forall.getTerminator());
  b.inlineBlockBefore(forall.getBody(), body, end, tile.getIndices());
}

LogicalResult GridMapper::run() {
  if (forall.getNumResults())
    return forall.emitOpError("expected a loop on buffers to map to a grid");
  std::optional<int64_t> known =
      ofElements ? kElementThreads : getThreads(forall);
  if (!known)
    return forall.emitOpError("expected fragments in a loop that is mapped to "
                              "blocks");
  threads = *known;
  if (!forall.isNormalized())
    return forall.emitOpError("expected a loop from 0 by steps of 1");
  b.setInsertionPoint(forall);
  gpu::LaunchOp grid = buildLaunch(countBlocks());
  Block *body = &grid.getBody().front();
  // LLVM makes registers only of what a function's first block allocates.
  for (auto scratch :
       llvm::make_early_inc_range(forall.getBody()->getOps<memref::AllocaOp>()))
    b.moveOpBefore(scratch, body, body->end());
  b.setInsertionPointToEnd(body);
  Value item = grid.getBlockIds().x;
  if (!ofElements) {
    inlineBody(item, body, body->end());
    b.setInsertionPointToEnd(body);
    gpu::TerminatorOp::create(b, loc);
  } else {
    item = arith::MulIOp::create(b, loc, item, constant(threads));
    item = arith::AddIOp::create(b, loc, item, grid.getThreadIds().x);
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, item, items);
    auto element = scf::IfOp::create(b, loc, inside);
    gpu::TerminatorOp::create(b, loc);
    body = element.thenBlock();
    b.setInsertionPointToStart(body);
    inlineBody(item, body, std::prev(body->end()));
  }
  b.eraseOp(forall);
  return success();
}

namespace {
struct MapToGPU : lattn::impl::LattnMapToGPUPassBase<MapToGPU> {
  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation()->walk([&](scf::ForallOp forall) {
      if (isMappedTo<gpu::GPUBlockMappingAttr>(forall) ||
          isMappedTo<gpu::GPUThreadMappingAttr>(forall))
        loops.push_back(forall);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp forall : loops)
      if (failed(GridMapper(rewriter, forall).run()))
        return signalPassFailure();
  }
};
} // namespace

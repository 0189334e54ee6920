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
        threads = 32 * tile.getWarps();
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return threads;
}

static LogicalResult mapToGrid(IRRewriter &rewriter, scf::ForallOp forall) {
  Location loc = forall.getLoc();
  if (forall.getNumResults())
    return forall.emitOpError("expected a loop on buffers to map to a grid");
  bool ofElements = isMappedTo<gpu::GPUThreadMappingAttr>(forall);
  std::optional<int64_t> threads =
      ofElements ? kElementThreads : getThreads(forall);
  if (!threads)
    return forall.emitOpError("expected fragments in a loop that is mapped to "
                              "blocks");
  if (!forall.isNormalized())
    return forall.emitOpError("expected a loop from 0 by steps of 1");
  rewriter.setInsertionPoint(forall);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  SmallVector<Value> extents;
  for (OpFoldResult extent : forall.getMixedUpperBound())
    extents.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, extent));
  Value items = extents[0];
  for (Value extent : ArrayRef(extents).drop_front())
    items = rewriter.createOrFold<arith::MulIOp>(loc, items, extent);
  Value blocks = items;
  if (ofElements) {
    blocks = rewriter.createOrFold<arith::AddIOp>(loc, items,
                                                  constant(*threads - 1));
    blocks =
        rewriter.createOrFold<arith::DivUIOp>(loc, blocks, constant(*threads));
  }
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sgt,
                                    blocks, constant(0));
  auto guard = scf::IfOp::create(rewriter, loc, any);
  rewriter.setInsertionPointToStart(guard.thenBlock());
  Value one = constant(1);
  auto launch = gpu::LaunchOp::create(rewriter, loc, blocks, one, one,
                                      constant(*threads), one, one);
  if (auto kind = forall->getAttrOfType<StringAttr>(kKernelName)) {
    auto function = forall->getParentOfType<FunctionOpInterface>();
    std::string name = (function.getName() + "_" + kind.getValue()).str();
    launch.setFunctionAttr(FlatSymbolRefAttr::get(rewriter.getContext(), name));
  }
  Block *body = &launch.getBody().front();
  rewriter.setInsertionPointToStart(body);
  // block, or thread -> indices, the last axis first
  Value rest = launch.getBlockIds().x;
  if (ofElements) {
    rest = arith::MulIOp::create(rewriter, loc, rest, constant(*threads));
    rest = arith::AddIOp::create(rewriter, loc, rest, launch.getThreadIds().x);
    Value inside = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::slt, rest, items);
    auto element = scf::IfOp::create(rewriter, loc, inside);
    gpu::TerminatorOp::create(rewriter, loc);
    body = element.thenBlock();
    rewriter.setInsertionPointToStart(body);
  }
  SmallVector<Value> indices(extents.size());
  for (size_t axis = extents.size(); axis-- > 0;) {
    if (axis == 0) {
      indices[0] = rest;
      break;
    }
    indices[axis] = arith::RemUIOp::create(rewriter, loc, rest, extents[axis]);
    rest = arith::DivUIOp::create(rewriter, loc, rest, extents[axis]);
  }
  rewriter.eraseOp(forall.getTerminator());
  Block::iterator end = ofElements ? std::prev(body->end()) : body->end();
  rewriter.inlineBlockBefore(forall.getBody(), body, end, indices);
  if (!ofElements) {
    rewriter.setInsertionPointToEnd(body);
    gpu::TerminatorOp::create(rewriter, loc);
  }
  rewriter.eraseOp(forall);
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
      if (failed(mapToGrid(rewriter, forall)))
        return signalPassFailure();
  }
};
} // namespace

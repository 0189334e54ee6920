//===- Ring.cpp - Tiles on their way through shared memory ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ring.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn;

static Attribute getShared(OpBuilder &b) {
  return gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
}

Value RingBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value RingBuilder::createBarriers(int64_t stages, int64_t arrivals,
                                  Value isFirst) {
  auto type =
      nvgpu::MBarrierGroupType::get(b.getContext(), getShared(b), stages);
  Value barriers = nvgpu::MBarrierCreateOp::create(b, loc, type);
  for (int64_t stage = 0; stage < stages; ++stage)
    nvgpu::MBarrierInitOp::create(b, loc, barriers, index(arrivals),
                                  index(stage), isFirst);
  return barriers;
}

Value RingBuilder::create(ArrayRef<Ring *> rings, int64_t bytes,
                          function_ref<void(Value)> store) {
  memory = gpu::DynamicSharedMemoryOp::create(
      b, loc,
      MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                      MemRefLayoutAttrInterface(), getShared(b)));
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, thread, index(0));
  for (Ring *ring : rings) {
    ring->full = createBarriers(ring->stages, 1, isFirst);
    ring->empty = createBarriers(ring->stages, warps, isFirst);
  }
  auto type = MemRefType::get({kWords}, b.getI32Type(),
                              MemRefLayoutAttrInterface(), getShared(b));
  Value words =
      memref::ViewOp::create(b, loc, type, memory, index(bytes), ValueRange());
  auto guard = scf::IfOp::create(b, loc, isFirst);
  {
    OpBuilder::InsertionGuard inserted(b);
    b.setInsertionPointToStart(guard.thenBlock());
    Value none = arith::ConstantIntOp::create(b, loc, 0, 32);
    memref::StoreOp::create(b, loc, none, words, index(0));
    store(words);
  }
  NVVM::FenceMbarrierInitOp::create(b, loc);
  gpu::BarrierOp::create(b, loc);
  return words;
}

PipelineStage RingBuilder::getPipelineStage(Value number, int64_t stages) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, value, 32);
  };
  Value stage = arith::RemUIOp::create(b, loc, number, constant(stages));
  Value round = arith::DivUIOp::create(b, loc, number, constant(stages));
  Value odd = arith::AndIOp::create(b, loc, round, constant(1));
  PipelineStage at;
  at.stage = arith::IndexCastUIOp::create(b, loc, b.getIndexType(), stage);
  at.parity =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, odd, constant(0));
  return at;
}

Value RingBuilder::getStageOffset(const Ring &ring, Value stage) {
  Value at =
      b.createOrFold<arith::MulIOp>(loc, stage, index(ring.getStageBytes()));
  return b.createOrFold<arith::AddIOp>(loc, at, index(ring.offset));
}

Value RingBuilder::getTiles(const Ring &ring, Value stage) {
  SmallVector<int64_t> shape = {ring.tiles, ring.rows, kTMATileColumns};
  if (ring.isVector())
    shape = {ring.rows};
  auto type = MemRefType::get(shape, ring.source.getType().getElementType(),
                              MemRefLayoutAttrInterface(), getShared(b));
  return memref::ViewOp::create(b, loc, type, memory,
                                getStageOffset(ring, stage), ValueRange());
}

void RingBuilder::waitFor(Value barriers, PipelineStage at) {
  constexpr int64_t ticks = 10'000'000; // before it is asked again
  nvgpu::MBarrierTryWaitParityOp::create(b, loc, barriers, at.parity,
                                         index(ticks), at.stage);
}

void RingBuilder::open(const Ring &ring, PipelineStage at) {
  // The stages are free at first, as if a round before had ended.
  Value yes = arith::ConstantIntOp::create(b, loc, 1, 1);
  Value before = arith::XOrIOp::create(b, loc, at.parity, yes);
  waitFor(ring.empty, {at.stage, before});
  nvgpu::MBarrierArriveExpectTxOp::create(
      b, loc, ring.full, index(ring.getBytes() + ring.followers), at.stage,
      /*predicate=*/Value());
}

void RingBuilder::copy(const Ring &ring, const TMASource &source,
                       Value barriers, Value stage) {
  TMACopy copy;
  copy.map = ring.map;
  copy.tiles = ring.tiles;
  copy.rows = ring.rows;
  copy.memory = memory;
  copy.offset = getStageOffset(ring, stage);
  copy.barriers = barriers;
  copy.barrier = stage;
  buildTMACopy(b, loc, source, copy);
}

void RingBuilder::release(const Ring &ring, Value stage, Value condition) {
  Value lane = arith::RemUIOp::create(b, loc, thread, index(32));
  Value mine =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane, index(0));
  if (condition)
    mine = arith::AndIOp::create(b, loc, mine, condition);
  auto guard = scf::IfOp::create(b, loc, mine);
  OpBuilder::InsertionGuard inserted(b);
  b.setInsertionPointToStart(guard.thenBlock());
  auto token = nvgpu::MBarrierTokenType::get(b.getContext());
  nvgpu::MBarrierArriveOp::create(b, loc, token, ring.empty, stage);
}

//===- CopyToShared.cpp - Rows from global to shared memory ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentToNVVM.h"
#include "GlobalMatrix.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace lattn::fragment;

Value lattn::fragment::swizzle(OpBuilder &b, Location loc, Value row,
                               Value chunk, int64_t chunks) {
  // Rows that share banks: `period` of them in eight are apart by themselves.
  int64_t width = 1;
  while (width < 8 && chunks % (2 * width) == 0)
    width *= 2;
  if (width == 1)
    return chunk;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value turn = b.createOrFold<arith::DivUIOp>(loc, row, constant(8 / width));
  turn = b.createOrFold<arith::RemUIOp>(loc, turn, constant(width));
  return b.createOrFold<arith::XOrIOp>(loc, chunk, turn);
}

/// A matrix of shared memory that is filled from one in global memory.
namespace {
struct CopyPlan {
  CopyPlan(OpBuilder &b, CopyOp op)
      : b(b), loc(op.getLoc()), dest(op.getDest()),
        chunks(op.getDest().getType().getDimSize(1) / kChunk),
        total(op.getDest().getType().getDimSize(0) * chunks),
        threads(op.getThreads()), source(b, loc, op.getSource(), 16) {
    thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  }
  void copyChunks();
  void copyElements();

  /// Where a chunk is from, how many elements the source has of it, and where
  /// it goes.
  struct Chunk {
    Value row, column, elements, destColumn;
  };
  Chunk getChunk(Value id);
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }

  OpBuilder &b;
  Location loc;
  TypedValue<MemRefType> dest;
  int64_t chunks, total, threads;
  GlobalMatrix source;
  Value thread;
};
} // namespace

CopyPlan::Chunk CopyPlan::getChunk(Value id) {
  Value row = arith::DivUIOp::create(b, loc, id, constant(chunks));
  Value chunk = arith::RemUIOp::create(b, loc, id, constant(chunks));
  Value column = arith::MulIOp::create(b, loc, chunk, constant(kChunk));
  Value zero = constant(0);
  Value elements = arith::SubIOp::create(b, loc, source.sizes[1], column);
  elements = arith::MaxSIOp::create(b, loc, elements, zero);
  elements = arith::MinSIOp::create(b, loc, elements, constant(kChunk));
  Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row,
                                       source.sizes[0]);
  elements = arith::SelectOp::create(b, loc, inside, elements, zero);
  Value place = swizzle(b, loc, row, chunk, chunks);
  place = arith::MulIOp::create(b, loc, place, constant(kChunk));
  return {row, column, elements, place};
}

/// 16 bytes at a time. Of no elements nothing is read, wherever they would be:
/// rows need no bounds, and those of a thread are at equal distances.
void CopyPlan::copyChunks() {
  Value dense = source.getDense();
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  for (int64_t begin = 0; begin < total; begin += threads) {
    OpBuilder::InsertionGuard guard(b);
    Value id = arith::AddIOp::create(b, loc, thread, constant(begin));
    if (begin + threads > total) {
      Value some = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, id,
                                         constant(total));
      auto guardOp = scf::IfOp::create(b, loc, some);
      b.setInsertionPointToStart(guardOp.thenBlock());
    }
    Chunk chunk = getChunk(id);
    nvgpu::DeviceAsyncCopyOp::create(
        b, loc, token, dest, ValueRange{chunk.row, chunk.destColumn}, dense,
        ValueRange{chunk.row, chunk.column}, b.getIndexAttr(kChunk),
        chunk.elements, b.getUnitAttr());
  }
}

/// One by one, in loops: this is the way of few, and should cost the others no
/// registers.
void CopyPlan::copyElements() {
  OpBuilder::InsertionGuard guard(b);
  Value zero = constant(0), one = constant(1);
  auto over =
      scf::ForOp::create(b, loc, thread, constant(total), constant(threads));
  b.setInsertionPointToStart(over.getBody());
  Chunk chunk = getChunk(over.getInductionVar());
  auto inChunk = scf::ForOp::create(b, loc, zero, constant(kChunk), one);
  b.setInsertionPointToStart(inChunk.getBody());
  Value i = inChunk.getInductionVar();
  Value there = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, i,
                                      chunk.elements);
  Type element = dest.getType().getElementType();
  auto read = scf::IfOp::create(b, loc, element, there, /*else=*/true);
  {
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(read.thenBlock());
    Value from = arith::AddIOp::create(b, loc, chunk.column, i);
    Value value = memref::LoadOp::create(b, loc, source.matrix,
                                         ValueRange{chunk.row, from});
    scf::YieldOp::create(b, loc, value);
    b.setInsertionPointToStart(read.elseBlock());
    Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
    scf::YieldOp::create(b, loc, nothing);
  }
  Value to = arith::AddIOp::create(b, loc, chunk.destColumn, i);
  memref::StoreOp::create(b, loc, read.getResult(0), dest,
                          ValueRange{chunk.row, to});
}

/// One element for each thread.
static void copyVector(OpBuilder &b, CopyOp op) {
  Location loc = op.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto source =
      memref::ExtractStridedMetadataOp::create(b, loc, op.getSource());
  int64_t total = op.getDest().getType().getDimSize(0);
  auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  auto element = MemRefType::get(
      {1}, op.getDest().getType().getElementType(),
      StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic, {1}));
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  auto loop = scf::ForOp::create(b, loc, thread, constant(total),
                                 constant(op.getThreads()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value at = arith::MulIOp::create(b, loc, i, source.getStrides()[0]);
  at = arith::AddIOp::create(b, loc, at, source.getOffset());
  Value from = memref::ReinterpretCastOp::create(
      b, loc, element, source.getBaseBuffer(), OpFoldResult(at),
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)},
      ArrayRef<OpFoldResult>{b.getIndexAttr(1)});
  Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, i,
                                       source.getSizes()[0]);
  Value count =
      arith::SelectOp::create(b, loc, inside, constant(1), constant(0));
  nvgpu::DeviceAsyncCopyOp::create(b, loc, token, op.getDest(), ValueRange{i},
                                   from, ValueRange{constant(0)},
                                   b.getIndexAttr(1), count,
                                   /*bypassL1=*/UnitAttr());
}

static LogicalResult convertCopy(CopyOp op, Registers<CopyOp> adaptor,
                                 ConversionPatternRewriter &b) {
  if (op.getDest().getType().getRank() == 1) {
    copyVector(b, op);
    b.eraseOp(op);
    return success();
  }
  OpBuilder::InsertionGuard guard(b);
  CopyPlan plan(b, op);
  auto choice =
      scf::IfOp::create(b, op.getLoc(), plan.source.aligned, /*else=*/true);
  b.setInsertionPointToStart(choice.thenBlock());
  plan.copyChunks();
  b.setInsertionPointToStart(choice.elseBlock());
  plan.copyElements();
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populateCopyPatterns(TypeConverter &converter,
                                           RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertCopy);
}

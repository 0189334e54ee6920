//===- Product.cpp - Products of registers with shared memory -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn::fragment;

static bool isShared(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// Four 8x8 matrices of shared memory, each in a register: thread i of the warp
/// gives the place of row i % 8 of matrix i / 8.
static SmallVector<Value> loadMatrices(OpBuilder &b, Location loc, Value shared,
                                       ValueRange at, bool transposed) {
  auto type = cast<MemRefType>(shared.getType());
  auto vector = VectorType::get({4, 2}, type.getElementType());
  Value loaded =
      nvgpu::LdMatrixOp::create(b, loc, vector, shared, at, transposed, 4);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i) {
    Value pair = vector::ExtractOp::create(b, loc, loaded, i);
    registers.push_back(LLVM::BitcastOp::create(b, loc, b.getI32Type(), pair));
  }
  return registers;
}

/// A chunk that is one of the first eight and turned by `swizzle`, `distance`
/// further on. Only the last bits turn: those before are a distance that is
/// known, and needs no register.
static Value moveChunk(OpBuilder &b, Location loc, Value chunk,
                       Value distance) {
  std::optional<int64_t> known = getConstantIntValue(distance);
  if (!known)
    return arith::XOrIOp::create(b, loc, chunk, distance);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  chunk = b.createOrFold<arith::XOrIOp>(loc, chunk, index(*known % 8));
  return b.createOrFold<arith::AddIOp>(loc, chunk, index(*known / 8 * 8));
}

/// One value for each row or column.
static LogicalResult convertVector(LoadOp op, ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  TileType tile = op.getType();
  ThreadPlace place(b, loc);
  Value size = memref::DimOp::create(b, loc, op.getSource(), 0);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(tile.getElementType()));
  SmallVector<Value> registers;
  for (Value at : tile.isRow() ? place.rows(tile) : place.columns(tile)) {
    if (isShared(op.getSource())) { // whole
      registers.push_back(memref::LoadOp::create(b, loc, op.getSource(), at));
      continue;
    }
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, at, size);
    auto load = scf::IfOp::create( // a tile may have no row
        b, loc, inside,
        [&](OpBuilder &nested, Location) {
          Value loaded =
              memref::LoadOp::create(nested, loc, op.getSource(), at);
          scf::YieldOp::create(nested, loc, loaded);
        },
        [&](OpBuilder &nested, Location) {
          scf::YieldOp::create(nested, loc, zero);
        });
    registers.push_back(load.getResult(0));
  }
  b.replaceOpWithMultiple(op, {ValueRange(registers)});
  return success();
}

static LogicalResult convertLoad(LoadOp op, Registers<LoadOp> adaptor,
                                 ConversionPatternRewriter &b) {
  if (op.getType().getPart() != Part::Operand)
    return convertVector(op, b);
  if (!isShared(op.getSource()))
    return op.emitOpError("expected a source in shared memory, where "
                          "lattn-stage-shared puts it");
  Location loc = op.getLoc();
  TileType tile = op.getType();
  ThreadPlace place(b, loc);
  int64_t chunks = tile.getColumns() / kChunk;
  // Matrices of a 16x16 block: rows 0 and 8 of the left half, then the right.
  Value inBlock = arith::RemUIOp::create(b, loc, place.lane, place.index(16));
  Value right = arith::DivUIOp::create(b, loc, place.lane, place.index(16));
  Value first = arith::AddIOp::create(b, loc, place.firstRow(tile), inBlock);
  Value base = swizzle(b, loc, first, right, chunks);
  SmallVector<Value> registers;
  for (int64_t group = 0; group < tile.getRowGroups(); ++group)
    for (int64_t block = 0; block < tile.getColumns() / 16; ++block) {
      Value row = place.add(first, 16 * group);
      Value chunk = moveChunk(b, loc, base, place.index(2 * block));
      Value column = arith::MulIOp::create(b, loc, chunk, place.index(kChunk));
      llvm::append_range(registers,
                         loadMatrices(b, loc, op.getSource(), {row, column},
                                      /*transposed=*/false));
    }
  b.replaceOpWithMultiple(op, {ValueRange(registers)});
  return success();
}

static LogicalResult convertLoadTMATiles(LoadTMATilesOp op,
                                         Registers<LoadTMATilesOp>,
                                         ConversionPatternRewriter &b) {
  Location loc = op.getLoc();
  TileType tile = op.getType();
  ThreadPlace place(b, loc);
  constexpr int64_t chunks = kTMATileColumns / kChunk; // of a TMA tile's row
  // Matrices as in convertLoad. A row's number modulo eight is its lane's.
  auto rem = [&](int64_t count) -> Value {
    return arith::RemUIOp::create(b, loc, place.lane, place.index(count));
  };
  Value right = arith::DivUIOp::create(b, loc, place.lane, place.index(16));
  Value row = arith::AddIOp::create(b, loc, place.firstRow(tile), rem(16));
  Value base = arith::XOrIOp::create(b, loc, right, rem(8));
  SmallVector<Value> registers;
  for (int64_t group = 0; group < tile.getRowGroups(); ++group)
    for (int64_t chunk = 0; chunk < tile.getColumns() / kChunk; chunk += 2) {
      Value column =
          arith::XOrIOp::create(b, loc, base, place.index(chunk % chunks));
      column = arith::MulIOp::create(b, loc, column, place.index(kChunk));
      llvm::append_range(registers,
                         loadMatrices(b, loc, op.getTiles(),
                                      {place.index(chunk / chunks),
                                       place.add(row, 16 * group), column},
                                      /*transposed=*/false));
    }
  b.replaceOpWithMultiple(op, {ValueRange(registers)});
  return success();
}

Product::Product(OpBuilder &b, MultiplyOp op, ValueRange left, ValueRange acc)
    : b(b), loc(op.getLoc()), right(op.getRight()),
      element(getElementTypeOrSelf(right.getType())),
      transposed(op.getTransposed()), groups(op.getType().getRowGroups()),
      inner(op.getLeft().getType().getColumns() / 16),
      pairs(op.getType().getColumns() / 16), left(left), acc(acc),
      place(b, loc) {
  // The four matrices of a block: (first, second half of the sum) of the left
  // block of columns, then of the right one.
  Value inMatrix = arith::RemUIOp::create(b, loc, place.lane, place.index(8));
  Value matrix = arith::DivUIOp::create(b, loc, place.lane, place.index(8));
  Value half = arith::RemUIOp::create(b, loc, matrix, place.index(2));
  Value side = arith::DivUIOp::create(b, loc, matrix, place.index(2));
  if (!transposed)
    std::swap(half, side);
  firstRow = arith::MulIOp::create(b, loc, side, place.index(8));
  firstRow = arith::AddIOp::create(b, loc, firstRow, inMatrix);
  int64_t chunks = cast<MemRefType>(right.getType()).getDimSize(1) / kChunk;
  firstChunk = swizzle(b, loc, firstRow, half, chunks);
}

SmallVector<Value> Product::load(int64_t k, Value pair) {
  Value rowBlock = place.index(k), chunkBlock = pair;
  if (transposed)
    std::swap(rowBlock, chunkBlock);
  auto times = [&](Value value, int64_t factor) {
    return b.createOrFold<arith::MulIOp>(loc, value, place.index(factor));
  };
  Value row = b.createOrFold<arith::AddIOp>(loc, firstRow, times(rowBlock, 16));
  Value chunk = moveChunk(b, loc, firstChunk, times(chunkBlock, 2));
  return loadMatrices(b, loc, right, {row, times(chunk, kChunk)}, !transposed);
}

void Product::multiplyAdd(ArrayRef<Value> left, ArrayRef<Value> right,
                          MutableArrayRef<Value> sums) {
  auto operands = [&](ArrayRef<Value> registers) {
    SmallVector<Value> values(registers);
    if (element.isF16())
      for (Value &value : values)
        value = LLVM::BitcastOp::create(b, loc, VectorType::get({2}, element),
                                        value);
    return values;
  };
  Type f32 = b.getF32Type();
  auto result = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                 SmallVector<Type>(4, f32));
  auto kind = element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Value products = NVVM::MmaOp::create(
      b, loc, result, operands(left), operands(right), ValueRange(sums),
      /*shape=*/ArrayRef<int64_t>{16, 8, 16}, /*b1Op=*/std::nullopt,
      /*intOverflow=*/std::nullopt,
      /*types=*/std::array<NVVM::MMATypes, 2>{kind, kind},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (int64_t i = 0; i < 4; ++i)
    sums[i] = LLVM::ExtractValueOp::create(b, loc, products, i);
}

void Product::multiply() {
  for (int64_t k = 0; k < inner; ++k)
    for (int64_t pair = 0; pair < pairs; ++pair) {
      SmallVector<Value> matrices = load(k, place.index(pair));
      for (int64_t group = 0; group < groups; ++group)
        for (int64_t i = 0; i < 2; ++i)
          multiplyAdd(getLeft(group, k), ArrayRef(matrices).slice(2 * i, 2),
                      getAcc(group, pair, i));
    }
}

static LogicalResult convertMultiply(MultiplyOp op,
                                     Registers<MultiplyOp> adaptor,
                                     ConversionPatternRewriter &b) {
  if (!isShared(op.getRight()))
    return op.emitOpError("expected right in shared memory, where "
                          "lattn-stage-shared puts it");
  if (op.getType().getColumns() % 16)
    return op.emitOpError()
           << "expected a multiple of 16 columns, got " << op.getType();
  Product product(b, op, adaptor.getLeft(), adaptor.getAccumulator());
  if (op.getSkipZeros())
    product.multiplySkippingZeros();
  else
    product.multiply();
  b.replaceOpWithMultiple(op, {product.getResult()});
  return success();
}

void lattn::fragment::populateProductPatterns(TypeConverter &converter,
                                              RewritePatternSet &patterns) {
  addConversions(converter, patterns, convertLoad, convertLoadTMATiles,
                 convertMultiply);
}

//===- FragmentMemory.cpp - Fragments from and to memory ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentToNVVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>

using namespace mlir;
using namespace lattn::fragment;

/// Elements of two bytes in 16 bytes.
static constexpr int64_t kChunk = 8;

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

/// Sizes and strides of a matrix in global memory, and whether its rows allow
/// access to `bytes` at a time.
namespace {
struct GlobalMatrix {
  GlobalMatrix(OpBuilder &b, Location loc, Value matrix, int64_t bytes);
  /// The matrix where elements of a row are known to be neighbours.
  Value getDense();

  OpBuilder &b;
  Location loc;
  Value matrix, base, offset;
  SmallVector<Value> sizes, strides;
  Value aligned; // i1
};
} // namespace

GlobalMatrix::GlobalMatrix(OpBuilder &b, Location loc, Value matrix,
                           int64_t bytes)
    : b(b), loc(loc), matrix(matrix) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, matrix);
  base = metadata.getBaseBuffer();
  offset = metadata.getOffset();
  sizes = metadata.getSizes();
  strides = metadata.getStrides();
  auto type = cast<MemRefType>(matrix.getType());
  int64_t width = type.getElementTypeBitWidth() / 8;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, matrix);
  auto addBytes = [&](Value sum, Value elements) -> Value {
    Value at = arith::MulIOp::create(b, loc, elements, constant(width));
    return arith::OrIOp::create(b, loc, sum, at);
  };
  Value bits = addBytes(start, offset);
  bits = addBytes(bits, strides[0]);
  bits = arith::RemUIOp::create(b, loc, bits, constant(bytes));
  Value one = constant(1);
  Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, bits,
                                      constant(0));
  Value dense =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, strides[1], one);
  aligned = arith::AndIOp::create(b, loc, whole, dense);
}

Value GlobalMatrix::getDense() {
  auto type = cast<MemRefType>(matrix.getType());
  auto layout = StridedLayoutAttr::get(b.getContext(), ShapedType::kDynamic,
                                       {ShapedType::kDynamic, 1});
  auto dense =
      MemRefType::get({ShapedType::kDynamic, ShapedType::kDynamic},
                      type.getElementType(), layout, type.getMemorySpace());
  SmallVector<OpFoldResult> mixedSizes(sizes.begin(), sizes.end());
  SmallVector<OpFoldResult> mixedStrides = {strides[0], b.getIndexAttr(1)};
  return memref::ReinterpretCastOp::create(
      b, loc, dense, base, OpFoldResult(offset), mixedSizes, mixedStrides);
}

namespace {
struct ConvertCopy : OpConversionPattern<CopyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CopyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

struct ConvertLoad : OpConversionPattern<LoadOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

struct ConvertMultiply : OpConversionPattern<MultiplyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(MultiplyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};
} // namespace

//===----------------------------------------------------------------------===//
// copy
//===----------------------------------------------------------------------===//

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

LogicalResult ConvertCopy::matchAndRewrite(CopyOp op, OpAdaptor adaptor,
                                           ConversionPatternRewriter &b) const {
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

//===----------------------------------------------------------------------===//
// load and multiply
//===----------------------------------------------------------------------===//

static bool isShared(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
}

/// Four 8x8 matrices of shared memory, each in a register: thread i of the warp
/// gives the place of row i % 8 of matrix i / 8.
static SmallVector<Value> loadMatrices(OpBuilder &b, Location loc, Value shared,
                                       Value row, Value column,
                                       bool transposed) {
  auto type = cast<MemRefType>(shared.getType());
  auto vector = VectorType::get({4, 2}, type.getElementType());
  Value loaded = nvgpu::LdMatrixOp::create(
      b, loc, vector, shared, ValueRange{row, column}, transposed, 4);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i) {
    Value pair = vector::ExtractOp::create(b, loc, loaded, i);
    registers.push_back(LLVM::BitcastOp::create(b, loc, b.getI32Type(), pair));
  }
  return registers;
}

LogicalResult ConvertLoad::matchAndRewrite(LoadOp op, OneToNOpAdaptor adaptor,
                                           ConversionPatternRewriter &b) const {
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
      Value chunk =
          b.createOrFold<arith::XOrIOp>(loc, base, place.index(2 * block));
      Value column = arith::MulIOp::create(b, loc, chunk, place.index(kChunk));
      llvm::append_range(registers,
                         loadMatrices(b, loc, op.getSource(), row, column,
                                      /*transposed=*/false));
    }
  b.replaceOpWithMultiple(op, {ValueRange(registers)});
  return success();
}

/// Halves of pairs in an i32, by cases.
namespace {
struct PairCases {
  PairCases(OpBuilder &b, Location loc, Type element)
      : b(b), loc(loc), type(VectorType::get({2}, b.getIntegerType(16))),
        semantics(cast<FloatType>(element).getFloatSemantics()) {}

  Value constant(APInt bits) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, bits));
  }
  Value constant(double value) {
    APFloat number(value);
    bool exact;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &exact);
    return constant(number.bitcastToAPInt());
  }
  Value halves(Value pair) {
    return LLVM::BitcastOp::create(b, loc, type, pair);
  }
  Value pair(Value halves) {
    return LLVM::BitcastOp::create(b, loc, b.getI32Type(), halves);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value magnitude(Value halves) {
    return arith::AndIOp::create(b, loc, halves, constant(APInt(16, 0x7fff)));
  }
  Value infinity() {
    return constant(APFloat::getInf(semantics).bitcastToAPInt());
  }

  /// Elements that are not finite as 0.
  Value getFinite(Value packed) {
    Value x = halves(packed);
    Value finite = compare(arith::CmpIPredicate::ult, magnitude(x), infinity());
    return pair(select(finite, x, constant(APInt(16, 0))));
  }
  /// 1 where an element is not 0.
  Value getTaken(Value packed) {
    Value zero = constant(APInt(16, 0));
    Value isZero =
        compare(arith::CmpIPredicate::eq, magnitude(halves(packed)), zero);
    return pair(select(isZero, zero, constant(1.0)));
  }
  /// A digit for what is not finite: sums of up to 2^8 of them can be told
  /// apart, and all are exact in f16 too.
  Value getSpecial(Value packed) {
    Value x = halves(packed), size = magnitude(x);
    Value digit = select(compare(arith::CmpIPredicate::eq, x, infinity()),
                         constant(std::ldexp(1.0, -kDigit)), constant(1.0));
    digit = select(compare(arith::CmpIPredicate::ugt, size, infinity()),
                   constant(std::ldexp(1.0, kDigit)), digit);
    Value finite = compare(arith::CmpIPredicate::ult, size, infinity());
    return pair(select(finite, constant(APInt(16, 0)), digit));
  }
  /// `sum`, with what the sum of digits says.
  Value addSpecial(Value sum, Value digits) {
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value));
    };
    auto integer = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, value, 32);
    };
    Value all = arith::FPToSIOp::create(
        b, loc, b.getI32Type(),
        arith::MulFOp::create(b, loc, digits, number(std::ldexp(1.0, kDigit))));
    auto any = [&](int64_t shift, int64_t mask) -> Value {
      Value bits = arith::AndIOp::create(
          b, loc, arith::ShRUIOp::create(b, loc, all, integer(shift)),
          integer(mask));
      return compare(arith::CmpIPredicate::ne, bits, integer(0));
    };
    constexpr int64_t mask = (1 << kDigit) - 1;
    Value positive = any(0, mask), negative = any(kDigit, mask);
    Value nan = any(2 * kDigit, -1);
    auto add = [&](double value) -> Value {
      return arith::AddFOp::create(b, loc, sum, number(value));
    };
    Value result =
        select(positive, add(INFINITY), select(negative, add(-INFINITY), sum));
    Value both = arith::AndIOp::create(b, loc, positive, negative);
    return select(arith::OrIOp::create(b, loc, nan, both), number(NAN), result);
  }

  static constexpr int64_t kDigit = 9; // bits
  OpBuilder &b;
  Location loc;
  VectorType type;
  const llvm::fltSemantics &semantics;
};
} // namespace

/// acc + a * b, of 16x8x16.
static void multiplyAdd(OpBuilder &b, Location loc, ArrayRef<Value> left,
                        ArrayRef<Value> right, MutableArrayRef<Value> acc,
                        Type element) {
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
  Value sums = NVVM::MmaOp::create(
      b, loc, result, operands(left), operands(right), ValueRange(acc),
      /*shape=*/ArrayRef<int64_t>{16, 8, 16}, /*b1Op=*/std::nullopt,
      /*intOverflow=*/std::nullopt,
      /*types=*/std::array<NVVM::MMATypes, 2>{kind, kind},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (int64_t i = 0; i < 4; ++i)
    acc[i] = LLVM::ExtractValueOp::create(b, loc, sums, i);
}

/// Of a loop that is there to be little code.
static void keepRolled(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  auto unroll = LLVM::LoopUnrollAttr::get(
      context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {},
      {});
  auto annotation = LLVM::LoopAnnotationAttr::get(
      context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  loop->setDiscardableAttr("llvm.loop_annotation", annotation);
}

LogicalResult
ConvertMultiply::matchAndRewrite(MultiplyOp op, OneToNOpAdaptor adaptor,
                                 ConversionPatternRewriter &b) const {
  if (!isShared(op.getRight()))
    return op.emitOpError("expected right in shared memory, where "
                          "lattn-stage-shared puts it");
  Location loc = op.getLoc();
  TileType tile = op.getType(), left = op.getLeft().getType();
  auto right = cast<MemRefType>(op.getRight().getType());
  if (tile.getColumns() % 16)
    return op.emitOpError()
           << "expected a multiple of 16 columns, got " << tile;
  bool transposed = op.getTransposed();
  int64_t groups = tile.getRowGroups(), inner = left.getColumns() / 16,
          pairs = tile.getColumns() / 16;
  int64_t chunks = right.getDimSize(1) / kChunk;
  SmallVector<Value> operand(adaptor.getLeft());
  SmallVector<Value> acc(adaptor.getAccumulator());
  ThreadPlace place(b, loc);
  // A 16x16 block of right is two blocks of 8 columns of the product side by
  // side. Its four matrices in the order (first, second half of the sum) of the
  // left block, then of the right one.
  Value inMatrix = arith::RemUIOp::create(b, loc, place.lane, place.index(8));
  Value matrix = arith::DivUIOp::create(b, loc, place.lane, place.index(8));
  Value half = arith::RemUIOp::create(b, loc, matrix, place.index(2));
  Value side = arith::DivUIOp::create(b, loc, matrix, place.index(2));
  Value rowHalf = transposed ? side : half,
        chunkHalf = transposed ? half : side;
  Value first = arith::MulIOp::create(b, loc, rowHalf, place.index(8));
  first = arith::AddIOp::create(b, loc, first, inMatrix);
  Value base = swizzle(b, loc, first, chunkHalf, chunks);
  Type element = right.getElementType();
  auto load = [&](int64_t k, Value pair) {
    Value rowBlock = transposed ? pair : place.index(k);
    Value chunkBlock = transposed ? place.index(k) : pair;
    auto times = [&](Value block, int64_t size) {
      return b.createOrFold<arith::MulIOp>(loc, block, place.index(size));
    };
    Value row = b.createOrFold<arith::AddIOp>(loc, first, times(rowBlock, 16));
    Value chunk =
        b.createOrFold<arith::XOrIOp>(loc, base, times(chunkBlock, 2));
    Value column = arith::MulIOp::create(b, loc, chunk, place.index(kChunk));
    return loadMatrices(b, loc, op.getRight(), row, column, !transposed);
  };
  auto left4 = [&](int64_t group, int64_t k) {
    return MutableArrayRef(operand).slice((group * inner + k) * 4, 4);
  };
  auto acc4 = [&](int64_t group, int64_t pair, int64_t i) {
    return MutableArrayRef(acc).slice(((group * pairs + pair) * 2 + i) * 4, 4);
  };
  if (!op.getSkipZeros()) {
    for (int64_t k = 0; k < inner; ++k)
      for (int64_t pair = 0; pair < pairs; ++pair) {
        SmallVector<Value> matrices = load(k, place.index(pair));
        for (int64_t group = 0; group < groups; ++group)
          for (int64_t i = 0; i < 2; ++i)
            multiplyAdd(b, loc, left4(group, k),
                        ArrayRef(matrices).slice(2 * i, 2),
                        acc4(group, pair, i), element);
      }
  } else {
    // A block of the product at a time, and code for one: of the accumulator,
    // which has no addresses, each iteration takes the first and puts it last.
    PairCases cases(b, loc, element);
    Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
    auto loop = scf::ForOp::create(b, loc, place.index(0), place.index(pairs),
                                   place.index(1), acc);
    keepRolled(loop);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    acc = SmallVector<Value>(loop.getRegionIterArgs());
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t i = 0; i < 2; ++i) {
        SmallVector<Value> digits(4, zero);
        for (int64_t k = 0; k < inner; ++k) {
          SmallVector<Value> matrices = load(k, loop.getInductionVar());
          SmallVector<Value> finite, special, taken;
          for (Value packed : ArrayRef(matrices).slice(2 * i, 2)) {
            finite.push_back(cases.getFinite(packed));
            special.push_back(cases.getSpecial(packed));
          }
          for (Value packed : left4(group, k))
            taken.push_back(cases.getTaken(packed));
          multiplyAdd(b, loc, left4(group, k), finite, acc4(group, 0, i),
                      element);
          multiplyAdd(b, loc, taken, special, digits, element);
        }
        for (auto [sum, digit] : llvm::zip(acc4(group, 0, i), digits))
          sum = cases.addSpecial(sum, digit);
      }
    for (int64_t group = 0; group < groups; ++group) {
      auto *first = acc.begin() + group * pairs * 8;
      std::rotate(first, first + 8, first + pairs * 8);
    }
    scf::YieldOp::create(b, loc, acc);
    acc = SmallVector<Value>(loop.getResults());
  }
  b.replaceOpWithMultiple(op, {ValueRange(acc)});
  return success();
}

//===----------------------------------------------------------------------===//
// store
//===----------------------------------------------------------------------===//

/// One value for each row, by the first of its four threads.
static void storeRows(OpBuilder &b, Location loc, TileType tile,
                      ValueRange registers, Value dest) {
  ThreadPlace place(b, loc);
  Value size = memref::DimOp::create(b, loc, dest, 0);
  Value firstOfGroup = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             place.inGroup, place.index(0));
  for (auto [row, value] : llvm::zip_equal(place.rows(tile), registers)) {
    Value inside =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, row, size);
    Value mine = arith::AndIOp::create(b, loc, inside, firstOfGroup);
    auto guard = scf::IfOp::create(b, loc, mine);
    OpBuilder::InsertionGuard inserted(b);
    b.setInsertionPointToStart(guard.thenBlock());
    memref::StoreOp::create(b, loc, value, dest, row);
  }
}

LogicalResult
ConvertStore::matchAndRewrite(StoreOp op, OneToNOpAdaptor adaptor,
                              ConversionPatternRewriter &b) const {
  Location loc = op.getLoc();
  TileType tile = op.getSource().getType();
  SmallVector<Value> registers(adaptor.getSource());
  Type element = getElementTypeOrSelf(op.getDest().getType());
  if (tile.isRow()) {
    storeRows(b, loc, tile, registers, op.getDest());
    b.eraseOp(op);
    return success();
  }
  if (element != tile.getElementType())
    for (Value &value : registers)
      value = arith::TruncFOp::create(b, loc, element, value);
  int64_t bytes = 2 * element.getIntOrFloatBitWidth() / 8;
  GlobalMatrix dest(b, loc, op.getDest(), bytes);
  ThreadPlace place(b, loc);
  SmallVector<Value> rows = place.rows(tile), columns = place.columns(tile);
  int64_t staticColumns =
      cast<ShapedType>(op.getDest().getType()).getDimSize(1);
  // Pairs of neighbours are in a row together where their number is even.
  Value pairs = dest.aligned;
  Value even = arith::RemUIOp::create(b, loc, dest.sizes[1], place.index(2));
  even = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, even,
                               place.index(0));
  pairs = arith::AndIOp::create(b, loc, pairs, even);
  auto choice = scf::IfOp::create(b, loc, pairs, /*else=*/true);
  auto within = [&](ElementPlace at) -> Value {
    Value row = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                      rows[at.row], dest.sizes[0]);
    if (staticColumns == tile.getColumns())
      return row;
    Value column = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                         columns[at.column], dest.sizes[1]);
    return arith::AndIOp::create(b, loc, row, column);
  };
  OpBuilder::InsertionGuard inserted(b);
  b.setInsertionPointToStart(choice.thenBlock());
  Value dense = dest.getDense();
  for (size_t i = 0; i < registers.size(); i += 2) {
    ElementPlace at = getPlace(tile, i);
    auto guard = scf::IfOp::create(b, loc, within(at));
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(guard.thenBlock());
    Value pair = vector::FromElementsOp::create(
        b, loc, VectorType::get({2}, element),
        ValueRange{registers[i], registers[i + 1]});
    vector::StoreOp::create(b, loc, pair, dense,
                            ValueRange{rows[at.row], columns[at.column]});
  }
  b.setInsertionPointToStart(choice.elseBlock());
  for (auto [i, value] : llvm::enumerate(registers)) {
    ElementPlace at = getPlace(tile, i);
    auto guard = scf::IfOp::create(b, loc, within(at));
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(guard.thenBlock());
    memref::StoreOp::create(b, loc, value, op.getDest(),
                            ValueRange{rows[at.row], columns[at.column]});
  }
  b.eraseOp(op);
  return success();
}

void lattn::fragment::populateFragmentMemoryPatterns(
    TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertCopy, ConvertLoad, ConvertMultiply, ConvertStore>(
      converter, patterns.getContext());
}

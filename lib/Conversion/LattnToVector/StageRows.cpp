//===- StageRows.cpp - Keys and values as rows of unit stride -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageRows.h"
#include "Lowering.h"
#include "RowKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

/// `tile` with its base, offset and strides taken apart.
static memref::ExtractStridedMetadataOp getMetadata(KernelBuilder &k,
                                                    Value tile) {
  return memref::ExtractStridedMetadataOp::create(k.b, k.loc, tile);
}

/// Copies `tile` to the first rows of `target`, widened.
static void copyRows(KernelBuilder &k, Value tile, Value target, bool unit) {
  auto type = cast<MemRefType>(tile.getType());
  Type element = cast<MemRefType>(target.getType()).getElementType();
  auto vector = VectorType::get(k.lanes, element);
  int64_t width = type.getDimSize(1);
  Value rows = memref::DimOp::create(k.b, k.loc, tile, k.index(0));
  Value columns = k.b.createOrFold<memref::DimOp>(k.loc, tile, 1);
  bool isKnown = ShapedType::isStatic(width);
  int64_t vectors = unit && isKnown ? width / k.lanes * k.lanes : 0;
  k.forEach(k.index(0), rows, 1, [&](Value row) {
    if (vectors)
      k.forEach(k.index(0), k.index(vectors), k.lanes, [&](Value at) {
        Value x = k.load(tile, {row, at});
        k.store(convertFloat(k, x, vector), target, {row, at});
      });
    if (vectors == width)
      return;
    k.forEach(k.index(vectors), columns, 1, [&](Value at) {
      Value x = convertFloat(k, k.loadScalar(tile, {row, at}), element);
      memref::StoreOp::create(k.b, k.loc, x, target, ValueRange{row, at});
    });
  });
}

/// Rows whose number and strides their type does not tell.
static Value castToAnyRows(KernelBuilder &k, Value rows) {
  auto type = cast<MemRefType>(rows.getType());
  int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(k.b.getContext(), any, {any, any});
  auto anyRows =
      MemRefType::get({any, type.getDimSize(1)}, type.getElementType(), layout,
                      type.getMemorySpace());
  return k.b.createOrFold<memref::CastOp>(k.loc, anyRows, rows);
}

/// `rows` as a type of any number of rows with `layout`.
static Value asAnyNumber(KernelBuilder &k, Value rows,
                         MemRefLayoutAttrInterface layout) {
  auto type = cast<MemRefType>(rows.getType());
  auto any =
      MemRefType::get({ShapedType::kDynamic, type.getDimSize(1)},
                      type.getElementType(), layout, type.getMemorySpace());
  return k.b.createOrFold<memref::CastOp>(k.loc, any, rows);
}

Value lattn::asAnyNumber(KernelBuilder &k, Value rows) {
  return ::asAnyNumber(k, rows, cast<MemRefType>(rows.getType()).getLayout());
}

Value lattn::asAnyDistance(KernelBuilder &k, Value rows) {
  int64_t any = ShapedType::kDynamic;
  return ::asAnyNumber(k, rows,
                       StridedLayoutAttr::get(k.b.getContext(), any, {any, 1}));
}

/// Calls a function that copies rows to scratch: shared by all of such types,
/// as it is the rare case or, for narrow types, one call among much work.
static void callCopy(KernelBuilder &k, KernelFunctions &functions, Value from,
                     Value to) {
  from = castToAnyRows(k, from);
  to = castToAnyRows(k, to);
  auto type = cast<MemRefType>(from.getType());
  std::string name =
      llvm::formatv("lattn_copy_rows_{0}_{1}_{2}", type.getElementType(),
                    cast<MemRefType>(to.getType()).getElementType(),
                    ShapedType::isDynamic(type.getDimSize(1))
                        ? "any"
                        : std::to_string(type.getDimSize(1)));
  func::FuncOp function = functions.getOrCreate(
      k.loc, name, {from.getType(), to.getType()},
      [&](OpBuilder &b, ValueRange arguments) {
        KernelBuilder inner(b, k.loc, k.element, k.lanes);
        Value from = arguments[0], to = asUnitStride(inner, arguments[1]);
        inner.ifThenElse(
            hasUnitStride(inner, from),
            [&] { copyRows(inner, asUnitStride(inner, from), to, true); },
            [&] { copyRows(inner, from, to, false); });
      });
  func::CallOp::create(k.b, k.loc, function, ValueRange{from, to});
}

/// Whether rows, `axis` counting them, can be read where they lie: dense, and
/// not a multiple of 4 KiB apart.
static Value isReadInPlace(KernelBuilder &k, Value rows, unsigned axis) {
  auto strides = getMetadata(k, rows).getStrides();
  Value unit = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                     strides.back(), k.index(1));
  unsigned bits =
      cast<MemRefType>(rows.getType()).getElementType().getIntOrFloatBitWidth();
  Value remainder = arith::RemUIOp::create(k.b, k.loc, strides[axis],
                                           k.index(4096 * 8 / bits));
  Value apart = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ne,
                                      remainder, k.index(0));
  return arith::AndIOp::create(k.b, k.loc, unit, apart);
}

/// Rows without gaps, as a type that says so.
static Value asDenseRows(KernelBuilder &k, Value rows) {
  auto type = cast<MemRefType>(rows.getType());
  int64_t width = type.getDimSize(1);
  memref::ExtractStridedMetadataOp metadata = getMetadata(k, rows);
  auto layout = StridedLayoutAttr::get(k.b.getContext(), ShapedType::kDynamic,
                                       {width, 1});
  return memref::ReinterpretCastOp::create(
      k.b, k.loc,
      MemRefType::get(type.getShape(), type.getElementType(), layout),
      metadata.getBaseBuffer(), OpFoldResult(metadata.getOffset()),
      memref::getMixedSizes(k.b, k.loc, rows),
      {k.b.getIndexAttr(width), k.b.getIndexAttr(1)});
}

/// Whether the type of `rows` says that they have no gaps.
static bool areKnownDense(Value rows) {
  auto type = cast<MemRefType>(rows.getType());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  return strides[0] == type.getDimSize(1) && strides[1] == 1;
}

Value lattn::stageRows(KernelBuilder &k, KernelFunctions &functions, Value tile,
                       int64_t maxRows, Type element, bool anyDistance) {
  auto type = cast<MemRefType>(tile.getType());
  bool isCopied = type.getElementType() != element;
  bool isDense = isCopied || areKnownDense(tile);
  auto finish = [&](Value rows) {
    return isDense ? asDenseRows(k, rows) : asUnitStride(k, rows);
  };
  Value target = k.scratch({maxRows, type.getDimSize(1)}, element);
  auto copy = [&] {
    Value front = memref::SubViewOp::create(
        k.b, k.loc, target, SmallVector<OpFoldResult>(2, k.b.getIndexAttr(0)),
        memref::getMixedSizes(k.b, k.loc, tile),
        SmallVector<OpFoldResult>(2, k.b.getIndexAttr(1)));
    callCopy(k, functions, tile, front);
    return finish(front);
  };
  if (isCopied)
    return copy();
  auto ifOp = scf::IfOp::create(
      k.b, k.loc,
      anyDistance ? hasUnitStride(k, tile) : isReadInPlace(k, tile, 0),
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(k.b, k.loc, finish(tile));
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(k.b, k.loc, copy()); });
  return ifOp.getResult(0);
}

Value lattn::copyLastBlock(KernelBuilder &k, Value rows, Value count,
                           int64_t blockRows, bool repeatsLast) {
  auto type = cast<MemRefType>(rows.getType());
  int64_t width = type.getDimSize(1);
  auto vector = VectorType::get(k.lanes, type.getElementType());
  Value copy = k.scratch({blockRows, width}, type.getElementType());
  Value rest = arith::RemUIOp::create(k.b, k.loc, count, k.index(blockRows));
  Value first = arith::SubIOp::create(k.b, k.loc, count, rest);
  Value last = k.add(count, -1);
  Value isPartial = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ne,
                                          rest, k.index(0));
  k.ifThenElse(isPartial, [&] {
    auto forColumns = [&](function_ref<void(Value, int64_t)> body) {
      for (int64_t at = 0; at < width; at += k.lanes)
        body(k.index(at), std::min(k.lanes, width - at));
    };
    Value end = repeatsLast ? k.index(blockRows) : rest;
    k.forEach(k.index(0), end, 1, [&](Value i) {
      Value from = arith::MinSIOp::create(k.b, k.loc, k.add(first, i), last);
      forColumns([&](Value column, int64_t lanes) {
        Value x = loadFront(k, rows, {from, column}, lanes, vector);
        storeFront(k, x, copy, {i, column}, lanes);
      });
    });
    if (repeatsLast)
      return;
    // What lies there may be denormal numbers, which are slow.
    Value zero = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(vector));
    k.forEach(end, k.index(blockRows), 1, [&](Value i) {
      forColumns([&](Value column, int64_t lanes) {
        storeFront(k, zero, copy, {i, column}, lanes);
      });
    });
  });
  return copy;
}

BlockOfRows lattn::chooseBlock(KernelBuilder &k, Value rows, Value first,
                               Value count, Value lastBlock) {
  auto type = cast<MemRefType>(rows.getType());
  auto copy = cast<MemRefType>(lastBlock.getType());
  OpFoldResult distance = k.b.getIndexAttr(copy.getDimSize(1));
  if (ShapedType::isDynamic(type.getStridesAndOffset().first[0]))
    distance = OpFoldResult(k.index(copy.getDimSize(1)));
  Value cast = memref::ReinterpretCastOp::create(
      k.b, k.loc, type, lastBlock, OpFoldResult(k.index(0)),
      memref::getMixedSizes(k.b, k.loc, rows), {distance, k.b.getIndexAttr(1)});
  Value isPartial =
      arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::sgt,
                            k.add(first, copy.getDimSize(0)), count);
  return {k.select(isPartial, cast, rows),
          k.select(isPartial, k.index(0), first), isPartial};
}

void lattn::clearRows(KernelBuilder &k, Value rows, Value from, Value to) {
  auto type = cast<MemRefType>(rows.getType());
  auto vector = VectorType::get(k.lanes, type.getElementType());
  Value zero = arith::ConstantOp::create(k.b, k.loc, k.b.getZeroAttr(vector));
  k.forEach(from, to, 1, [&](Value row) {
    for (int64_t at = 0; at < type.getDimSize(1); at += k.lanes)
      k.store(zero, rows, {row, k.index(at)});
  });
}

Value lattn::stageSquares(KernelBuilder &k, KernelFunctions &functions,
                          Value tile, int64_t maxRows, int64_t rows,
                          int64_t width) {
  auto type = cast<MemRefType>(tile.getType());
  int64_t paddedWidth = llvm::alignTo(type.getDimSize(1), width);
  int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(k.b.getContext(), any, {any, 1});
  auto anyRows =
      MemRefType::get({any, paddedWidth}, type.getElementType(), layout);
  Value numRows = memref::DimOp::create(k.b, k.loc, tile, 0);
  Value target = k.scratch({int64_t(llvm::alignTo(maxRows, rows)), paddedWidth},
                           type.getElementType());
  auto copy = [&]() -> Value {
    clearRows(k, target, k.index(0), k.alignUp(numRows, rows));
    Value front = memref::SubViewOp::create(
        k.b, k.loc, target, SmallVector<OpFoldResult>(2, k.b.getIndexAttr(0)),
        memref::getMixedSizes(k.b, k.loc, tile),
        SmallVector<OpFoldResult>(2, k.b.getIndexAttr(1)));
    callCopy(k, functions, tile, front);
    return memref::CastOp::create(k.b, k.loc, anyRows, target);
  };
  if (paddedWidth != type.getDimSize(1))
    return copy();
  Value rest = k.b.createOrFold<arith::RemSIOp>(k.loc, numRows, k.index(rows));
  Value whole = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                      rest, k.index(0));
  Value inPlace =
      arith::AndIOp::create(k.b, k.loc, isReadInPlace(k, tile, 0), whole);
  auto ifOp = scf::IfOp::create(
      k.b, k.loc, inPlace,
      [&](OpBuilder &, Location) {
        Value unit = asUnitStride(k, tile);
        scf::YieldOp::create(
            k.b, k.loc,
            memref::CastOp::create(k.b, k.loc, anyRows, unit).getResult());
      },
      [&](OpBuilder &, Location) { scf::YieldOp::create(k.b, k.loc, copy()); });
  return ifOp.getResult(0);
}

DenseRows lattn::findDenseRows(KernelBuilder &k, Value rows) {
  auto type = cast<MemRefType>(rows.getType());
  if (areKnownDense(rows))
    return {};
  Value isDense = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                        getMetadata(k, rows).getStrides()[0],
                                        k.index(type.getDimSize(1)));
  return {asDenseRows(k, rows), isDense};
}

LogicalResult lattn::lowerToVector(StageRowsOp op, Lowering &to) {
  RewriterBase &rewriter = to.rewriter;
  auto input = cast<MemRefType>(op.getInput().getType());
  auto result = cast<MemRefType>(op.getResult().getType());
  if (!cast<MemRefType>(op.getScratch().getType()).isLastDimUnitStride())
    return to.rewriter.notifyMatchFailure(op, "its scratch is not dense");
  rewriter.setInsertionPoint(op);
  Type element = result.getElementType();
  KernelBuilder k(rewriter, op.getLoc(), element, to.unit.getLanes(element));
  unsigned rank = input.getRank(), axis = op.getPositionAxis();
  SmallVector<OpFoldResult> zeros(rank, rewriter.getIndexAttr(0)),
      ones(rank, rewriter.getIndexAttr(1));
  auto copy = [&]() -> Value {
    Value front = memref::SubViewOp::create(
        rewriter, k.loc, op.getScratch(), zeros,
        memref::getMixedSizes(rewriter, k.loc, op.getInput()), ones);
    forEachMatrix(k, op.getInput(), front, axis, [&](Value source, Value dest) {
      callCopy(k, to.functions, source, dest);
    });
    return rewriter.createOrFold<memref::CastOp>(k.loc, result, front);
  };
  if (input.getElementType() != element) {
    rewriter.replaceOp(op, copy());
    return success();
  }
  auto ifOp = scf::IfOp::create(
      rewriter, k.loc, isReadInPlace(k, op.getInput(), axis),
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(
            b, loc, b.createOrFold<memref::CastOp>(loc, result, op.getInput()));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, copy());
      });
  rewriter.replaceOp(op, ifOp);
  return success();
}

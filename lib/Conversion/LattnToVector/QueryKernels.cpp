//===- QueryKernels.cpp - Micro-kernels of pack_query and finalize --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Both transpose between rows of one query and vectors of one coordinate, in
// squares of lanes x lanes.

#include "Lowering.h"
#include "lattn/Target/AMXTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace lattn;

//===----------------------------------------------------------------------===//
// pack_query
//===----------------------------------------------------------------------===//

namespace {
/// Loops in the place of one pack_query.
class PackQueryKernel {
public:
  PackQueryKernel(KernelBuilder &k, PackQueryOp op, VectorUnit unit)
      : k(k), op(op), type(cast<MemRefType>(op.getPacked().getType())),
        width(type.getDimSize(0)), unit(unit) {}
  void build();

private:
  Value countColumns(Value rows);
  /// Columns beyond the last query repeat it: any finite value would do.
  Value rowOf(Value column) {
    return arith::MinSIOp::create(k.b, k.loc, column, lastRow);
  }
  Value scaled(Value vector) {
    vector = convertFloat(k, vector, k.vector);
    return isExact ? vector : k.mul(vector, vectorScale);
  }
  /// A vector of floats in the type of `packed`.
  Value narrow(Value vector);
  void packSquares(Value tile, int64_t end);
  void packScalars(Value tile, int64_t from);

  KernelBuilder &k;
  PackQueryOp op;
  MemRefType type;
  int64_t width;
  VectorUnit unit;
  bool isExact; // nothing is rounded
  Value scale, vectorScale, lastRow, columns;
};
} // namespace

/// Columns of the groups of vectors that hold a query: others are never read.
Value PackQueryKernel::countColumns(Value rows) {
  int64_t columns = type.getDimSize(1), most = columns / k.lanes;
  int64_t vectors =
      chooseAttentionBlock(unit.bits, unit.registers, most).vectors;
  if (type.getElementType().isBF16())
    vectors = std::max(
        vectors, chooseDotGradBlock(unit.bits, unit.registers, most).vectors);
  if (unit.bf16 == BF16Products::AMX)
    vectors = std::max(vectors, AMXTile::chooseBlock(most).vectors);
  int64_t group = k.lanes * vectors;
  Value end = arith::CeilDivUIOp::create(k.b, k.loc, rows, k.index(group));
  end = arith::MulIOp::create(k.b, k.loc, end, k.index(group));
  return arith::MinUIOp::create(k.b, k.loc, end, k.index(columns));
}

/// Rounding bf16 takes many instructions, taking its bits takes two.
Value PackQueryKernel::narrow(Value vector) {
  auto packed = VectorType::get(k.lanes, type.getElementType());
  if (!isExact || !type.getElementType().isBF16())
    return convertFloat(k, vector, packed);
  auto bitsType = VectorType::get(k.lanes, k.b.getI32Type());
  Value half = arith::ConstantOp::create(
      k.b, k.loc, DenseElementsAttr::get(bitsType, k.b.getI32IntegerAttr(16)));
  Value bits = arith::BitcastOp::create(k.b, k.loc, bitsType, vector);
  bits = arith::ShRUIOp::create(k.b, k.loc, bits, half);
  bits = arith::TruncIOp::create(
      k.b, k.loc, VectorType::get(k.lanes, k.b.getI16Type()), bits);
  return arith::BitcastOp::create(k.b, k.loc, packed, bits);
}

/// Whole squares of the coordinates before `end`.
void PackQueryKernel::packSquares(Value tile, int64_t end) {
  k.forEach(k.index(0), columns, k.lanes, [&](Value at) {
    SmallVector<Value> rows;
    for (int64_t i = 0; i < k.lanes; ++i)
      rows.push_back(rowOf(k.add(at, i)));
    k.forEach(k.index(0), k.index(end), k.lanes, [&](Value d) {
      SmallVector<Value> square;
      for (Value row : rows)
        square.push_back(scaled(k.load(tile, {row, d})));
      for (auto [i, column] : llvm::enumerate(transposeSquare(k, square)))
        k.store(narrow(column), op.getPacked(), {k.add(d, i), at});
    });
  });
}

void PackQueryKernel::packScalars(Value tile, int64_t from) {
  k.forEach(k.index(0), columns, 1, [&](Value column) {
    Value row = rowOf(column);
    k.forEach(k.index(from), k.index(width), 1, [&](Value d) {
      Value x = convertFloat(k, k.loadScalar(tile, {row, d}), k.element);
      x = convertFloat(k, k.mul(x, scale), type.getElementType());
      memref::StoreOp::create(k.b, k.loc, x, op.getPacked(),
                              ValueRange{d, column});
    });
  });
}

void PackQueryKernel::build() {
  Value rows = memref::DimOp::create(k.b, k.loc, op.getQuery(), 0);
  scale = k.scalar(op.getScale().convertToDouble());
  vectorScale = k.splat(scale);
  auto query = cast<MemRefType>(op.getQuery().getType());
  isExact = op.getScale().isExactlyValue(1.0) &&
            query.getElementType() == type.getElementType();
  lastRow = k.add(rows, -1);
  columns = countColumns(rows);
  k.ifThenElse(
      hasUnitStride(k, op.getQuery()),
      [&] {
        Value tile = asUnitStride(k, op.getQuery());
        int64_t whole = width / k.lanes * k.lanes;
        packSquares(tile, whole);
        if (whole < width)
          packScalars(tile, whole);
      },
      [&] { packScalars(op.getQuery(), 0); });
}

LogicalResult lattn::lowerToVector(PackQueryOp op, Lowering &to) {
  auto packed = cast<MemRefType>(op.getPacked().getType());
  Type element = getAccumulatorType(packed);
  if (!memref::isStaticShapeAndContiguousRowMajor(packed) ||
      packed.getDimSize(1) % to.unit.getLanes(element))
    return to.rewriter.notifyMatchFailure(
        op, "packed is no dense array of whole vectors: the query tile must be "
            "a multiple of the vector's lanes");
  to.outline<PackQueryOp>(op, "lattn_pack_query", 0, element,
                          [&](KernelBuilder &k, PackQueryOp copy) {
                            PackQueryKernel(k, copy, to.unit).build();
                          });
  return success();
}

//===----------------------------------------------------------------------===//
// finalize
//===----------------------------------------------------------------------===//

namespace {
class FinalizeKernel {
public:
  FinalizeKernel(KernelBuilder &k, FinalizeOp op)
      : k(k), op(op),
        width(cast<MemRefType>(op.getAcc().getType()).getDimSize(0)),
        columns(cast<MemRefType>(op.getAcc().getType()).getDimSize(1)),
        rows(memref::DimOp::create(k.b, k.loc, op.getOutput(), 0)) {}
  void build();

private:
  /// 1 / sum, 0 where no key was seen; 1 if the state is stored.
  Value getFactor(Value at) {
    if (op.storesState())
      return k.splat(1.0);
    Value sum = k.load(op.getSum(), at), zero = k.splat(0.0);
    Value inverse = arith::DivFOp::create(k.b, k.loc, k.splat(1.0), sum);
    return k.select(k.isEqual(sum, zero), zero, inverse);
  }
  Value getLse(Value at);
  void writeRows();
  void writeSquares(Value output);
  void writeScalars(Value output, int64_t from);

  KernelBuilder &k;
  FinalizeOp op;
  int64_t width, columns;
  Value rows; // of the output: not all columns need to hold a query
};
} // namespace

Value FinalizeKernel::getLse(Value at) {
  Value sum = k.load(op.getSum(), at);
  Value log = math::LogOp::create(k.b, k.loc, sum);
  Value lse = k.plus(k.load(op.getMax(), at), log);
  Value empty = k.isEqual(sum, k.splat(0.0));
  return k.select(empty, k.splat(-INFINITY), lse);
}

/// The log-sum-exp, or max and sum.
void FinalizeKernel::writeRows() {
  SmallVector<Value> sources = {op.getMax(), op.getSum()};
  if (op.getLse()) {
    sources = {k.scratch({columns})};
    k.forEach(k.index(0), rows, k.lanes,
              [&](Value at) { k.store(getLse(at), sources[0], at); });
  }
  k.forEach(k.index(0), rows, 1, [&](Value row) {
    for (auto [source, dest] : llvm::zip(sources, op.getRows()))
      memref::StoreOp::create(k.b, k.loc, k.loadScalar(source, row), dest, row);
  });
}

/// Whole squares of the output, row by row; a row beyond the last is skipped.
void FinalizeKernel::writeSquares(Value output) {
  int64_t whole = width / k.lanes * k.lanes;
  Type element = cast<MemRefType>(output.getType()).getElementType();
  auto vectorType = VectorType::get(k.lanes, element);
  k.forEach(k.index(0), rows, k.lanes, [&](Value at) {
    Value factor = getFactor(at);
    Value full = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::sle,
                                       k.add(at, k.lanes), rows);
    k.forEach(k.index(0), k.index(whole), k.lanes, [&](Value d) {
      SmallVector<Value> square;
      for (int64_t i = 0; i < k.lanes; ++i)
        square.push_back(k.mul(k.load(op.getAcc(), {k.add(d, i), at}), factor));
      SmallVector<Value> lines = transposeSquare(k, square);
      for (Value &line : lines)
        line = convertFloat(k, line, vectorType);
      auto storeAll = [&](bool guarded) {
        for (auto [i, line] : llvm::enumerate(lines)) {
          Value row = k.add(at, i), value = line;
          auto store = [&] { k.store(value, output, {row, d}); };
          if (!guarded) {
            store();
            continue;
          }
          k.ifThenElse(arith::CmpIOp::create(
                           k.b, k.loc, arith::CmpIPredicate::slt, row, rows),
                       store);
        }
      };
      k.ifThenElse(full, [&] { storeAll(false); }, [&] { storeAll(true); });
    });
  });
}

void FinalizeKernel::writeScalars(Value output, int64_t from) {
  Type element = cast<MemRefType>(output.getType()).getElementType();
  Value factors = k.scratch({columns});
  k.forEach(k.index(0), rows, k.lanes,
            [&](Value at) { k.store(getFactor(at), factors, at); });
  k.forEach(k.index(0), rows, 1, [&](Value row) {
    Value factor = k.loadScalar(factors, row);
    k.forEach(k.index(from), k.index(width), 1, [&](Value d) {
      Value x = k.mul(k.loadScalar(op.getAcc(), {d, row}), factor);
      memref::StoreOp::create(k.b, k.loc, convertFloat(k, x, element), output,
                              ValueRange{row, d});
    });
  });
}

void FinalizeKernel::build() {
  if (!op.getRows().empty())
    writeRows();
  k.ifThenElse(
      hasUnitStride(k, op.getOutput()),
      [&] {
        Value output = asUnitStride(k, op.getOutput());
        writeSquares(output);
        if (width % k.lanes)
          writeScalars(output, width / k.lanes * k.lanes);
      },
      [&] { writeScalars(op.getOutput(), 0); });
}

LogicalResult lattn::lowerToVector(FinalizeOp op, Lowering &to) {
  auto acc = cast<MemRefType>(op.getAcc().getType());
  if (acc.getRank() == 2 && op.getValueAxis() == 1 && !acc.isDynamicDim(1) &&
      acc.isLastDimUnitStride())
    return lowerFinalizeRows(op, to);
  if (acc.getRank() != 2 || op.getValueAxis() != 0 ||
      !memref::isStaticShapeAndContiguousRowMajor(acc) ||
      !memref::isStaticShapeAndContiguousRowMajor(
          cast<MemRefType>(op.getMax().getType())) ||
      !memref::isStaticShapeAndContiguousRowMajor(
          cast<MemRefType>(op.getSum().getType())) ||
      acc.getDimSize(1) % to.unit.getLanes(acc.getElementType()))
    return to.rewriter.notifyMatchFailure(
        op, "its state is no dense (value, query) array of whole vectors");
  to.outline<FinalizeOp>(op, "lattn_finalize", 0, acc.getElementType(),
                         [](KernelBuilder &k, FinalizeOp copy) {
                           FinalizeKernel(k, copy).build();
                         });
  return success();
}

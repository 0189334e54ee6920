//===- PackTile.cpp - Copy a tile to or from rows of unit stride ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a kernel reads many times is copied once, so that its vectors are whole
// and its rows do not fall on each other in the caches.

#include "PackTile.h"
#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace lattn;

namespace {
/// Copies `source` to the corner of `target`, converted. What is not in
/// `source` stays as it is.
class TileCopy {
public:
  TileCopy(KernelBuilder &k, Value source, Value target)
      : k(k), source(source), target(target),
        from(cast<MemRefType>(source.getType()).getElementType()),
        to(cast<MemRefType>(target.getType()).getElementType()),
        rows(memref::DimOp::create(k.b, k.loc, source, 0)),
        columns(memref::DimOp::create(k.b, k.loc, source, 1)) {}
  void build(int64_t width);

private:
  Value wholeVectors(Value extent) {
    Value rest = arith::RemUIOp::create(k.b, k.loc, extent, k.index(k.lanes));
    return arith::SubIOp::create(k.b, k.loc, extent, rest);
  }
  Value convert(Value vector) {
    return convertFloat(k, vector, VectorType::get(k.lanes, to));
  }
  void copyScalars(Value firstRow, Value lastRow, Value firstColumn,
                   Value lastColumn);
  void copyRows(Value unitSource, Value unitTarget, int64_t width);
  void copySquares(Value unitSource, Value unitTarget);

  KernelBuilder &k;
  Value source, target;
  Type from, to;
  Value rows, columns;
};
} // namespace

void TileCopy::copyScalars(Value firstRow, Value lastRow, Value firstColumn,
                           Value lastColumn) {
  k.forEach(firstRow, lastRow, 1, [&](Value row) {
    k.forEach(firstColumn, lastColumn, 1, [&](Value at) {
      Value x = convertFloat(k, k.loadScalar(source, {row, at}), to);
      memref::StoreOp::create(k.b, k.loc, x, target, ValueRange{row, at});
    });
  });
}

/// Rows to rows. `width`: how wide most are, in whole vectors.
void TileCopy::copyRows(Value unitSource, Value unitTarget, int64_t width) {
  auto copyVector = [&](Value row, Value at) {
    k.store(convert(k.load(unitSource, {row, at})), unitTarget, {row, at});
  };
  Value zero = k.index(0);
  auto copyAny = [&] {
    Value whole = wholeVectors(columns);
    k.forEach(zero, rows, 1, [&](Value row) {
      k.forEach(zero, whole, k.lanes, [&](Value at) { copyVector(row, at); });
    });
    copyScalars(zero, rows, whole, columns);
  };
  Value usual = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                      columns, k.index(width));
  k.ifThenElse(
      usual,
      [&] {
        k.pairedLoop(rows, {}, [&](Value row, ValueRange) {
          for (int64_t at = 0; at < width; at += k.lanes)
            copyVector(row, k.index(at));
          return SmallVector<Value>();
        });
      },
      copyAny);
}

/// `unitSource` is `source` with rows and columns exchanged.
void TileCopy::copySquares(Value unitSource, Value unitTarget) {
  Value zero = k.index(0);
  Value wholeRows = wholeVectors(rows), wholeColumns = wholeVectors(columns);
  k.forEach(zero, wholeRows, k.lanes, [&](Value row) {
    k.forEach(zero, wholeColumns, k.lanes, [&](Value at) {
      SmallVector<Value> square;
      for (int64_t i = 0; i < k.lanes; ++i)
        square.push_back(convert(k.load(unitSource, {k.add(at, i), row})));
      for (auto [i, line] : llvm::enumerate(transposeSquare(k, square)))
        k.store(line, unitTarget, {k.add(row, i), at});
    });
  });
  copyScalars(zero, wholeRows, wholeColumns, columns);
  copyScalars(wholeRows, rows, zero, columns);
}

void TileCopy::build(int64_t width) {
  auto copyAll = [&] { copyScalars(k.index(0), rows, k.index(0), columns); };
  Value turned = exchangeAxes(k, source);
  auto copyFrom = [&](Value unitTarget) {
    k.ifThenElse(
        hasUnitStride(k, source),
        [&] { copyRows(asUnitStride(k, source), unitTarget, width); },
        [&] {
          k.ifThenElse(
              hasUnitStride(k, turned),
              [&] { copySquares(asUnitStride(k, turned), unitTarget); },
              copyAll);
        });
  };
  k.ifThenElse(
      hasUnitStride(k, target), [&] { copyFrom(asUnitStride(k, target)); },
      copyAll);
}

Value lattn::exchangeAxes(KernelBuilder &k, Value matrix) {
  auto swap =
      AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, k.b.getContext());
  return memref::TransposeOp::create(k.b, k.loc, matrix,
                                     AffineMapAttr::get(swap));
}

Value lattn::castToAnyTile(KernelBuilder &k, Value tile) {
  auto type = cast<MemRefType>(tile.getType());
  int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(k.b.getContext(), any, {any, any});
  auto anyTile = MemRefType::get({any, any}, type.getElementType(), layout,
                                 type.getMemorySpace());
  return k.b.createOrFold<memref::CastOp>(k.loc, anyTile, tile);
}

void lattn::copyTile(KernelBuilder &k, KernelFunctions &functions, Value source,
                     Value target, int64_t width) {
  auto elementOf = [](Value tile) {
    return cast<MemRefType>(tile.getType()).getElementType();
  };
  std::string name = llvm::formatv("lattn_copy_tile_{0}_{1}_{2}",
                                   elementOf(source), elementOf(target), width);
  source = castToAnyTile(k, source);
  target = castToAnyTile(k, target);
  func::FuncOp function = functions.getOrCreate(
      k.loc, name, {source.getType(), target.getType()},
      [&](OpBuilder &b, ValueRange arguments) {
        KernelBuilder inner(b, k.loc, k.element, k.lanes);
        TileCopy(inner, arguments[0], arguments[1]).build(width);
      });
  func::CallOp::create(k.b, k.loc, function, ValueRange{source, target});
}

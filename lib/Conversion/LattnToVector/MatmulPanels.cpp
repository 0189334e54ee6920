//===- MatmulPanels.cpp - What matrix products pack of A and B ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulBuilder.h"

using namespace mlir;
using namespace lattn;

/// `matrix`, whose rows lie one after the other as those of a panel do.
Value MatmulKernel::withPanels(Value matrix) {
  auto type = cast<MemRefType>(matrix.getType());
  int64_t any = ShapedType::kDynamic;
  int64_t width = group * panel;
  auto rows =
      MemRefType::get({any, width}, packed,
                      StridedLayoutAttr::get(k.b.getContext(), any, {width, 1}),
                      type.getMemorySpace());
  auto whole = memref::ExtractStridedMetadataOp::create(k.b, k.loc, matrix);
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, rows, whole.getBaseBuffer(), OpFoldResult(whole.getOffset()),
      SmallVector<OpFoldResult>{extent(matrix, 0), k.b.getIndexAttr(width)},
      SmallVector<OpFoldResult>{k.b.getIndexAttr(width), k.b.getIndexAttr(1)});
}

/// Rows of A with unit stride: where they lie, if they have it.
Value MatmulKernel::getChunkOfA(Value rowsOfA) {
  auto pack = [&] {
    copy(rowsOfA, chunkOfA);
    Value packed = corner(chunkOfA, extent(rowsOfA, 0), extent(rowsOfA, 1));
    return asUnitStride(k, castToAnyTile(k, packed));
  };
  if (getElement(rowsOfA) != packed)
    return pack();
  return choose(
      hasUnitStride(k, rowsOfA), [&] { return asUnitStride(k, rowsOfA); },
      pack);
}

/// Rows of a chunk: where they lie, if they are a whole register block.
Value MatmulKernel::getPackedA(Value rowsOfA) {
  return choose(
      isEqual(extent(rowsOfA, 0), block.rows),
      [&] { return asUnitStride(k, rowsOfA); },
      [&] {
        copy(rowsOfA, packedA);
        Value packed =
            corner(packedA, k.b.getIndexAttr(block.rows), extent(rowsOfA, 1));
        return asUnitStride(k, castToAnyTile(k, packed));
      });
}

/// Panels of B: as they lie, where that is one with the columns of a register
/// block, its rows one after the other.
Value MatmulKernel::getPanels(Value columnsOfB) {
  auto pack = [&] {
    packPanels(columnsOfB);
    return withPanels(packedB);
  };
  if (pairs) {
    packPairs(columnsOfB);
    return withPanels(packedB);
  }
  if (getElement(columnsOfB) != packed)
    return pack();
  auto whole = memref::ExtractStridedMetadataOp::create(k.b, k.loc, columnsOfB);
  Value width = whole.getSizes()[1];
  Value isOne = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ule,
                                      width, k.index(panel));
  Value isPanel = both(
      both(isOne, hasUnitStride(k, columnsOfB)),
      both(isEqual(whole.getStrides()[0], panel), isMultiple(width, narrow)));
  return choose(isPanel, [&] { return withPanels(columnsOfB); }, pack);
}

/// Where rows have unit stride, one after the other through all whole panels:
/// each page is visited once.
void MatmulKernel::packPanels(Value columnsOfB) {
  Value products = extent(columnsOfB, 0), columns = extent(columnsOfB, 1);
  Value zero = k.index(0);
  auto copyPanels = [&](Value from) {
    k.forEach(from, columns, panel, [&](Value j) {
      Value rest = arith::SubIOp::create(k.b, k.loc, columns, j);
      Value width = arith::MinSIOp::create(k.b, k.loc, rest, k.index(panel));
      copy(slice(columnsOfB, zero, j, products, width),
           slice(packedB, getPanel(j), zero, products, width));
    });
  };
  k.ifThenElse(
      hasUnitStride(k, columnsOfB),
      [&] {
        Value rows = asUnitStride(k, columnsOfB);
        Value whole = arith::SubIOp::create(
            k.b, k.loc, columns,
            arith::RemUIOp::create(k.b, k.loc, columns, k.index(panel)));
        k.forEach(zero, products, 1, [&](Value p) {
          k.forEach(zero, whole, panel, [&](Value j) {
            Value row = k.add(getPanel(j), p);
            for (int64_t at = 0; at < panel; at += k.lanes) {
              Value vector = k.load(rows, {p, k.add(j, at)});
              k.store(convertFloat(k, vector, k.vector), packedB,
                      {row, k.index(at)});
            }
          });
        });
        copyPanels(whole);
      },
      [&] { copyPanels(zero); });
}

/// The same in pairs of products, a few rows at a time: of a page each, which
/// stays known through all panels. What does not lie in rows is copied first.
void MatmulKernel::packPairs(Value columnsOfB) {
  int64_t any = ShapedType::kDynamic;
  auto type =
      MemRefType::get({any, panel}, packed,
                      StridedLayoutAttr::get(k.b.getContext(), any, {any, 1}));
  auto cast = [&](Value rows) -> Value {
    return memref::CastOp::create(k.b, k.loc, type, rows);
  };
  OpFoldResult zero = k.b.getIndexAttr(0), all = k.b.getIndexAttr(panel);
  blocks(extent(columnsOfB, 0), squareRows, [&](Value p, Value products) {
    blocks(extent(columnsOfB, 1), panel, [&](Value j, Value width) {
      Value part = slice(columnsOfB, p, j, products, width);
      Value rows = choose(
          both(hasUnitStride(k, part), isEqual(width, panel)),
          [&] { return cast(asUnitStride(k, part)); },
          [&] {
            copy(part, corner(square, products, width));
            return cast(corner(square, products, all));
          });
      Value row = k.b.createOrFold<arith::DivUIOp>(k.loc, p, k.index(group));
      pairs->packValues(rows, products,
                        slice(packedB, k.add(getPanel(j), row), zero,
                              k.b.getIndexAttr(squareRows / group),
                              k.b.getIndexAttr(group * panel)));
    });
  });
}

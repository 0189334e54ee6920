//===- StageRows.cpp - Keys and values as rows of unit stride===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace lattn;

/// `tile` with its base, offset and strides taken apart.
static memref::ExtractStridedMetadataOp getMetadata(KernelBuilder &k,
                                                    Value tile) {
  return memref::ExtractStridedMetadataOp::create(k.b, k.loc, tile);
}

/// The same rows, typed as rows of unit stride.
static Value castToUnitStride(KernelBuilder &k, Value tile) {
  auto metadata = getMetadata(k, tile);
  auto type = cast<MemRefType>(tile.getType());
  auto layout = StridedLayoutAttr::get(k.b.getContext(), ShapedType::kDynamic,
                                       {ShapedType::kDynamic, 1});
  auto rows = MemRefType::get(type.getShape(), type.getElementType(), layout,
                              type.getMemorySpace());
  OpFoldResult extent = type.isDynamicDim(0)
                            ? OpFoldResult(metadata.getSizes()[0])
                            : k.b.getIndexAttr(type.getDimSize(0));
  SmallVector<OpFoldResult> sizes = {extent,
                                     k.b.getIndexAttr(type.getDimSize(1))};
  SmallVector<OpFoldResult> strides = {metadata.getStrides()[0],
                                       k.b.getIndexAttr(1)};
  return memref::ReinterpretCastOp::create(
      k.b, k.loc, rows, metadata.getBaseBuffer(),
      OpFoldResult(metadata.getOffset()), sizes, strides);
}

static Value widen(KernelBuilder &k, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(k.b, k.loc, type, value);
}

/// Copies `tile` to the first rows of `target`, widened.
static void copyRows(KernelBuilder &k, Value tile, Value target, bool unit) {
  auto type = cast<MemRefType>(tile.getType());
  int64_t width = type.getDimSize(1);
  Value rows = memref::DimOp::create(k.b, k.loc, tile, 0);
  int64_t vectors = unit ? width / k.lanes * k.lanes : 0;
  k.loop(k.index(0), rows, 1, {}, [&](Value row, ValueRange) {
    if (vectors)
      k.loop(k.index(0), k.index(vectors), k.lanes, {},
             [&](Value at, ValueRange) {
               Value x = k.load(tile, {row, at});
               k.store(widen(k, x, k.vector), target, {row, at});
               return SmallVector<Value>();
             });
    k.loop(k.index(vectors), k.index(width), 1, {}, [&](Value at, ValueRange) {
      Value x = widen(k, k.loadScalar(tile, {row, at}), k.element);
      memref::StoreOp::create(k.b, k.loc, x, target, ValueRange{row, at});
      return SmallVector<Value>();
    });
    return SmallVector<Value>();
  });
}

Value lattn::stageRows(KernelBuilder &k, Operation *user, Value tile,
                       int64_t maxRows, StringRef name) {
  auto type = cast<MemRefType>(tile.getType());
  auto metadata = getMetadata(k, tile);
  Value rowStride = metadata.getStrides()[0];
  Value unit = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::eq,
                                     metadata.getStrides()[1], k.index(1));
  Value target = k.scratch(user, name, {maxRows, type.getDimSize(1)});
  Value staged = memref::SubViewOp::create(
      k.b, k.loc, target,
      SmallVector<OpFoldResult>(2, k.b.getIndexAttr(0)),
      memref::getMixedSizes(k.b, k.loc, tile),
      SmallVector<OpFoldResult>(2, k.b.getIndexAttr(1)));
  auto copy = [&] {
    k.ifThenElse(
        unit,
        [&] { copyRows(k, castToUnitStride(k, tile), target, /*unit=*/true); },
        [&] { copyRows(k, tile, target, /*unit=*/false); });
  };
  if (type.getElementType() != k.element) {
    copy();
    return castToUnitStride(k, staged);
  }
  int64_t alias = 4096 / (k.element.getIntOrFloatBitWidth() / 8);
  Value remainder = arith::RemUIOp::create(k.b, k.loc, rowStride, k.index(alias));
  Value aliases = arith::CmpIOp::create(k.b, k.loc, arith::CmpIPredicate::ne,
                                        remainder, k.index(0));
  Value inPlace = arith::AndIOp::create(k.b, k.loc, unit, aliases);
  auto ifOp = scf::IfOp::create(
      k.b, k.loc, inPlace,
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(k.b, k.loc, castToUnitStride(k, tile));
      },
      [&](OpBuilder &, Location) {
        copy();
        scf::YieldOp::create(k.b, k.loc, castToUnitStride(k, staged));
      });
  return ifOp.getResult(0);
}

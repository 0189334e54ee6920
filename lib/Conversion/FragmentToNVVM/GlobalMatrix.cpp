//===- GlobalMatrix.cpp - A matrix in global memory -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMatrix.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace lattn::fragment;

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

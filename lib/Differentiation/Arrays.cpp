//===- Arrays.cpp - Zeros, sums and types of arrays -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Differentiation/Differentiation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

FloatType lattn::getAccumulatorElement(Type type) {
  if (type.getIntOrFloatBitWidth() >= 32)
    return cast<FloatType>(type);
  return Float32Type::get(type.getContext());
}

static Value convertFloat(OpBuilder &b, Location loc, Value x, Type type) {
  if (getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth() <
      getElementTypeOrSelf(type).getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, type, x);
  return arith::TruncFOp::create(b, loc, type, x);
}

Value lattn::convertElements(OpBuilder &b, Location loc, Value x, Type type) {
  if (getElementTypeOrSelf(x.getType()) == type)
    return x;
  auto shaped = dyn_cast<ShapedType>(x.getType());
  if (!isa_and_nonnull<RankedTensorType>(shaped))
    return convertFloat(b, loc, x, shaped ? shaped.clone(type) : type);
  Value empty =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, x), type);
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(shaped.getRank()));
  SmallVector<utils::IteratorType> kinds(shaped.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), x, empty, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange elements) {
               linalg::YieldOp::create(
                   nested, loc, convertFloat(nested, loc, elements[0], type));
             })
      .getResult(0);
}

Value lattn::buildSum(OpBuilder &b, Location loc, Value x, Value y) {
  if (!isa<TensorType>(x.getType()))
    return arith::AddFOp::create(b, loc, x, y);
  // Where x is part of a sum, nothing else may read it (Tensors/Sums.cpp).
  Value empty =
      tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, y),
                              getElementTypeOrSelf(x.getType()));
  return linalg::AddOp::create(b, loc, ValueRange{x, y}, empty).getResult(0);
}

Value ArraySlice::read(OpBuilder &b, Location loc, Value array) const {
  return tensor::ExtractSliceOp::create(
      b, loc,
      type.clone(type.getShape(), getElementTypeOrSelf(array.getType())), array,
      offsets, sizes, strides);
}

Value lattn::addToElement(OpBuilder &b, Location loc, Value array,
                          ValueRange indices, Value more) {
  Value old = tensor::ExtractOp::create(b, loc, array, indices);
  Value sum =
      buildSum(b, loc, old, convertElements(b, loc, more, old.getType()));
  return tensor::InsertOp::create(b, loc, sum, array, indices);
}

Value lattn::addToSlice(OpBuilder &b, Location loc, Value array,
                        const ArraySlice &slice, Value more) {
  Value old = slice.read(b, loc, array);
  Value sum = addToAll(b, loc, old, more);
  return tensor::InsertSliceOp::create(b, loc, sum, array, slice.offsets,
                                       slice.sizes, slice.strides);
}

Value lattn::addToAll(OpBuilder &b, Location loc, Value array, Value more) {
  Type element = getElementTypeOrSelf(array.getType());
  return buildSum(b, loc, array, convertElements(b, loc, more, element));
}

Value lattn::buildZeros(OpBuilder &b, Location loc, Value like, Type element) {
  if (!element)
    element = getElementTypeOrSelf(like.getType());
  auto type = dyn_cast<ShapedType>(like.getType());
  if (!isa_and_nonnull<RankedTensorType>(type))
    return arith::ConstantOp::create(
        b, loc, b.getZeroAttr(type ? type.clone(element) : element));
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.0));
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, like), element);
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

//===- QueryKeyDecompose.cpp - rotate_pairs, l2_normalize as linalg ops ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;
using utils::IteratorType;

//===----------------------------------------------------------------------===//
// rotate_pairs
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> RotatePairsOp::decomposeOperation(OpBuilder &b) {
  auto type = dyn_cast<RankedTensorType>(getInput().getType());
  if (!type) {
    emitOpError("decomposes on tensors only");
    return failure();
  }
  Location loc = getLoc();
  MLIRContext *context = getContext();
  unsigned rank = type.getRank();
  int64_t pairs = type.getShape().back() / 2;
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, getInput());
  OpFoldResult rows = sizes[getRowAxis()];
  sizes.back() = b.getIndexAttr(pairs);

  // Both members of the pairs, as strided slices of the rows.
  SmallVector<OpFoldResult> strides(rank, one), offsets[2];
  strides.back() = b.getIndexAttr(getInterleaved() ? 2 : 1);
  for (int64_t member : {0, 1}) {
    offsets[member].assign(rank, zero);
    offsets[member].back() =
        b.getIndexAttr(getInterleaved() ? member : member * pairs);
  }
  SmallVector<Value> ins, outs;
  for (auto &at : offsets)
    ins.push_back(
        tensor::ExtractSliceOp::create(b, loc, getInput(), at, sizes, strides));
  Type element = cast<ShapedType>(getTable().getType()).getElementType();
  auto rowType = RankedTensorType::get(
      {getConstantIntValue(rows).value_or(ShapedType::kDynamic), pairs},
      element);
  for (int64_t sine : {0, 1})
    ins.push_back(tensor::ExtractSliceOp::create(
        b, loc, rowType, getTable(),
        SmallVector<OpFoldResult>{getStart(), b.getIndexAttr(sine), zero},
        SmallVector<OpFoldResult>{rows, one, b.getIndexAttr(pairs)},
        SmallVector<OpFoldResult>(3, one)));
  for (auto &at : offsets)
    outs.push_back(tensor::ExtractSliceOp::create(b, loc, getOutput(), at,
                                                  sizes, strides));

  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      rank, {getRowAxis(), rank - 1}, context);
  SmallVector<AffineMap> maps = {whole, whole, row, row, whole, whole};
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  Type result = cast<ShapedType>(getOutput().getType()).getElementType();
  auto turned = linalg::GenericOp::create(
      b, loc, TypeRange(ValueRange(outs)), ins, outs, maps, kinds,
      [&](OpBuilder &nested, Location, ValueRange args) {
        Value lo = convertFloat(nested, loc, args[0], element);
        Value hi = convertFloat(nested, loc, args[1], element);
        auto multiply = [&](Value x, Value y) -> Value {
          return arith::MulFOp::create(nested, loc, x, y);
        };
        Value first = arith::SubFOp::create(nested, loc, multiply(lo, args[2]),
                                            multiply(hi, args[3]));
        Value second = arith::AddFOp::create(nested, loc, multiply(hi, args[2]),
                                             multiply(lo, args[3]));
        linalg::YieldOp::create(
            nested, loc,
            ValueRange{convertFloat(nested, loc, first, result),
                       convertFloat(nested, loc, second, result)});
      });
  Value output = getOutput();
  for (auto [part, at] : llvm::zip(turned.getResults(), offsets))
    output =
        tensor::InsertSliceOp::create(b, loc, part, output, at, sizes, strides);
  return SmallVector<Value>{output};
}

//===----------------------------------------------------------------------===//
// l2_normalize
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> L2NormalizeOp::decomposeOperation(OpBuilder &b) {
  auto type = dyn_cast<RankedTensorType>(getInput().getType());
  if (!type) {
    emitOpError("decomposes on tensors only");
    return failure();
  }
  Location loc = getLoc();
  MLIRContext *context = getContext();
  unsigned rank = type.getRank();
  FloatType element = getAccumulatorType(type);
  Type result = cast<ShapedType>(getOutput().getType()).getElementType();
  auto constant = [&](OpBuilder &builder, double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(element, value));
  };
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, getInput());
  sizes.pop_back();
  Value empty = tensor::EmptyOp::create(b, loc, sizes, element);
  Value sums =
      linalg::FillOp::create(b, loc, constant(b, 0), empty).getResult(0);
  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap row = whole.dropResult(rank - 1);
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  kinds.back() = IteratorType::reduction;
  sums = linalg::GenericOp::create(
             b, loc, sums.getType(), getInput(), sums,
             ArrayRef<AffineMap>{whole, row}, kinds,
             [&](OpBuilder &nested, Location, ValueRange args) {
               Value x = convertFloat(nested, loc, args[0], element);
               Value square = arith::MulFOp::create(nested, loc, x, x);
               Value sum = arith::AddFOp::create(nested, loc, args[1], square);
               linalg::YieldOp::create(nested, loc, sum);
             })
             .getResult(0);
  kinds.back() = IteratorType::parallel;
  Value output =
      linalg::GenericOp::create(
          b, loc, getOutput().getType(), ValueRange{getInput(), sums},
          getOutput(), ArrayRef<AffineMap>{whole, row, whole}, kinds,
          [&](OpBuilder &nested, Location, ValueRange args) {
            Value x = convertFloat(nested, loc, args[0], element);
            Value norm = math::SqrtOp::create(nested, loc, args[1]);
            Value least = constant(nested, getEps().convertToDouble());
            norm = arith::MaximumFOp::create(nested, loc, norm, least);
            Value y = arith::DivFOp::create(nested, loc, x, norm);
            linalg::YieldOp::create(nested, loc,
                                    convertFloat(nested, loc, y, result));
          })
          .getResult(0);
  return SmallVector<Value>{output};
}

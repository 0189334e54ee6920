//===- QueryKeyDecompose.cpp - rotate_pairs, l2_normalize as linalg ops ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpHelpers.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
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

static int64_t getNumPairs(RotatePairsOp op) {
  return cast<ShapedType>(op.getInput().getType()).getShape().back() / 2;
}

namespace {
/// Both members of the pairs of an array, as strided slices.
struct PairSlices {
  PairSlices(OpBuilder &b, RotatePairsOp op);
  Value extract(OpBuilder &b, Location loc, Value from, int64_t member) {
    return tensor::ExtractSliceOp::create(b, loc, from, offsets[member], sizes,
                                          strides);
  }
  Value insert(OpBuilder &b, Location loc, Value part, Value into,
               int64_t member) {
    return tensor::InsertSliceOp::create(b, loc, part, into, offsets[member],
                                         sizes, strides);
  }
  SmallVector<OpFoldResult> offsets[2], sizes, strides;
};
} // namespace

PairSlices::PairSlices(OpBuilder &b, RotatePairsOp op)
    : sizes(tensor::getMixedSizes(b, op.getLoc(), op.getInput())),
      strides(sizes.size(), b.getIndexAttr(1)) {
  int64_t pairs = getNumPairs(op);
  sizes.back() = b.getIndexAttr(pairs);
  strides.back() = b.getIndexAttr(op.getInterleaved() ? 2 : 1);
  for (int64_t member : {0, 1}) {
    offsets[member].assign(sizes.size(), b.getIndexAttr(0));
    offsets[member].back() =
        b.getIndexAttr(op.getInterleaved() ? member : member * pairs);
  }
}

/// The cosines, or the sines, of the op's rows.
static Value sliceTable(OpBuilder &b, RotatePairsOp op, OpFoldResult rows,
                        bool sine) {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  int64_t pairs = getNumPairs(op);
  auto type = RankedTensorType::get(
      {getConstantIntValue(rows).value_or(ShapedType::kDynamic), pairs},
      getElementTypeOrSelf(op.getTable().getType()));
  return tensor::ExtractSliceOp::create(
      b, op.getLoc(), type, op.getTable(),
      SmallVector<OpFoldResult>{op.getStart(), b.getIndexAttr(sine), zero},
      SmallVector<OpFoldResult>{rows, one, b.getIndexAttr(pairs)},
      SmallVector<OpFoldResult>(3, one));
}

FailureOr<SmallVector<Value>> RotatePairsOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(*this)))
    return failure();
  Location loc = getLoc();
  MLIRContext *context = getContext();
  PairSlices pairs(b, *this);
  unsigned rank = pairs.sizes.size();
  SmallVector<Value> ins, outs;
  for (int64_t member : {0, 1})
    ins.push_back(pairs.extract(b, loc, getInput(), member));
  for (bool sine : {false, true})
    ins.push_back(sliceTable(b, *this, pairs.sizes[getRowAxis()], sine));
  for (int64_t member : {0, 1})
    outs.push_back(pairs.extract(b, loc, getOutput(), member));

  AffineMap whole = AffineMap::getMultiDimIdentityMap(rank, context);
  AffineMap row = AffineMap::getMultiDimMapWithTargets(
      rank, {getRowAxis(), rank - 1}, context);
  SmallVector<AffineMap> maps = {whole, whole, row, row, whole, whole};
  SmallVector<IteratorType> kinds(rank, IteratorType::parallel);
  Type element = getElementTypeOrSelf(getTable().getType());
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
  for (auto [member, part] : llvm::enumerate(turned.getResults()))
    output = pairs.insert(b, loc, part, output, member);
  return SmallVector<Value>{output};
}

//===----------------------------------------------------------------------===//
// l2_normalize
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<Value>> L2NormalizeOp::decomposeOperation(OpBuilder &b) {
  if (failed(requireTensors(*this)))
    return failure();
  auto type = cast<RankedTensorType>(getInput().getType());
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
  sums = buildGeneric(
      b, loc, getInput(), sums, {whole, row},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value x = convertFloat(nested, loc, args[0], element);
        Value square = arith::MulFOp::create(nested, loc, x, x);
        return arith::AddFOp::create(nested, loc, args[1], square);
      },
      /*reduce=*/true);
  return SmallVector<Value>{
      buildGeneric(b, loc, {getInput(), sums}, getOutput(), {whole, row, whole},
                   [&](OpBuilder &nested, ValueRange args) {
                     Value x = convertFloat(nested, loc, args[0], element);
                     Value norm = math::SqrtOp::create(nested, loc, args[1]);
                     Value least = constant(nested, getEps().convertToDouble());
                     norm = arith::MaximumFOp::create(nested, loc, norm, least);
                     Value y = arith::DivFOp::create(nested, loc, x, norm);
                     return convertFloat(nested, loc, y, result);
                   })};
}

//===- RotaryTable.cpp - Tables of rotary position embeddings -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/RotaryTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

SmallVector<double> lattn::getRotaryFrequencies(int64_t dim, double theta) {
  SmallVector<double> frequencies;
  for (int64_t m = 0; m < (dim + 1) / 2; ++m)
    frequencies.push_back(
        static_cast<float>(std::pow(theta, -2.0 * m / double(dim))));
  return frequencies;
}

SmallVector<double> lattn::getXposBases(int64_t dim) {
  SmallVector<double> bases;
  for (int64_t m = 0; m < (dim + 1) / 2; ++m)
    bases.push_back((2.0 * m + 0.4 * dim) / (1.4 * dim));
  return bases;
}

/// base or -base as the op scales up or down; none without xpos. A base of 0
/// gives NaN exponents.
static std::optional<double> getSignedBase(RotaryOp op) {
  std::optional<APFloat> base = op.getXposScaleBase();
  if (!base)
    return std::nullopt;
  double value = base->convertToDouble();
  if (value == 0)
    return std::nan("");
  return op.getDownscale() ? -value : value;
}

DenseElementsAttr lattn::getRotaryTable(RotaryOp op, int64_t rows,
                                        int64_t center) {
  SmallVector<double> frequencies =
      getRotaryFrequencies(op.getDim(), op.getTheta().convertToDouble());
  SmallVector<double> bases = getXposBases(op.getDim());
  std::optional<double> scaleBase = getSignedBase(op);
  int64_t pairs = frequencies.size();
  std::vector<double> table(rows * 2 * pairs);
  for (int64_t p = 0; p < rows; ++p)
    for (int64_t m = 0; m < pairs; ++m) {
      double angle = double(p) * frequencies[m];
      double scale =
          scaleBase ? std::pow(bases[m], double(p - center) / *scaleBase) : 1.0;
      table[(2 * p) * pairs + m] = std::cos(angle) * scale;
      table[(2 * p + 1) * pairs + m] = std::sin(angle) * scale;
    }
  Type element = getAccumulatorType(op.getInput().getType());
  auto type = RankedTensorType::get({rows, 2, pairs}, element);
  if (element.isF64())
    return DenseElementsAttr::get(type, ArrayRef(table));
  std::vector<float> narrow(table.begin(), table.end());
  return DenseElementsAttr::get(type, ArrayRef(narrow));
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

Value lattn::buildRotaryTable(OpBuilder &b, RotaryOp op, OpFoldResult rows,
                              Value start, Value center) {
  Location loc = op.getLoc();
  MLIRContext *context = b.getContext();
  Type f64 = b.getF64Type(), i64 = b.getI64Type();
  FloatType element = getAccumulatorType(op.getInput().getType());
  SmallVector<double> frequencies =
      getRotaryFrequencies(op.getDim(), op.getTheta().convertToDouble());
  SmallVector<double> logs = getXposBases(op.getDim());
  for (double &value : logs)
    value = std::log(value);
  int64_t pairs = frequencies.size();
  std::optional<double> scaleBase = getSignedBase(op);
  auto vector = RankedTensorType::get({pairs}, f64);
  auto constants = [&](ArrayRef<double> values) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(vector, values));
  };
  SmallVector<Value> ins = {constants(frequencies)};
  if (scaleBase)
    ins.push_back(constants(logs));
  AffineMap perPair =
      AffineMap::get(2, 0, getAffineDimExpr(1, context), context);
  SmallVector<AffineMap> maps(ins.size(), perPair);
  maps.push_back(AffineMap::getMultiDimIdentityMap(2, context));
  SmallVector<utils::IteratorType> kinds(2, utils::IteratorType::parallel);

  auto toF64 = [&](OpBuilder &nested, Value index) -> Value {
    index = arith::IndexCastOp::create(nested, loc, i64, index);
    return arith::SIToFPOp::create(nested, loc, f64, index);
  };
  auto entries = [&](bool sine) -> Value {
    Value empty = tensor::EmptyOp::create(
        b, loc, SmallVector<OpFoldResult>{rows, b.getIndexAttr(pairs)},
        element);
    return linalg::GenericOp::create(
               b, loc, empty.getType(), ins, empty, maps, kinds,
               [&](OpBuilder &nested, Location, ValueRange args) {
                 Value row = linalg::IndexOp::create(nested, loc, 0);
                 Value p = arith::AddIOp::create(nested, loc, start, row);
                 Value angle = arith::MulFOp::create(nested, loc,
                                                     toF64(nested, p), args[0]);
                 Value y =
                     sine ? math::SinOp::create(nested, loc, angle).getResult()
                          : math::CosOp::create(nested, loc, angle);
                 if (scaleBase) {
                   Value distance =
                       arith::SubIOp::create(nested, loc, p, center);
                   Value inverse = arith::ConstantOp::create(
                       nested, loc, nested.getF64FloatAttr(1.0 / *scaleBase));
                   Value power = arith::MulFOp::create(
                       nested, loc, toF64(nested, distance), inverse);
                   power = arith::MulFOp::create(nested, loc, power, args[1]);
                   Value scale = math::ExpOp::create(nested, loc, power);
                   y = arith::MulFOp::create(nested, loc, y, scale);
                 }
                 if (element != f64)
                   y = arith::TruncFOp::create(nested, loc, element, y);
                 linalg::YieldOp::create(nested, loc, y);
               })
        .getResult(0);
  };
  Value table = tensor::EmptyOp::create(
      b, loc,
      SmallVector<OpFoldResult>{rows, b.getIndexAttr(2), b.getIndexAttr(pairs)},
      element);
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  for (int64_t sine : {0, 1})
    table = tensor::InsertSliceOp::create(
        b, loc, entries(sine), table,
        SmallVector<OpFoldResult>{zero, b.getIndexAttr(sine), zero},
        SmallVector<OpFoldResult>{rows, one, b.getIndexAttr(pairs)},
        SmallVector<OpFoldResult>(3, one));
  return table;
}

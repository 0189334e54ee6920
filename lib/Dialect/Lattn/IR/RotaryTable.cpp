//===- RotaryTable.cpp - Tables of rotary position embeddings -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/RotaryTable.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
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

/// How far each pair of the op turns from position to position.
static SmallVector<double> getAngles(RotaryOp op) {
  SmallVector<double> angles =
      getRotaryFrequencies(op.getDim(), op.getTheta().convertToDouble());
  if (op.getTransposed())
    for (double &angle : angles)
      angle = -angle;
  return angles;
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
  SmallVector<double> angles = getAngles(op);
  SmallVector<double> bases = getXposBases(op.getDim());
  std::optional<double> scaleBase = getSignedBase(op);
  int64_t pairs = angles.size();
  std::vector<double> table(rows * 2 * pairs);
  for (int64_t p = 0; p < rows; ++p)
    for (int64_t m = 0; m < pairs; ++m) {
      double angle = double(p) * angles[m];
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

namespace {
/// Builds the table of one op.
class TableBuilder {
public:
  /// `start`: the position of the first row; `center`: the one that xpos does
  /// not scale.
  TableBuilder(OpBuilder &b, RotaryOp op, OpFoldResult rows, Value start,
               Value center);
  Value build();

private:
  Value constant(ArrayRef<double> values);
  Value toF64(OpBuilder &nested, Value index);
  /// The factor of xpos at position `p`, from a pair's log base.
  Value getScale(OpBuilder &nested, Value p, Value logBase);
  Value makeEmpty();
  /// The sines, or the cosines, of all rows and pairs.
  Value getEntries(bool sine);
  /// The table of the way back. A program that goes both ways computes the
  /// sines and cosines once, as equal tables become one.
  Value negateSines(Value table);

  OpBuilder &b;
  Location loc;
  FloatType element;
  std::optional<double> scaleBase;
  SmallVector<Value> perPair; // angles and, with xpos, log bases
  int64_t pairs;
  bool isBack;
  OpFoldResult rows;
  Value start, center;
};
} // namespace

TableBuilder::TableBuilder(OpBuilder &b, RotaryOp op, OpFoldResult rows,
                           Value start, Value center)
    : b(b), loc(op.getLoc()),
      element(getAccumulatorType(op.getInput().getType())),
      scaleBase(getSignedBase(op)), isBack(op.getTransposed()), rows(rows),
      start(start), center(center) {
  SmallVector<double> angles =
      getRotaryFrequencies(op.getDim(), op.getTheta().convertToDouble());
  pairs = angles.size();
  perPair = {constant(angles)};
  if (!scaleBase)
    return;
  SmallVector<double> logs = getXposBases(op.getDim());
  for (double &value : logs)
    value = std::log(value);
  perPair.push_back(constant(logs));
}

Value TableBuilder::constant(ArrayRef<double> values) {
  auto type = RankedTensorType::get({pairs}, b.getF64Type());
  return arith::ConstantOp::create(b, loc,
                                   DenseElementsAttr::get(type, values));
}

Value TableBuilder::toF64(OpBuilder &nested, Value index) {
  index = arith::IndexCastOp::create(nested, loc, b.getI64Type(), index);
  return arith::SIToFPOp::create(nested, loc, b.getF64Type(), index);
}

Value TableBuilder::getScale(OpBuilder &nested, Value p, Value logBase) {
  Value distance = arith::SubIOp::create(nested, loc, p, center);
  Value inverse = arith::ConstantOp::create(
      nested, loc, nested.getF64FloatAttr(1.0 / *scaleBase));
  Value power =
      arith::MulFOp::create(nested, loc, toF64(nested, distance), inverse);
  power = arith::MulFOp::create(nested, loc, power, logBase);
  return math::ExpOp::create(nested, loc, power);
}

Value TableBuilder::getEntries(bool sine) {
  Value empty = tensor::EmptyOp::create(
      b, loc, SmallVector<OpFoldResult>{rows, b.getIndexAttr(pairs)}, element);
  AffineMap whole = b.getMultiDimIdentityMap(2);
  SmallVector<AffineMap> maps(perPair.size(), whole.getMinorSubMap(1));
  maps.push_back(whole);
  return buildGeneric(
      b, loc, perPair, empty, maps, [&](OpBuilder &nested, ValueRange args) {
        Value row = linalg::IndexOp::create(nested, loc, 0);
        Value p = arith::AddIOp::create(nested, loc, start, row);
        Value angle =
            arith::MulFOp::create(nested, loc, toF64(nested, p), args[0]);
        Value y = sine ? math::SinOp::create(nested, loc, angle).getResult()
                       : math::CosOp::create(nested, loc, angle);
        if (scaleBase)
          y = arith::MulFOp::create(nested, loc, y,
                                    getScale(nested, p, args[1]));
        if (!element.isF64())
          y = arith::TruncFOp::create(nested, loc, element, y);
        return y;
      });
}

Value TableBuilder::makeEmpty() {
  SmallVector<OpFoldResult> sizes = {rows, b.getIndexAttr(2),
                                     b.getIndexAttr(pairs)};
  return tensor::EmptyOp::create(b, loc, sizes, element);
}

Value TableBuilder::negateSines(Value table) {
  AffineMap whole = b.getMultiDimIdentityMap(3);
  return buildGeneric(b, loc, table, makeEmpty(), {whole, whole},
                      [&](OpBuilder &nested, ValueRange args) -> Value {
                        Value isSine = arith::CmpIOp::create(
                            nested, loc, arith::CmpIPredicate::ne,
                            linalg::IndexOp::create(nested, loc, 1),
                            arith::ConstantIndexOp::create(nested, loc, 0));
                        return arith::SelectOp::create(
                            nested, loc, isSine,
                            arith::NegFOp::create(nested, loc, args[0]),
                            args[0]);
                      });
}

Value TableBuilder::build() {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  OpFoldResult width = b.getIndexAttr(pairs);
  Value table = makeEmpty();
  for (int64_t sine : {0, 1})
    table = tensor::InsertSliceOp::create(
        b, loc, getEntries(sine), table,
        SmallVector<OpFoldResult>{zero, b.getIndexAttr(sine), zero},
        SmallVector<OpFoldResult>{rows, one, width},
        SmallVector<OpFoldResult>(3, one));
  return isBack ? negateSines(table) : table;
}

Value lattn::buildRotaryTable(OpBuilder &b, RotaryOp op, OpFoldResult rows,
                              Value start, Value center) {
  return TableBuilder(b, op, rows, start, center).build();
}

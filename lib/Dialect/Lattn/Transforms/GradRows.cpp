//===- GradRows.cpp - What gradients of attention need of each row --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradTiler.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

/// The tile's log-sum-exps; +inf for padding and for rows without keys, which
/// then contribute nothing.
Value GradTiler::buildLse(Value given, Value count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value all = filled({b.getIndexAttr(sizes.query)}, infinity);
  Value least = constant(-infinity), most = constant(infinity);
  AffineMap row = map({0}, 1);
  Value rows = buildGeneric(
      b, loc, given, takeFront(all, count), {row, row},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value none = arith::CmpFOp::create(
            nested, loc, arith::CmpFPredicate::OEQ, args[0], least);
        return arith::SelectOp::create(nested, loc, none, most, args[0]);
      });
  return putFront(rows, all);
}

/// rowsum(d_output * output) - d_lse, which may be null
Value GradTiler::buildRowSums(Value output, Value dOutput, Value dLse,
                              Value count) {
  Value all = filled({b.getIndexAttr(sizes.query)}, 0.0);
  AffineMap row = map({0}, 1), rowOfTwo = map({0}, 2), matrix = map({0, 1}, 2);
  Value rows = buildGeneric(
      b, loc, {output, dOutput}, takeFront(all, count),
      {matrix, matrix, rowOfTwo},
      [&](OpBuilder &nested, ValueRange args) -> Value {
        Value x = convertFloat(nested, loc, args[0], type);
        Value y = convertFloat(nested, loc, args[1], type);
        Value product = arith::MulFOp::create(nested, loc, x, y);
        return arith::AddFOp::create(nested, loc, args[2], product);
      },
      /*reduce=*/true);
  if (dLse)
    rows = buildGeneric(b, loc, dLse, rows, {row, row},
                        [&](OpBuilder &nested, ValueRange args) -> Value {
                          return arith::SubFOp::create(nested, loc, args[1],
                                                       args[0]);
                        });
  return putFront(rows, all);
}

void GradTiler::packRows(SmallVectorImpl<Value> &rows) {
  if (areRows)
    return;
  Type packed = op.getProducts() == Products::Dot
                    ? getElementTypeOrSelf(rows[0].getType())
                    : type;
  for (Value matrix : {rows[0], rows[1]}) {
    Value empty = tensor::EmptyOp::create(
        b, loc,
        ArrayRef<OpFoldResult>{tensor::getMixedSize(b, loc, matrix, 1),
                               b.getIndexAttr(sizes.query)},
        packed);
    rows.push_back(
        PackQueryOp::create(b, loc, matrix, empty, APFloat(1.0)).getResult(0));
  }
}

/// x * y, and 0 where x is: NaN and Inf of what is hidden do not count.
Value lattn::multiplySeen(OpBuilder &b, Location loc, Value x, Value y) {
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
  Value none =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, zero);
  Value product = arith::MulFOp::create(b, loc, x, y);
  return arith::SelectOp::create(b, loc, none, zero, product);
}

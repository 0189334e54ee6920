//===- TileMath.h - Tiles of attention and maps over them -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_TILEMATH_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_TILEMATH_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace lattn {

/// Builds tiles of `queryRows` rows that `warps` warps hold.
class TileMath {
public:
  /// The largest score so far, where there is none.
  static constexpr double kNoScore = -3.4028234663852886e38; // the lowest f32
  /// Maxima (of exponents of 2) whose softmax is as exact as f32 allows: what
  /// rounding them adds to exponents is at most 1/8.
  static constexpr double kLargestExponent = 4194304; // 2^22

  /// Positions of a step where work is repeated: few, for few registers.
  static constexpr int64_t kRepeatPositions = 16;

  using Body =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

  TileMath(mlir::OpBuilder &b, mlir::Location loc, int64_t warps,
           int64_t queryRows)
      : b(b), loc(loc), f32(b.getF32Type()), warps(warps),
        queryRows(queryRows) {}

  fragment::TileType type(fragment::Part part, int64_t columns,
                          mlir::Type element) {
    llvm::SmallVector<int64_t> shape = {queryRows, columns};
    if (part == fragment::Part::Row)
      shape = {queryRows};
    if (part == fragment::Part::Column)
      shape = {columns};
    auto layout = fragment::MmaAttr::get(b.getContext(), part, warps);
    return fragment::TileType::get(b.getContext(), shape, element, layout);
  }
  fragment::TileType rowType(mlir::Type element) {
    return type(fragment::Part::Row, 1, element);
  }
  fragment::TileType columnType(int64_t columns, mlir::Type element) {
    return type(fragment::Part::Column, columns, element);
  }
  /// The type of sums of columns. Only the last step needs the sums of the
  /// other threads.
  fragment::TileType sumType() {
    return type(fragment::Part::Accumulator, 8, f32);
  }
  mlir::Value map(fragment::TileType result, mlir::ValueRange inputs,
                  Body body) {
    return fragment::MapOp::create(b, loc, result, inputs, body);
  }
  mlir::Value constant(mlir::OpBuilder &nested, double value) {
    return mlir::arith::ConstantOp::create(nested, loc,
                                           nested.getF32FloatAttr(value));
  }
  mlir::Value exp2(mlir::OpBuilder &nested, mlir::Value x) {
    return mlir::math::Exp2Op::create(nested, loc, x,
                                      mlir::arith::FastMathFlags::afn);
  }
  mlir::Value fma(mlir::OpBuilder &nested, mlir::Value x, mlir::Value y,
                  mlir::Value z) {
    return mlir::math::FmaOp::create(nested, loc, x, y, z);
  }
  mlir::Value multiply(mlir::OpBuilder &nested, mlir::Value x, double factor) {
    return mlir::arith::MulFOp::create(nested, loc, x,
                                       constant(nested, factor));
  }
  /// `score` * `factor`, but above kNoScore if `score` is finite. Beyond
  /// kLargestExponent any number will do that is not less.
  mlir::Value toExponent(mlir::OpBuilder &nested, mlir::Value score,
                         double factor) {
    mlir::Value exponent = multiply(nested, score, factor);
    if (factor < 0.9) // no score overflows
      return exponent;
    mlir::Value least = fma(nested, score, constant(nested, 0.5),
                            constant(nested, -2 * kLargestExponent));
    return mlir::arith::MaxNumFOp::create(nested, loc, exponent, least);
  }

  /// The smallest positive number of `element` that is a normal one of f32.
  static llvm::APFloat getLeastNumber(mlir::Type element) {
    const llvm::fltSemantics &format =
        llvm::cast<mlir::FloatType>(element).getFloatSemantics();
    return element.isF16() ? llvm::APFloat::getSmallest(format)
                           : llvm::APFloat::getSmallestNormalized(format);
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type f32;

private:
  int64_t warps, queryRows;
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_TILEMATH_H

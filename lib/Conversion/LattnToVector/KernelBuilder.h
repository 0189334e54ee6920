//===- KernelBuilder.h - What the micro-kernels are written with *- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace lattn {

/// Shorthand over a builder, for one element type and vector width.
class KernelBuilder {
public:
  KernelBuilder(mlir::OpBuilder &b, mlir::Location loc, mlir::Type element,
                int64_t lanes)
      : b(b), loc(loc), element(element), lanes(lanes),
        vector(mlir::VectorType::get(lanes, element)) {}

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value lhs, int64_t rhs);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value times(mlir::Value lhs, int64_t rhs);
  /// The next multiple of `unit` from `value`, not negative, on.
  mlir::Value alignUp(mlir::Value value, int64_t unit);
  mlir::Value scalar(double value);
  mlir::Value splat(double value);
  mlir::Value splat(mlir::Value scalar);
  mlir::Value load(mlir::Value memref, mlir::ValueRange at);
  void store(mlir::Value vector, mlir::Value memref, mlir::ValueRange at);
  mlir::Value loadScalar(mlir::Value memref, mlir::ValueRange at);
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z);
  mlir::Value mul(mlir::Value x, mlir::Value y);
  mlir::Value plus(mlir::Value x, mlir::Value y);
  /// The larger, y where one is NaN: a vector maximum of one instruction.
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value isEqual(mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value c, mlir::Value x, mlir::Value y);

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange carried)>;
  /// for (iv = from; iv < to; iv += step), carrying `inits`.
  llvm::SmallVector<mlir::Value> loop(mlir::Value from, mlir::Value to,
                                      int64_t step, mlir::ValueRange inits,
                                      Body body);
  /// The same, carrying nothing.
  void forEach(mlir::Value from, mlir::Value to, int64_t step,
               llvm::function_ref<void(mlir::Value iv)> body);
  /// `extent` iterations, known: unrolled by `unroll`, the rest after the loop.
  llvm::SmallVector<mlir::Value> unrolledLoop(int64_t extent, int64_t unroll,
                                              mlir::ValueRange inits,
                                              Body body);
  /// The same for `extent` iterations not known, two at a time.
  llvm::SmallVector<mlir::Value> pairedLoop(mlir::Value extent,
                                            mlir::ValueRange inits, Body body);
  /// for (iv = 0; iv < extent; iv += step), the rest one at a time: `body` is
  /// told how many.
  using StepBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, int64_t count, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loopBySteps(mlir::Value extent, int64_t step,
                                             mlir::ValueRange inits,
                                             StepBody body);
  void ifThenElse(mlir::Value condition, llvm::function_ref<void()> then,
                  llvm::function_ref<void()> otherwise = {});

  /// Scratch of a known size, on the stack of the enclosing function; of
  /// `type`, if not of `element`.
  mlir::Value scratch(llvm::ArrayRef<int64_t> shape, mlir::Type type = {});

  /// 2^x for x <= 1, to 2.3 ulp (f32; 2.1 with FMA) or 2 ulp (f64); 0 below the
  /// least normal number; NaN stays.
  mlir::Value exp2(mlir::Value x);
  /// The same of several vectors, side by side.
  llvm::SmallVector<mlir::Value> exp2(mlir::ValueRange xs);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type element;
  int64_t lanes;
  mlir::VectorType vector;
};

/// `value`, a scalar or vector of floats, as `type` or a vector of it.
mlir::Value convertFloat(KernelBuilder &k, mlir::Value value, mlir::Type type);

/// Whether the rows of an array have unit stride, as IR; and the array typed as
/// such rows, which it has.
mlir::Value hasUnitStride(KernelBuilder &k, mlir::Value array);
mlir::Value asUnitStride(KernelBuilder &k, mlir::Value array);

/// 0, 1, ... on the lanes, as indices.
mlir::Value laneNumbers(KernelBuilder &k);

/// The first `count` elements from `at` on as `k.element`, then zeros; and such
/// a vector's first `count` lanes to there.
mlir::Value loadFront(KernelBuilder &k, mlir::Value memref, mlir::ValueRange at,
                      int64_t count);
void storeFront(KernelBuilder &k, mlir::Value vector, mlir::Value memref,
                mlir::ValueRange at, int64_t count);

/// The largest of a vector's lanes, which holds no NaN, and their sum, on all
/// lanes.
mlir::Value maxOf(KernelBuilder &k, mlir::Value vector);
mlir::Value sumOf(KernelBuilder &k, mlir::Value vector);
/// Lanes of a unit: those of 128 bits, or all of a shorter vector.
int64_t countUnitLanes(const KernelBuilder &k);
/// The sums of each unit of `unit` lanes of the vectors: a unit of a result has
/// those of as many vectors as it has lanes, one after the other.
llvm::SmallVector<mlir::Value>
sumUnits(KernelBuilder &k, llvm::ArrayRef<mlir::Value> vectors, int64_t unit);
/// The sums of as many vectors as lanes, each on its lane.
mlir::Value sumEach(KernelBuilder &k, llvm::ArrayRef<mlir::Value> vectors);

/// Whether a lane of `vectors` is NaN.
mlir::Value isAnyNaN(KernelBuilder &k, mlir::ValueRange vectors);

/// `sums`, the vectors of `rows` rows, to each of which `addTerm` adds `terms`
/// terms one at a time: one whose weight in a row is 0 takes nothing from what
/// it weighs, not even NaN.
llvm::SmallVector<mlir::Value> sumSkippingZeros(
    KernelBuilder &k, mlir::Value terms, mlir::ValueRange sums, int64_t rows,
    KernelBuilder::Body addTerm,
    llvm::function_ref<mlir::Value(mlir::Value term, int64_t row)> loadWeight);

/// The square of `rows`, whose elements are `unit` lanes each, transposed by
/// log2(rows) rounds of perfect shuffles.
llvm::SmallVector<mlir::Value> transposeSquare(KernelBuilder &k,
                                               llvm::ArrayRef<mlir::Value> rows,
                                               int64_t unit = 1);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H

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
  /// The least multiple of `unit` that is at least `value`, which is not
  /// negative.
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
  /// The larger of x and y, or y if one is NaN: a vector maximum of one
  /// instruction.
  mlir::Value max(mlir::Value x, mlir::Value y);
  mlir::Value isEqual(mlir::Value x, mlir::Value y);
  mlir::Value select(mlir::Value c, mlir::Value x, mlir::Value y);

  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, mlir::ValueRange carried)>;
  /// Builds for (iv = from; iv < to; iv += step), which carries `inits`.
  llvm::SmallVector<mlir::Value> loop(mlir::Value from, mlir::Value to,
                                      int64_t step, mlir::ValueRange inits,
                                      Body body);
  /// Builds such a loop that carries nothing.
  void forEach(mlir::Value from, mlir::Value to, int64_t step,
               llvm::function_ref<void(mlir::Value iv)> body);
  /// `extent` iterations, a known number, unrolled by `unroll`. The rest
  /// follows after the loop.
  llvm::SmallVector<mlir::Value> unrolledLoop(int64_t extent, int64_t unroll,
                                              mlir::ValueRange inits,
                                              Body body);
  /// How often to unroll a loop whose iteration adds `products` with broadcast
  /// operands. 16 of them leave room for the loop's own instructions where they
  /// are of 512 bits: two start each cycle.
  int64_t countUnrolled(int64_t products) const;
  /// `extent` iterations, a number that is not known, two at a time.
  llvm::SmallVector<mlir::Value> pairedLoop(mlir::Value extent,
                                            mlir::ValueRange inits, Body body);
  /// Builds for (iv = 0; iv < extent; iv += step), and the rest one at a time.
  /// `body` gets the number of steps.
  using StepBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value iv, int64_t count, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loopBySteps(mlir::Value extent, int64_t step,
                                             mlir::ValueRange inits,
                                             StepBody body);
  void ifThenElse(mlir::Value condition, llvm::function_ref<void()> then,
                  llvm::function_ref<void()> otherwise = {});
  /// What `then` returns if `condition` holds, else what `otherwise` returns,
  /// values of `types`.
  using Values = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;
  llvm::SmallVector<mlir::Value> choose(mlir::Value condition,
                                        mlir::TypeRange types, Values then,
                                        Values otherwise);

  /// Scratch of a known size on the stack of the enclosing function. Its
  /// elements are of `type`, or of `element` if there is none.
  mlir::Value scratch(llvm::ArrayRef<int64_t> shape, mlir::Type type = {});

  /// 2^x for x <= 1. The error is at most 2.3 ulp for f32 (2.1 with FMA), and 2
  /// ulp for f64. Results below the least normal number are 0; NaN stays.
  mlir::Value exp2(mlir::Value x);
  /// 2^x of several vectors, side by side.
  llvm::SmallVector<mlir::Value> exp2(mlir::ValueRange xs);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type element;
  int64_t lanes;
  mlir::VectorType vector;
};

/// `value`, a scalar or vector of floats, as `type` or a vector of it.
mlir::Value convertFloat(KernelBuilder &k, mlir::Value value, mlir::Type type);

/// Whether the rows of an array have unit stride, as IR; and the array with a
/// type that says so.
mlir::Value hasUnitStride(KernelBuilder &k, mlir::Value array);
mlir::Value asUnitStride(KernelBuilder &k, mlir::Value array);

/// 0, 1, ... on the lanes, as indices.
mlir::Value laneNumbers(KernelBuilder &k);

/// Loads the first `count` elements from `at` on as `type`, or as `k.vector`
/// without it, then zeros; and stores such a vector's first `count` lanes.
mlir::Value loadFront(KernelBuilder &k, mlir::Value memref, mlir::ValueRange at,
                      int64_t count, mlir::VectorType type = {});
void storeFront(KernelBuilder &k, mlir::Value vector, mlir::Value memref,
                mlir::ValueRange at, int64_t count);

/// The largest lane of a vector without NaN, and the sum of its lanes. Both are
/// on all lanes.
mlir::Value maxOf(KernelBuilder &k, mlir::Value vector);
mlir::Value sumOf(KernelBuilder &k, mlir::Value vector);
/// Lanes of a unit: those of 128 bits, or all lanes of a shorter vector.
int64_t countUnitLanes(const KernelBuilder &k);
/// Sums the lanes of each unit of `unit` lanes. A unit of a result has the sums
/// of as many vectors as it has lanes, one after the other.
llvm::SmallVector<mlir::Value>
sumUnits(KernelBuilder &k, llvm::ArrayRef<mlir::Value> vectors, int64_t unit);
/// The sums of as many vectors as there are lanes, each on its own lane.
mlir::Value sumEach(KernelBuilder &k, llvm::ArrayRef<mlir::Value> vectors);

/// Whether a lane of `vectors` is NaN.
mlir::Value isAnyNaN(KernelBuilder &k, mlir::ValueRange vectors);

/// `sums` has the vectors of `rows` rows. `addTerm` adds `terms` terms to each,
/// one at a time. A term whose weight in a row is 0 adds nothing, even if it is
/// NaN.
llvm::SmallVector<mlir::Value> sumSkippingZeros(
    KernelBuilder &k, mlir::Value terms, mlir::ValueRange sums, int64_t rows,
    KernelBuilder::Body addTerm,
    llvm::function_ref<mlir::Value(mlir::Value term, int64_t row)> loadWeight);

/// Transposes the square of `rows`, whose elements are `unit` lanes each, by
/// log2(rows) rounds of perfect shuffles.
llvm::SmallVector<mlir::Value> transposeSquare(KernelBuilder &k,
                                               llvm::ArrayRef<mlir::Value> rows,
                                               int64_t unit = 1);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H

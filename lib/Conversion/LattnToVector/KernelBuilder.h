//===- KernelBuilder.h - What the micro-kernels are written with -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H

#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "lattn/Target/TargetInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace lattn {

/// The vector unit that kernels are made for.
struct VectorUnit {
  int64_t bits, registers;
  BF16Products bf16 = BF16Products::Widened;
  int64_t getLanes(mlir::Type element) const {
    return std::max<int64_t>(1, bits / element.getIntOrFloatBitWidth());
  }
};

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

  /// 2^x for x <= 1, to 2.1 ulp (f32) or 2 ulp (f64) of the result; 0 below the
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

/// The functions that kernels live in: equal ops share one, so that left and
/// right edges are compiled once.
class KernelFunctions {
public:
  explicit KernelFunctions(mlir::ModuleOp module) : symbols(module) {}

  /// Replaces `op` (without results) by a call of a function whose body `lower`
  /// makes of a copy of `op`. `tag` tells apart what the op does not.
  void outline(mlir::RewriterBase &rewriter, mlir::Operation *op,
               llvm::StringRef name, int64_t tag,
               llvm::function_ref<void(mlir::Operation *copy)> lower);

  /// The function `name`, made by `build` (on arguments) if it is not there.
  mlir::func::FuncOp getOrCreate(
      mlir::Location loc, llvm::StringRef name, mlir::TypeRange types,
      llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> build);

  /// A function of the runtime that takes nothing.
  void declare(mlir::Location loc, llvm::StringRef name);

private:
  mlir::func::FuncOp create(mlir::Location loc, llvm::StringRef name,
                            mlir::TypeRange types);

  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::func::FuncOp> kernels; // by what they compute
};

/// `value`, a scalar or vector of floats, as `type` or a vector of it.
mlir::Value convertFloat(KernelBuilder &k, mlir::Value value, mlir::Type type);

/// Whether the rows of a matrix have unit stride, as IR; and the matrix typed
/// as such rows, which it has.
mlir::Value hasUnitStride(KernelBuilder &k, mlir::Value matrix);
mlir::Value asUnitStride(KernelBuilder &k, mlir::Value matrix);

/// The square of `rows` transposed, by log2(lanes) rounds of perfect shuffles.
llvm::SmallVector<mlir::Value>
transposeSquare(KernelBuilder &k, llvm::ArrayRef<mlir::Value> rows);

/// A view of `matrix` with rows and columns exchanged.
mlir::Value exchangeAxes(KernelBuilder &k, mlir::Value matrix);

/// `tile`, a matrix, with sizes and strides that its type does not tell: for
/// functions that all tiles share.
mlir::Value castToAnyTile(KernelBuilder &k, mlir::Value tile);

/// Copies `source` to the corner of `target`, converted. `width`: how wide most
/// tiles are, in whole vectors.
void copyTile(KernelBuilder &k, KernelFunctions &functions, mlir::Value source,
              mlir::Value target, int64_t width);

/// Loops over all axes but `rowAxis` and the last, and hands `body` the
/// matrices (row, element) of input and output there.
void forEachMatrix(
    KernelBuilder &k, mlir::Value input, mlir::Value output, unsigned rowAxis,
    llvm::function_ref<void(mlir::Value input, mlir::Value output)> body);

/// A tile of keys or values as rows of unit stride of `element`: in place where
/// it is that already, else copied to scratch. Also copied where rows lie a
/// multiple of 4 KiB apart and would fall on each other in L1.
mlir::Value stageRows(KernelBuilder &k, KernelFunctions &functions,
                      mlir::Value tile, int64_t maxRows, mlir::Type element);
/// The same for squares of `rows` x `width`: what a tile lacks of the last is
/// 0.
mlir::Value stageSquares(KernelBuilder &k, KernelFunctions &functions,
                         mlir::Value tile, int64_t maxRows, int64_t rows,
                         int64_t width);

/// Rows [from, to), whole vectors each, to 0.
void clearRows(KernelBuilder &k, mlir::Value rows, mlir::Value from,
               mlir::Value to);

mlir::LogicalResult lowerOnlineAttention(mlir::RewriterBase &rewriter,
                                         OnlineAttentionOp op, VectorUnit unit,
                                         KernelFunctions &functions);
mlir::LogicalResult lowerPackQuery(mlir::RewriterBase &rewriter, PackQueryOp op,
                                   VectorUnit unit, KernelFunctions &functions);
mlir::LogicalResult lowerRotatePairs(mlir::RewriterBase &rewriter,
                                     RotatePairsOp op, VectorUnit unit,
                                     KernelFunctions &functions);
mlir::LogicalResult lowerL2Normalize(mlir::RewriterBase &rewriter,
                                     L2NormalizeOp op, VectorUnit unit,
                                     KernelFunctions &functions);
mlir::LogicalResult lowerStageRows(mlir::RewriterBase &rewriter, StageRowsOp op,
                                   VectorUnit unit, KernelFunctions &functions);
mlir::LogicalResult lowerMatmul(mlir::RewriterBase &rewriter,
                                mlir::linalg::LinalgOp op, VectorUnit unit,
                                KernelFunctions &functions);
mlir::LogicalResult lowerFinalize(mlir::RewriterBase &rewriter, FinalizeOp op,
                                  VectorUnit unit, KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELBUILDER_H

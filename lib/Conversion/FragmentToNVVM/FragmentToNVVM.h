//===- FragmentToNVVM.h - Tiles as registers --------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_FRAGMENTTONVVM_FRAGMENTTONVVM_H
#define LATTN_LIB_CONVERSION_FRAGMENTTONVVM_FRAGMENTTONVVM_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace lattn::fragment {

/// An op's operands. For a tile these are the registers that a thread holds.
template <typename OpTy>
using Registers =
    typename OpTy::template GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>>;

/// A conversion pattern made of a function.
template <typename OpTy>
class FunctionPattern : public mlir::OpConversionPattern<OpTy> {
public:
  using Function = llvm::LogicalResult (*)(OpTy, Registers<OpTy>,
                                           mlir::ConversionPatternRewriter &);
  FunctionPattern(mlir::TypeConverter &converter, mlir::MLIRContext *context,
                  Function convert)
      : mlir::OpConversionPattern<OpTy>(converter, context), convert(convert) {}
  llvm::LogicalResult
  matchAndRewrite(OpTy op, Registers<OpTy> operands,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    return convert(op, operands, rewriter);
  }

private:
  Function convert;
};

/// Adds such patterns.
template <typename... OpTys>
void addConversions(
    mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns,
    llvm::LogicalResult (*...convert)(OpTys, Registers<OpTys>,
                                      mlir::ConversionPatternRewriter &)) {
  (patterns.add<FunctionPattern<OpTys>>(converter, patterns.getContext(),
                                        convert),
   ...);
}

/// Which rows and columns of a tile a thread holds.
class ThreadPlace {
public:
  ThreadPlace(mlir::OpBuilder &b, mlir::Location loc);

  /// The rows that it holds elements of, in the order of the tile's getElement.
  llvm::SmallVector<mlir::Value> rows(TileType tile);
  /// The columns, likewise.
  llvm::SmallVector<mlir::Value> columns(TileType tile);
  /// The first row of its warp.
  mlir::Value firstRow(TileType tile);

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value value, int64_t constant);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value warp, lane, group, inGroup;
};

/// Two f32 as an i32 of two `element`s, `low` in the low half.
mlir::Value packPair(mlir::OpBuilder &b, mlir::Location loc, mlir::Value low,
                     mlir::Value high, mlir::Type element);

/// Patterns between accumulators and operands, whose elements are pairs.
void populatePairPatterns(mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// The number of two-byte elements in 16 bytes.
inline constexpr int64_t kChunk = 8;

/// The place of chunk `chunk` (of 16 bytes) of row `row` in a row of shared
/// memory of `chunks` chunks. It puts the same chunk of eight rows into
/// different banks.
mlir::Value swizzle(mlir::OpBuilder &b, mlir::Location loc, mlir::Value row,
                    mlir::Value chunk, int64_t chunks);

/// Patterns of comparisons of columns with bounds. They measure columns from
/// `fragment.thread_column`, which is lowered after them.
void populateColumnBoundPatterns(mlir::RewritePatternSet &patterns);
void lowerThreadColumn(ThreadColumnOp op);

/// Patterns of copies to shared memory.
void populateCopyPatterns(mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Patterns of products by single warps, and of their operands.
void populateProductPatterns(mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

/// How many elements of a tile of i1 a register holds.
inline constexpr int64_t kFlagsOfRegister = 32;

/// i1 as bits of registers.
llvm::SmallVector<mlir::Value> packFlags(mlir::OpBuilder &b, mlir::Location loc,
                                         llvm::ArrayRef<mlir::Value> flags);

/// The elements of a tile that `registers` hold, for one operation.
llvm::SmallVector<mlir::Value> getElements(mlir::OpBuilder &b,
                                           mlir::Location loc, TileType tile,
                                           mlir::ValueRange registers);

/// Patterns of `fragment.load_flags`.
void populateLoadFlagsPatterns(mlir::TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

/// Patterns of `fragment.map_fours`.
void populateMapFoursPatterns(mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns);

/// Patterns of stores to global memory.
void populateStorePatterns(mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);

/// Patterns of math functions that libdevice would compute in f64.
void populateWideMathPatterns(mlir::RewritePatternSet &patterns);

/// exp, exp2 and tanh of f32 by the instruction ex2.approx.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns);

/// Patterns of products by groups of warps.
void populateWarpgroupPatterns(mlir::TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);

/// Replaces `op` by a branch in which each warp takes the side of its role.
void branchByRole(WarpSpecializeOp op);

/// Patterns of the turns that groups of warps take.
void populatePingPongPatterns(mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns);

/// Patterns of stores to TMA tiles of shared memory.
void populateStoreTMATilesPatterns(mlir::TypeConverter &converter,
                                   mlir::RewritePatternSet &patterns);

/// Works on the outermost loops of a persistent kernel's role, which run over
/// query tiles. Each iteration computes anew the values that depend on the
/// thread.
void readThreadForEachTile(mlir::Region &role);

/// Makes a kernel take tensor maps as 128 bytes each, by value.
void passTensorMaps(mlir::gpu::GPUFuncOp kernel);

} // namespace lattn::fragment

#endif // LATTN_LIB_CONVERSION_FRAGMENTTONVVM_FRAGMENTTONVVM_H

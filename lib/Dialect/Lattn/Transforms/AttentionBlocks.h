//===- AttentionBlocks.h - Attention as linalg ops on blocks ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONBLOCKS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONBLOCKS_H

#include "lattn/Dialect/Lattn/IR/Dropout.h"
#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "lattn/Differentiation/Differentiation.h"

namespace lattn {

/// `op` with its log-sum-exp, which the derivatives need.
AttentionOp addLogSumExp(mlir::RewriterBase &rewriter, AttentionOp op);

/// Replaces `op` by attention and loops over blocks of queries. Both have
/// derivatives.
mlir::LogicalResult expandAttentionJvp(mlir::RewriterBase &rewriter,
                                       AttentionJvpOp op);

/// `op` also computes its attention. If a separate attention has the same
/// destinations, erases that one.
void mergeAttentionJvp(mlir::RewriterBase &rewriter, AttentionJvpOp op);

/// Writes attention and its gradients as loops over blocks of queries. The
/// loops' bodies are linalg ops on tensors, with derivatives of any order. For
/// a block they hold rows * keys values; the keys are those that the window
/// shows to some row of the block. Arrays are in the accumulator type.
/// some row of it. Arrays are in the accumulator type.
class AttentionBlocks {
public:
  AttentionBlocks(mlir::OpBuilder &b, AttentionOp op, mlir::Value lse);
  AttentionBlocks(mlir::OpBuilder &b, AttentionGradOp op);

  /// The sums over keys of weight * value and of weights (without the sink),
  /// which are output and 1. lse counts as a constant.
  llvm::SmallVector<mlir::Value> buildSums();
  /// The results of attention_grad.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  buildGradients(AttentionGradOp grad);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  /// An array with axes (batch, head, position, size) in the op's layout, with
  /// 0 in place of elements that are not finite; and the rows (batch, head,
  /// position) that had such elements.
  struct Finite {
    mlir::Value array, isBad;
  };
  /// A block of queries of one head, in local coordinates.
  struct Block {
    mlir::Value batch, head, kvHead, first, firstKey;
    mlir::OpFoldResult rows, keys;
    Coordinates origin; // of its first pair, global
    // (row, key):
    mlir::Value hidden;   // i8; null: nothing is hidden
    mlir::Value products; // query . key; 1 where hidden
    mlir::Value weights, factors /* of dropout, or null */;
    mlir::Value query, key, value;
    mlir::Value isBadValue;
  };

  void initialize(mlir::ValueRange dropoutOperands);
  mlir::Value constant(mlir::OpBuilder &at, double value);
  mlir::Value index(mlir::OpFoldResult value);
  mlir::Value filled(llvm::ArrayRef<mlir::OpFoldResult> shape, double value);
  mlir::AffineMap map(llvm::ArrayRef<unsigned> loops, unsigned count = 2);
  mlir::AffineMap inLayout(llvm::ArrayRef<unsigned> loops, unsigned count = 4);
  static mlir::RankedTensorType
  getSliceType(llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type type);
  /// The block's rows of an array with four axes, and of (batch, head,
  /// position).
  ArraySlice getRows(mlir::Value array, const Block &block, bool ofKeys);
  ArraySlice getVector(mlir::Value array, const Block &block, bool ofKeys);

  Finite makeFinite(mlir::Value array);
  mlir::Value isFinite(mlir::OpBuilder &at, mlir::Value x);
  /// `x` where `isBad` (i8) is 0, else NaN. So results that depend on x are
  /// NaN, too.
  mlir::Value addBad(mlir::OpBuilder &at, mlir::Value x, mlir::Value isBad);

  /// Builds loops over all blocks, which carry `sums`.
  using Body = llvm::function_ref<mlir::LogicalResult(
      Block &block, llvm::MutableArrayRef<mlir::Value> sums)>;
  mlir::FailureOr<Values> buildLoops(mlir::ValueRange sums, Body body);
  Block beginBlock(mlir::ValueRange ivs);
  /// `position` is the position of the batch's first query.
  void buildHidden(Block &block, mlir::Value position);
  void buildProducts(Block &block);
  void buildWeights(Block &block);
  mlir::Value isHidden(mlir::OpBuilder &at, mlir::Value flag);
  Coordinates coordinates(mlir::OpBuilder &at, const Block &block);
  /// x y. Each of them may be transposed first.
  mlir::Value multiply(mlir::Value x, mlir::Value y, bool turnX, bool turnY);
  /// Applies a function to the elements of `ins` for each pair, by the order of
  /// `maps`.
  mlir::Value forPairs(const Block &block, mlir::ValueRange ins,
                       llvm::ArrayRef<mlir::AffineMap> maps, ElementBody body);
  mlir::Value sumRows(mlir::Value pairs, mlir::OpFoldResult rows);
  /// weight * factor. It is NaN if the weight is not 0 and `isBad` of the row
  /// or key.
  mlir::Value buildDropped(const Block &block, mlir::Value isBad,
                           mlir::AffineMap place);

  /// The part of the bias that a block reads, and its place by (row, key).
  std::optional<std::pair<ArraySlice, mlir::AffineMap>>
  sliceBias(const Block &block);

  /// Whether x or y is -inf; and exp(x - y), or 0 if `none`.
  mlir::Value buildIsNone(mlir::OpBuilder &at, mlir::Value x, mlir::Value y);
  mlir::Value buildExp(mlir::OpBuilder &at, mlir::Value none, mlir::Value x,
                       mlir::Value y);
  /// The sinks of this op's heads; and exp(sink - lse) of each row.
  ArraySlice getSinks();
  mlir::Value buildSinkWeights();

  mlir::Value buildRowSums(AttentionGradOp grad, const Finite &dOutput);
  mlir::Value buildSinkGradient(AttentionGradOp grad, mlir::Value rowSums);
  mlir::FailureOr<mlir::Value> buildOfProducts(const Block &block,
                                               mlir::Value ofYielded);
  mlir::Value buildOfYielded(const Block &block, mlir::Value dOutput,
                             mlir::Value isBad, mlir::Value rowSums);
  mlir::LogicalResult addGradients(AttentionGradOp grad, const Finite &dOutput,
                                   mlir::Value rowSums, const Block &block,
                                   llvm::MutableArrayRef<mlir::Value> sums);
  Values getRegionArguments(mlir::OpBuilder &at, mlir::Value product,
                            Coordinates where);
  mlir::LogicalResult addReads(AttentionGradOp grad, const Block &block,
                               mlir::Value ofYielded, bool ofBias,
                               llvm::MutableArrayRef<mlir::Value> sums);
  mlir::Value sumOfBias(mlir::AffineMap place, mlir::Value ofYielded);

  mlir::OpBuilder &b;
  AttentionOpInterface op;
  mlir::Location loc;
  mlir::FloatType type;
  mlir::Value lse, sink;
  bool isBnhd;
  Finite query, key, value;
  mlir::OpFoldResult batches, heads, queries, kvHeads, keys;
  mlir::Value scale, offset, zero, one;
  std::optional<DropoutBuilder> dropout;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONBLOCKS_H

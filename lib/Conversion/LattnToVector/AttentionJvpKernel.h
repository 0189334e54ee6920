//===- AttentionJvpKernel.h - Kernel of attention_jvp_step ---- -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H

#include "AttentionGradProducts.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

namespace lattn {

/// Builds the micro-kernel of attention_jvp_step.
class AttentionJvpKernel : AttentionGradProducts {
public:
  AttentionJvpKernel(KernelBuilder &k, KernelFunctions &functions,
                     AttentionJvpStepOp op, VectorUnit unit, int64_t maxKeys)
      : AttentionGradProducts(
            k, functions, op, unit,
            mlir::cast<mlir::MemRefType>(op.getQuery().getType()).getDimSize(1),
            maxKeys),
        op(op), rowSums(k, functions, unit.registers),
        blocks(chooseTangentBlocks(
            k.lanes, mlir::cast<mlir::MemRefType>(op.getAcc().getType())
                         .getDimSize(1))) {}
  void build();

private:
  bool hasScore() { return !op.getScore().empty(); }
  bool changesProducts() { return op.getDQuery() || op.getDKey(); }
  /// Whether the score region adds tangents of its own.
  bool addsTangents() {
    return hasScore() &&
           !mlir::matchPattern(
               op.getScore().front().getTerminator()->getOperand(2),
               mlir::m_AnyZeroFloat());
  }
  bool changesScores() { return changesProducts() || addsTangents(); }
  Vectors perVector(llvm::function_ref<Value(int64_t v)> build) {
    return llvm::map_to_vector(llvm::seq(block.vectors), build);
  }
  /// Whether a block of scores and a block of their tangents fit in registers.
  bool fitsBoth() {
    return changesProducts() && block.vectors == 1 &&
           unit.registers >= 4 * blocks.keys;
  }
  void multiplyBoth(Value firstKey, bool clamped);
  Vectors addBoth(bool isDense, Values rows, ValueRange sums);
  /// Computes the scores of all keys and their tangents.
  void multiply();
  /// Turns products and their tangents into scores and their tangents.
  void applyScores();
  Vectors maximize(Values max);
  /// Turns scores into weights, and their tangents into tangents of weights
  /// before normalization. Continues both sums from `sums`.
  Vectors exponentiate(Values max, Values sums);
  /// Prepares the weights of a group of vectors of queries for the sums of
  /// rows.
  void weigh();
  void rescale(Value matrix);
  /// Adds the terms of the keys to acc and d_acc.
  void accumulate();
  /// The keys that at least one query of a block sees, and their number.
  std::pair<Value, Value> getSeenKeys(const RowSums::Block &block);
  void accumulateBlock(const RowSums::Block &block);
  Vectors addBothValues(const RowSums::Block &block, Value key, ValueRange sums,
                        bool skipsZeros);

  AttentionJvpStepOp op;
  RowSums rowSums;
  TangentBlocks blocks;
  KeyRows keys, dKeys, values, dValues;
  Value corrections; // factors of the old state, for each query
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H

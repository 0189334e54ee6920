//===- AttentionGradKernel.h - Kernel of attention_grad_step ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H

#include "AttentionGradProducts.h"

namespace lattn {

class AttentionGradKernel : AttentionGradProducts {
public:
  AttentionGradKernel(KernelBuilder &k, KernelFunctions &functions,
                      AttentionGradStepOp op, VectorUnit unit, int64_t maxKeys);
  void build();

private:
  /// Whether scores stay products until `weigh`: a region is long, and pairs
  /// want the products.
  bool isModifiedLate() {
    return !op.getScore().empty() || !op.getPairs().empty();
  }
  /// Scores to weights, and gradients of weights to those of scores.
  void weigh();
  void weighStep(Value firstKey, int64_t count, Values shift, Values rowSums);

  AttentionGradStepOp op;
  double scale;
};

mlir::LogicalResult lowerAttentionGradStep(mlir::RewriterBase &rewriter,
                                           AttentionGradStepOp op,
                                           VectorUnit unit,
                                           KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADKERNEL_H

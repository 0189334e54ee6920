//===- AttentionJvpKernel.h - Kernel of attention_jvp_step ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H

#include "KernelFunctions.h"
#include "VectorUnit.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

mlir::LogicalResult lowerAttentionJvpStep(mlir::RewriterBase &rewriter,
                                          AttentionJvpStepOp op,
                                          VectorUnit unit,
                                          KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONJVPKERNEL_H

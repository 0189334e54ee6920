//===- AttentionGradRows.h - attention_grad_step of few queries -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADROWS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADROWS_H

#include "Lowering.h"

namespace lattn {

/// The form with features on the lanes, whose queries are not packed. Its sums
/// have rows of unit stride and a known size.
mlir::LogicalResult lowerRowGradients(AttentionGradStepOp op, Lowering &to);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ATTENTIONGRADROWS_H

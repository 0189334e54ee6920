//===- GradToFragment.h - Gradients of attention as fragments ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADTOFRAGMENT_H
#define LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADTOFRAGMENT_H

#include "TileMath.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// Converts the tile that `sweep` sums gradients of, in the body of a
/// `scf.forall`, with `warps` warps; 0: one for each 16 rows. Does nothing if
/// the sweep has no `lattn.attention_grad_step`.
mlir::LogicalResult convertGradTile(mlir::OpBuilder &b, SweepKeysOp sweep,
                                    int64_t warps);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOFRAGMENT_GRADTOFRAGMENT_H

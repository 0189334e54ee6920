//===- OnlineAttentionRows.h - online_attention of few queries --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H

#include "KernelFunctions.h"
#include "VectorUnit.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"

namespace lattn {

/// Whether `op`'s tile is of rows: query (q, d), key (k, d), value (k, v), acc
/// (q, v), max and sum (q).
bool isOfRows(OnlineAttentionOp op);

/// Lowers such an op, with features on the lanes.
mlir::LogicalResult lowerRowAttention(mlir::RewriterBase &rewriter,
                                      OnlineAttentionOp op, VectorUnit unit,
                                      KernelFunctions &functions);

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_ONLINEATTENTIONROWS_H

//===- AttentionExtents.h - Extents of query and key -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONEXTENTS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONEXTENTS_H

#include "lattn/Dialect/Lattn/IR/Sequences.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace lattn {

/// The extents of the loops of an attention on tensors, or of its gradient.
struct AttentionExtents {
  template <typename OpTy> AttentionExtents(mlir::OpBuilder &b, OpTy op) {
    auto query = getMixedSizes(b, op.getLoc(), op.getQuery());
    auto key = getMixedSizes(b, op.getLoc(), op.getKey());
    batches = query[0];
    heads = query[op.getHeadAxis()];
    queries = query[op.getPositionAxis()];
    kvHeads = key[op.getHeadAxis()];
    keys = key[op.getPositionAxis()];
  }

  mlir::OpFoldResult batches, heads, kvHeads, queries, keys;
};

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_ATTENTIONEXTENTS_H

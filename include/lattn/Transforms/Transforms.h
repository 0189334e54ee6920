//===- Transforms.h - The passes' work as functions -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TRANSFORMS_TRANSFORMS_H
#define LATTN_TRANSFORMS_TRANSFORMS_H

#include "lattn/Transforms/ReportingRewriter.h"
#include <cstdint>

namespace mlir::linalg {
class LinalgOp;
} // namespace mlir::linalg

namespace lattn {

/// Whether `op` is one matrix product for each batch.
bool isMatmul(mlir::linalg::LinalgOp op);

/// Whether the matmul kernel computes `op`: one product of two matrices for
/// each batch, with floats that it need not narrow. If not, `rewriter` gets the
/// reason.
mlir::LogicalResult matchMatmul(mlir::RewriterBase &rewriter,
                                mlir::linalg::LinalgOp op);

/// Reading the weight bounds products of up to this many rows, so the kernel
/// reads it once, in order.
constexpr int64_t kFewRows = 8;

/// How a matrix product is cut into work items.
struct MatmulTile {
  int64_t rows = 1024, columns = 256; // of a tile, at most
  int64_t shares = 16;                // threads that get equally many tiles
  int64_t rowUnit = 1, columnUnit = 1;
};

/// Replaces `op` by a loop over tiles, each a matrix product for the matmul
/// kernel. If that is not possible, `rewriter` gets the reason.
mlir::LogicalResult tileMatmul(mlir::RewriterBase &rewriter,
                               mlir::linalg::LinalgOp op, MatmulTile sizes);

} // namespace lattn

#endif // LATTN_TRANSFORMS_TRANSFORMS_H

//===- Streams.h - What a step reads from global memory ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_STREAMS_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_STREAMS_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "lattn/Dialect/Lattn/IR/Lattn.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace lattn {

/// The products of a step.
llvm::SmallVector<fragment::MultiplyOp> getMultiplies(SweepKeysOp sweep);

/// Rows of a matrix, or elements of a vector, that each step reads others of.
struct Stream {
  /// What tells streams apart: the matrix that tiles are taken of, else the
  /// step's view.
  mlir::Value source;
  llvm::SmallVector<int64_t> shape;          // of a step's tile
  llvm::SmallVector<mlir::OpOperand *> uses; // in their order

  mlir::Value getView() const { return uses.front()->get(); }
  bool isVector() const { return shape.size() == 1; }
};

/// The right operands of a step's products, left ones that a step loads, and
/// vectors of one number for each position, in the order of their first use.
llvm::SmallVector<Stream> getStreams(SweepKeysOp sweep);

/// What a step does to find `value`, in order: arithmetic and loads. Fails if
/// it does more than that.
mlir::FailureOr<llvm::SetVector<mlir::Operation *>>
findInStep(mlir::Value value, SweepKeysOp sweep);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_STAGESHARED_STREAMS_H

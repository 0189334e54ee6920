//===- SharedSteps.h - What the pipelines have in common --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_PIPELINES_SHAREDSTEPS_H
#define LATTN_LIB_PIPELINES_SHAREDSTEPS_H

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace lattn {

/// Canonicalization and CSE.
void addCleanup(mlir::OpPassManager &pm);

struct ExpansionOptions {
  /// For kernels: rows are rotated and normalised by ops of their own.
  bool gpu = false;
  /// On a CPU, of rotary only what has xpos scales moves into attention, which
  /// bounds them.
  bool xposOnly = false;
  /// On a CPU, blocks of queries stage their keys and values, and decoding has
  /// a branch.
  bool stage = false;
  /// These are staged as they are if of bf16.
  bool keepBF16 = false;
  /// On a CPU, so many queries or fewer have features on the lanes.
  int64_t fewQueries = 0;
};

/// Composite ops -> attention, and linalg ops beside it, on tensors.
void addExpansion(mlir::OpPassManager &pm, const ExpansionOptions &options);

/// tensors -> buffers. Any strides may cross function boundaries. An op that no
/// pass will lower is an error before: bufferization's would not name it.
void addBufferization(mlir::OpPassManager &pm, bool gpu = false);

} // namespace lattn

#endif // LATTN_LIB_PIPELINES_SHAREDSTEPS_H

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
  /// For kernels of a GPU: separate ops rotate and normalise rows.
  bool gpu = false;
  /// On a CPU, fuse only rotations with xpos scales into attention, because
  /// that bounds the scales.
  bool xposOnly = false;
  /// On a CPU, blocks of queries stage their keys and values, and decoding gets
  /// a branch.
  bool stage = false;
  /// Stage keys and values of bf16 as bf16.
  bool keepBF16 = false;
  /// On a CPU, attention of up to this many queries has features on the lanes.
  int64_t fewQueries = 0;
};

/// Views of memrefs -> arithmetic on their sizes and strides.
void addExpandMetadata(mlir::OpPassManager &pm);

/// Composite ops -> attention, and linalg ops beside it, on tensors.
void addExpansion(mlir::OpPassManager &pm, const ExpansionOptions &options);

/// tensors -> buffers. Arrays of any strides may cross function boundaries. If
/// no later pass will lower an op, that is an error here, because
/// bufferization's error would not name it.
void addBufferization(mlir::OpPassManager &pm, bool gpu = false);

} // namespace lattn

#endif // LATTN_LIB_PIPELINES_SHAREDSTEPS_H

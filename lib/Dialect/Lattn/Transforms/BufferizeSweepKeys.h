//===- BufferizeSweepKeys.h - Bufferization of loops over keys --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_LATTN_TRANSFORMS_BUFFERIZESWEEPKEYS_H
#define LATTN_LIB_DIALECT_LATTN_TRANSFORMS_BUFFERIZESWEEPKEYS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace lattn {

/// Attaches the bufferization of lattn.sweep_keys and of its lattn.yield.
void attachSweepKeysBufferization(mlir::MLIRContext *context);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_LATTN_TRANSFORMS_BUFFERIZESWEEPKEYS_H

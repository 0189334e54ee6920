//===- InitAll.h - The only list of what lattn registers --------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_INITALL_H
#define LATTN_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace lattn {

/// lattn's dialects, and the interfaces that they implement for upstream's
/// passes (bufferization).
void registerLattnDialects(mlir::DialectRegistry &registry);

/// Registers these and all upstream dialects and extensions that lattn's
/// pipelines produce or take. A tool that compiles needs all of them.
void registerAllDialects(mlir::DialectRegistry &registry);

/// lattn's passes and pipelines.
void registerLattnPasses();

} // namespace lattn

#endif // LATTN_INITALL_H

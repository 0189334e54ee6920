//===- BufferizableOpInterfaceImpl.h - Bufferization of checks --*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_CHECK_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define LATTN_DIALECT_CHECK_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace lattn::check {

void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace lattn::check

#endif // LATTN_DIALECT_CHECK_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

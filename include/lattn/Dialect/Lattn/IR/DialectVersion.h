//===- DialectVersion.h - The version of the dialect lattn ------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_LATTN_IR_DIALECTVERSION_H
#define LATTN_DIALECT_LATTN_IR_DIALECTVERSION_H

#include "mlir/IR/Dialect.h"

namespace lattn {

/// The version of the dialect that wrote some bytecode. docs/Stability.md says
/// what a version promises.
struct LattnVersion : mlir::DialectVersion {
  LattnVersion(uint64_t major, uint64_t minor) : major(major), minor(minor) {}
  uint64_t major, minor;

  static LattnVersion getCurrent() { return {1, 6}; }
};

} // namespace lattn

#endif // LATTN_DIALECT_LATTN_IR_DIALECTVERSION_H

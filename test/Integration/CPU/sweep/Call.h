//===- Call.h - Compiling a case and calling it with strided arrays -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_CALL_H
#define LATTN_TEST_SWEEP_CALL_H

#include "Module.h"
#include "mlir/IR/BuiltinOps.h"

namespace lattn::sweep {

/// Values of output and, where asked for, of lse; row-major in the types' axes.
struct Results {
  std::vector<double> output, lse;
};

class Compiled {
public:
  static llvm::Expected<Compiled> create(mlir::ModuleOp module, const Case &c,
                                         CompileOptions options);

  /// What the call gives, or what it did that it may not: write to an input or
  /// beside an array, keep memory.
  llvm::Expected<Results> call(const Case &c, std::vector<Argument> &arguments);

private:
  std::unique_ptr<Jit> jit;
  PackedFunction packed = nullptr;
};

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_CALL_H

//===- Emulate.h - AMX and AVX512-BF16 in C++ -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Code for a CPU with AMX, run on any: its instructions on bf16 become calls.

#ifndef LATTN_TEST_SWEEP_EMULATE_H
#define LATTN_TEST_SWEEP_EMULATE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"

namespace lattn::sweep {

/// Replaces such intrinsics in a module in the LLVM dialect. Everything else
/// stays as it is.
void emulateIntrinsics(mlir::ModuleOp module);

/// What the module calls then.
llvm::SmallVector<std::pair<llvm::StringRef, void *>> getEmulation();

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_EMULATE_H

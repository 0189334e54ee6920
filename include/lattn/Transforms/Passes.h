//===- Passes.h - Passes without ops of lattn -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TRANSFORMS_PASSES_H
#define LATTN_TRANSFORMS_PASSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lattn {

#define GEN_PASS_DECL
#include "lattn/Transforms/Passes.h.inc"

/// `lattn-run-where` with the passes that `addPasses` adds to a pipeline on ops
/// named `anchor`. They need not be registered.
std::unique_ptr<mlir::Pass>
createRunWhere(llvm::ArrayRef<llvm::StringRef> ops, llvm::StringRef anchor,
               llvm::function_ref<void(mlir::OpPassManager &)> addPasses);

#define GEN_PASS_REGISTRATION
#include "lattn/Transforms/Passes.h.inc"

} // namespace lattn

#endif // LATTN_TRANSFORMS_PASSES_H

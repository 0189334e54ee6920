//===- Passes.h - Kernels of tiles for GPUs ---------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_H
#define LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_H

#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace lattn {

#define GEN_PASS_DECL
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lattn/Dialect/Fragment/Transforms/Passes.h.inc"

} // namespace lattn

#endif // LATTN_DIALECT_FRAGMENT_TRANSFORMS_PASSES_H

//===- Passes.h - Passes of the check dialect -------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_H
#define LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace lattn::check {

#define GEN_PASS_DECL
#include "lattn/Dialect/Check/Transforms/Passes.h.inc"

/// Replaces `op`, a check on memrefs or scalars, by loops and a conditional
/// call of `lattn_check_report`, which is declared in the enclosing module. On
/// failure the IR stays as it was, and the rewriter's listener gets the reason.
mlir::LogicalResult lowerCheck(mlir::RewriterBase &rewriter,
                               mlir::Operation *op);

#define GEN_PASS_REGISTRATION
#include "lattn/Dialect/Check/Transforms/Passes.h.inc"

} // namespace lattn::check

#endif // LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_H

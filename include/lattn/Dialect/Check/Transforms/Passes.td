//===- Passes.td - Passes of the check dialect -------------*- tablegen -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_TD
#define LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertCheckToLoopsPass
  : Pass<"convert-check-to-loops", "::mlir::ModuleOp"> {
  let summary = "Lower checks on memrefs and scalars to loops and a report";
  let description = [{
    Each check becomes a loop nest that counts the elements that differ and remembers
    the first of them. If there are any, it calls `lattn_check_report`
    (`lattn/Runtime/Check.h`). Tensors must be bufferized before.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

#endif // LATTN_DIALECT_CHECK_TRANSFORMS_PASSES_TD

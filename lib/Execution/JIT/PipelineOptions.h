//===- PipelineOptions.h - A compiler's options as the pipeline's -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_JIT_PIPELINEOPTIONS_H
#define LATTN_LIB_EXECUTION_JIT_PIPELINEOPTIONS_H

#include "lattn/Execution/Program.h"
#include "lattn/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace lattn {

/// A copy of `source` for pipelines. Its arguments have no names, and stay the
/// caller's.
mlir::OwningOpRef<mlir::ModuleOp> prepareModule(mlir::ModuleOp source);

void setPipelineOptions(LattnToLLVMOptions &pipeline,
                        const CompileOptions &options);

/// Adds functions that check the sizes of `source`'s public functions to a
/// module in the LLVM dialect.
mlir::LogicalResult addSizeChecks(mlir::ModuleOp lowered,
                                  mlir::ModuleOp source);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_JIT_PIPELINEOPTIONS_H

//===- LaunchRecord.h - How kernels are launched, as data -------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_LAUNCHRECORD_H
#define LATTN_EXECUTION_LAUNCHRECORD_H

#include "lattn/Execution/Signature.h"
#include "llvm/Support/JSON.h"

namespace lattn {

/// Describes the host's code of functions with kernels, for programs that have
/// no compiler (docs/LaunchRecord.md). `lowered` is a module after
/// buildLattnToNVVMPipeline, `signatures` are those of its functions before. If
/// the host does more than to launch and allocate, that is an error.
llvm::Expected<llvm::json::Array>
describeLaunches(mlir::ModuleOp lowered, llvm::ArrayRef<Signature> signatures);

} // namespace lattn

#endif // LATTN_EXECUTION_LAUNCHRECORD_H

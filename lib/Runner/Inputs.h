//===- Inputs.h - Where an entry's arguments come from ----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_RUNNER_INPUTS_H
#define LATTN_LIB_RUNNER_INPUTS_H

#include "lattn/Runner/Options.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace lattn {

/// All arguments of `signature`, which is that of `entry`, from files or
/// random. Their types are checked.
llvm::Expected<std::vector<NumpyArray>>
collectArguments(const Signature &signature, const RunOptions &options,
                 mlir::func::FuncOp entry);

/// The arrays of an .npz by the names of `values`. With `all`, each of them
/// must be there, and no other. Errors name `place`.
llvm::Expected<std::vector<std::optional<NumpyArray>>>
readByName(llvm::StringRef path, llvm::ArrayRef<ValueInfo> values, bool all);

} // namespace lattn

#endif // LATTN_LIB_RUNNER_INPUTS_H

//===- HostBranches.h - Branches of a GPU's host -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_MAPTOGPU_HOSTBRANCHES_H
#define LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_MAPTOGPU_HOSTBRANCHES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace lattn {

/// The branches of a function's host, inner ones first.
llvm::SmallVector<mlir::scf::IfOp> findBranches(mlir::Operation *root);

/// What reads the condition of a branch; null if it is not in memory.
mlir::memref::LoadOp getCondition(mlir::scf::IfOp op);

/// Whether the host may do it though the branch is not taken.
bool isHarmless(mlir::Operation *op);

} // namespace lattn

#endif // LATTN_LIB_DIALECT_FRAGMENT_TRANSFORMS_MAPTOGPU_HOSTBRANCHES_H

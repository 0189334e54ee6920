//===- Specialized.h - A program with the shapes of one run -----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXPLAIN_SPECIALIZED_H
#define LATTN_EXPLAIN_SPECIALIZED_H

#include "lattn/Execution/NumpyFiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace lattn {

/// A copy of the entry's module with this run's shapes, and without composite
/// ops or calls.
class Specialized {
public:
  Specialized(mlir::func::FuncOp entry, llvm::ArrayRef<NumpyArray> arguments);
  mlir::LogicalResult specialize();
  mlir::func::FuncOp getEntry() { return entry; }
  /// The argument that `value` is, or null.
  const NumpyArray *getArgument(mlir::Value value);

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp entry;
  llvm::ArrayRef<NumpyArray> arguments;
};

} // namespace lattn

#endif // LATTN_EXPLAIN_SPECIALIZED_H

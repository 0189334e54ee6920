//===- KernelFunctions.h - The functions that kernels live in ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELFUNCTIONS_H
#define LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELFUNCTIONS_H

#include "KernelBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace lattn {

/// The functions that contain kernels. Equal ops share one, so left and right
/// edges are compiled once.
class KernelFunctions {
public:
  explicit KernelFunctions(mlir::ModuleOp module) : symbols(module) {}

  /// Replaces `op` (without results) by a call of a function. `lower` makes the
  /// function's body of a copy of `op`. `tag` distinguishes functions whose ops
  /// are equal.
  void outline(mlir::RewriterBase &rewriter, mlir::Operation *op,
               llvm::StringRef name, int64_t tag,
               llvm::function_ref<void(mlir::Operation *copy)> lower);

  /// The function `name`. If it does not exist, `build` builds its body on its
  /// arguments.
  mlir::func::FuncOp getOrCreate(
      mlir::Location loc, llvm::StringRef name, mlir::TypeRange types,
      llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> build);

  /// Calls the function that `build` builds on its arguments. Calls with the
  /// same `name`, types of operands and `form`, which tells bodies apart, share
  /// one.
  void call(KernelBuilder &k, llvm::StringRef name, llvm::StringRef form,
            mlir::ValueRange operands,
            llvm::function_ref<void(KernelBuilder &, mlir::ValueRange)> build);

  /// Declares a function of the runtime without arguments.
  void declare(mlir::Location loc, llvm::StringRef name);

private:
  mlir::func::FuncOp create(mlir::Location loc, llvm::StringRef name,
                            mlir::TypeRange types);

  mlir::SymbolTable symbols;
  llvm::StringMap<mlir::func::FuncOp> kernels; // by what they compute
};

} // namespace lattn

#endif // LATTN_LIB_CONVERSION_LATTNTOVECTOR_KERNELFUNCTIONS_H

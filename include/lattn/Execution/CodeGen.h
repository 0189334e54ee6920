//===- CodeGen.h - From a module to LLVM IR and machine code ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_CODEGEN_H
#define LATTN_EXECUTION_CODEGEN_H

#include "lattn/Execution/Program.h"

namespace mlir {
template <typename> class OwningOpRef;
} // namespace mlir
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace lattn {

/// The names of functions for C are this and the name in the source.
constexpr llvm::StringRef kInterfacePrefix = "_mlir_ciface_";

/// A copy of `source` in the LLVM dialect. Options and errors are those of
/// compileToObject.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
lowerToLLVM(mlir::ModuleOp source, const CompileOptions &options,
            std::string *warnings = nullptr);

/// Some functions for C have a check of sizes. Lets them call it first, and
/// fail by lattn_fail without results.
void guardEntries(llvm::Module &module);

/// A module in the LLVM dialect -> LLVM IR for `machine`, with guarded entries.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVMIR(mlir::ModuleOp module, llvm::LLVMContext &context,
                  const llvm::TargetMachine &machine);

void optimize(llvm::Module &module, llvm::TargetMachine &machine);

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
emitObject(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace lattn

#endif // LATTN_EXECUTION_CODEGEN_H

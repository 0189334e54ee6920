//===- Forms.h - Parts of what lattn-compile writes -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_AHEADOFTIME_FORMS_H
#define LATTN_LIB_AHEADOFTIME_FORMS_H

#include "lattn/AheadOfTime/AheadOfTime.h"
#include "lattn/Pipelines/Pipelines.h"

namespace llvm {
class Module;
} // namespace llvm

namespace lattn {

/// Leaves functions for C as the only ones that others see, and adds what
/// compiled code calls: memory, a loop on one thread, failing; each may be
/// defined otherwise by the program that it is linked with.
llvm::Error prepareForC(llvm::Module &module);

/// A shared library of an object file and lattn's threads; `path` is where it
/// will lie.
llvm::Expected<std::string> linkShared(llvm::StringRef object,
                                       llvm::StringRef path);

/// Reads options of lattn-to-nvvm as its text has them.
llvm::Error readGPUOptions(llvm::StringRef text, LattnToNVVMOptions &options);

/// What is for a GPU, and its launch record, where that is asked for.
struct GPUKernels {
  std::string bytes, launchRecord;
};

/// PTX, or machine code; prints warnings.
llvm::Expected<GPUKernels> compileKernels(mlir::ModuleOp source,
                                          const AheadOfTimeOptions &options,
                                          llvm::ArrayRef<Signature> functions);

/// Whether C may have such a name.
bool isIdentifier(llvm::StringRef name);

/// A C header that declares the functions.
llvm::Expected<std::string> writeHeader(llvm::ArrayRef<Signature> functions);

} // namespace lattn

#endif // LATTN_LIB_AHEADOFTIME_FORMS_H

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

/// Hides all functions but those for C. Adds the functions that compiled code
/// calls: for memory, for a loop on one thread, and for failures. A program
/// that links the code may define each of them in its own way.
llvm::Error prepareForC(llvm::Module &module);

/// Links an object file and lattn's threads to a shared library. `path` is
/// where the library will be.
llvm::Expected<std::string> linkShared(llvm::StringRef object,
                                       llvm::StringRef path);

/// Reads options of lattn-to-nvvm from text.
llvm::Error readGPUOptions(llvm::StringRef text, LattnToNVVMOptions &options);

/// The kernels for a GPU and, if it was asked for, their launch record.
struct GPUKernels {
  std::string bytes, launchRecord;
};

/// Compiles to PTX or machine code, and prints warnings.
llvm::Expected<GPUKernels> compileKernels(mlir::ModuleOp source,
                                          const AheadOfTimeOptions &options,
                                          llvm::ArrayRef<Signature> functions);

/// Whether `name` is allowed as a name in C.
bool isIdentifier(llvm::StringRef name);

/// A C header that declares the functions.
llvm::Expected<std::string> writeHeader(llvm::ArrayRef<Signature> functions);

} // namespace lattn

#endif // LATTN_LIB_AHEADOFTIME_FORMS_H

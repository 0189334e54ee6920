//===- Forms.h - Parts of what lattn-compile writes -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_AHEADOFTIME_FORMS_H
#define LATTN_LIB_AHEADOFTIME_FORMS_H

#include "lattn/Execution/Callable.h"

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

/// PTX for `chip`, assembled where `assemble` says so; prints warnings.
llvm::Expected<std::string> compileKernels(mlir::ModuleOp source,
                                           llvm::StringRef chip, bool assemble);

/// A C header that declares the functions.
llvm::Expected<std::string> writeHeader(llvm::ArrayRef<Signature> functions);

} // namespace lattn

#endif // LATTN_LIB_AHEADOFTIME_FORMS_H

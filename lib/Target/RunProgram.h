//===- RunProgram.h - Other programs and files for them ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_TARGET_RUNPROGRAM_H
#define LATTN_LIB_TARGET_RUNPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"

namespace lattn {

/// A file that is removed at the end of its scope.
struct TemporaryFile {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  /// Creates a new file that holds `bytes`. Its name ends in ".suffix".
  llvm::Error create(llvm::StringRef suffix, llvm::StringRef bytes = {});
  llvm::Expected<std::string> read() const;
};

struct ProgramOutput {
  int status = 0;   // the exit code
  std::string text; // of standard output and standard error
};

/// Runs a program to its end. An error if it does not start, is ended by a
/// signal, or runs for ten minutes.
llvm::Expected<ProgramOutput>
runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace lattn

#endif // LATTN_LIB_TARGET_RUNPROGRAM_H

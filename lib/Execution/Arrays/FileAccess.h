//===- FileAccess.h - Files that are read and replaced whole ----*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_ARRAYS_FILEACCESS_H
#define LATTN_LIB_EXECUTION_ARRAYS_FILEACCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace lattn {

/// Fails for everything that is not a regular file. Reading a pipe would block,
/// and reading a device might never end.
llvm::Error checkRegularFile(llvm::StringRef path, uint64_t &size);

/// The path to rename a new file to. Resolves links, so that a link stays one.
/// Refuses targets that a rename would destroy: devices, directories, and files
/// that the user has made read-only.
llvm::Expected<std::string> resolveTarget(llvm::StringRef path);

/// An error if it is clear in advance that `path` cannot be written, because of
/// its folder or of the file that is there.
llvm::Error checkWritable(llvm::StringRef path);

/// Writes `parts` one after the other to a temporary file and renames it.
llvm::Error writeParts(llvm::StringRef path,
                       llvm::ArrayRef<llvm::StringRef> parts,
                       unsigned mode = 0666);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_ARRAYS_FILEACCESS_H

//===- NpyStream.h - An array from a stream of bytes ------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_ARRAYS_NPYSTREAM_H
#define LATTN_LIB_EXECUTION_ARRAYS_NPYSTREAM_H

#include "lattn/Execution/NumpyFiles.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace lattn {

/// The source of a .npy: a file or an archive's entry.
struct ByteSource {
  /// The size that the file system or the archive declares.
  uint64_t size;
  /// How many bytes are there for certain, so that memory may be allocated for
  /// them.
  uint64_t trusted;
  /// Reads some bytes; 0 at the end. Checksums are verified at the end.
  llvm::function_ref<llvm::Expected<size_t>(llvm::MutableArrayRef<char>)> read;
};

/// Reads one .npy, which must end where the source ends.
llvm::Expected<NumpyArray> readArray(const ByteSource &source);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_ARRAYS_NPYSTREAM_H

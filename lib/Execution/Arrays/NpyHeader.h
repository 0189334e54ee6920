//===- NpyHeader.h - The header of a .npy file ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A .npy file has a preamble (the magic string, the version, the length of the
// header), a header (a Python dict literal with the keys descr, fortran_order
// and shape), and the elements. Everything here works on bytes in memory.
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_EXECUTION_ARRAYS_NPYHEADER_H
#define LATTN_LIB_EXECUTION_ARRAYS_NPYHEADER_H

#include "lattn/Execution/NumpyFiles.h"

#include "llvm/ADT/Twine.h"

namespace lattn {

/// The magic string and the two version bytes; the length field comes next.
constexpr size_t kNpyMagicBytes = 8;
/// A larger header is an error: it has only numbers and short names.
constexpr uint64_t kMaxNpyHeaderBytes = uint64_t(1) << 20;
/// NumPy's own limit.
constexpr size_t kMaxNpyRank = 64;

struct NpyHeader {
  ElementKind kind = ElementKind::F32;
  bool fortranOrder = false;
  llvm::SmallVector<int64_t> shape;
};

/// One error type for this library: text, to which callers add file and entry.
llvm::Error makeNumpyError(const llvm::Twine &message);
/// Text from a file, quoted for a one-line message.
std::string quoteNumpyText(llvm::StringRef text);

/// Checks the first kNpyMagicBytes bytes; returns the length field's size.
llvm::Expected<size_t> parseNpyMagic(llvm::StringRef bytes);
/// Parses the dict, including its padding.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);
/// The preamble and the dict, padded as NumPy does.
std::string formatNpyHeader(ElementKind kind, llvm::ArrayRef<int64_t> shape);

/// The bytes of an array, or an error for a shape that no array can have.
llvm::Expected<int64_t> computeNumBytes(ElementKind kind,
                                        llvm::ArrayRef<int64_t> shape);

} // namespace lattn

#endif // LATTN_LIB_EXECUTION_ARRAYS_NPYHEADER_H

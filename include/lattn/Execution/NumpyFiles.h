//===- NumpyFiles.h - Reading and writing .npy and .npz ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays in NumPy's own file formats. Files are not trusted. Reading any file
// gives an array or a one-line error that names the file and the entry. No
// declared size is believed before its bytes have arrived. Files are written
// whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_NUMPYFILES_H
#define LATTN_EXECUTION_NUMPYFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lattn {

/// The element types of the files. NumPy has no bfloat16, so such arrays are
/// stored as '|V2', a void of two bytes, and read back as Void2. The caller may
/// take Void2 for bf16 if its own types say so.
enum class ElementKind {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F16,
  F32,
  F64,
  BF16,
  Void2,
};

/// Bytes per element.
int64_t getElementSize(ElementKind kind);
/// The name in MLIR's spelling: "f32", "bf16", "i1", "ui8", ...
llvm::StringRef getElementName(ElementKind kind);
/// A shape in Python's spelling: "()", "(3,)", "(3, 4)".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Memory aligned to a cache line.
class AlignedBuffer {
public:
  static constexpr size_t kAlignment = 64;

  /// Keeps the bytes at the front. New bytes are unspecified. Even an empty
  /// buffer has an address once it was resized.
  llvm::Error resize(size_t newSize);

  char *data() { return bytes.get(); }
  const char *data() const { return bytes.get(); }
  size_t size() const { return numBytes; }

private:
  struct Free {
    void operator()(char *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<char, Free> bytes;
  size_t numBytes = 0;
};

/// A dense row-major array that owns its elements. Bools are bytes 0 or 1.
struct NumpyArray {
  ElementKind kind = ElementKind::F32;
  llvm::SmallVector<int64_t> shape;
  AlignedBuffer buffer;

  /// An array of zeros.
  static llvm::Expected<NumpyArray> create(ElementKind kind,
                                           llvm::ArrayRef<int64_t> shape);

  int64_t getNumElements() const;
};

using NamedArray = std::pair<std::string, NumpyArray>;
using NamedArrayRef = std::pair<std::string, const NumpyArray *>;

/// Reading an array or an unpacked archive that is larger is an error.
constexpr uint64_t kMaxNumpyBytes = uint64_t(64) << 30;

llvm::Expected<NumpyArray> readNpy(llvm::StringRef path);
/// The entries in the archive's order, their names without ".npy".
llvm::Expected<std::vector<NamedArray>> readNpz(llvm::StringRef path);

/// An existing file is replaced once everything is written. It is untouched on
/// errors.
llvm::Error writeNpy(llvm::StringRef path, const NumpyArray &array);
/// Entries are stored uncompressed and without dates, so equal arrays give
/// equal bytes.
llvm::Error writeNpz(llvm::StringRef path,
                     llvm::ArrayRef<NamedArrayRef> arrays);

} // namespace lattn

#endif // LATTN_EXECUTION_NUMPYFILES_H

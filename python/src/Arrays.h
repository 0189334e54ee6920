//===- Arrays.h - Arrays of other libraries in memory -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_ARRAYS_H
#define LATTN_PYTHON_ARRAYS_H

#include "lattn-c/Callable.h"
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <optional>
#include <string>

namespace lattn::python {

namespace nb = nanobind;

/// Whose arrays: results are of the kind that arguments are.
enum class Library { NumPy, Torch, Other };

/// A borrowed array; what it is a view of stays alive with it.
struct ArrayView {
  static constexpr int kMaxRank = 16;
  static constexpr int kHost = -1;

  const char *name = ""; // in messages; empty where nothing was read
  Library library = Library::NumPy;
  void *data = nullptr;
  LattnElementType type = LattnF32;
  int rank = 0;
  bool isWritable = false;
  int device = kHost;  // the GPU's number, where it is on one
  uint64_t stream = 0; // that the data is ready on; 0: none is named
  int64_t sizes[kMaxRank], strides[kMaxRank]; // in elements
  nb::object owner;
  nb::ndarray<nb::ro> dlpack;

  bool isGiven() const { return *name; }
  bool isOnGPU() const { return device != kHost; }
  bool isEmpty() const;
  /// Leading axes of extent 1 and stride 0 up to `newRank`.
  void padRank(int newRank);
  LattnArray getArray() const;
  /// "(1, 2, 3)"
  std::string formatShape() const;
  /// First byte and the one behind the last.
  std::pair<const char *, const char *> getBytes() const;
};

/// Views `object` in the CPU's memory. Throws TypeError or ValueError that
/// begin with `name`.
void read(nb::handle object, const char *name, ArrayView &view);
/// Likewise, wherever it is.
void readAnywhere(nb::handle object, const char *name, ArrayView &view);
/// "in the CPU's memory", "on GPU 0".
std::string describePlace(const ArrayView &view);

/// Of NumPy and torch, for all that read() does not know. True where it was
/// one.
bool readNumPy(nb::handle object, ArrayView &view);
bool readTorch(nb::handle object, ArrayView &view);
/// Whether this is torch's tensor, and torch.jit.trace or a mode that sees all
/// operations is on. Tensors without memory are found when they are read.
bool isTracedByTorch(nb::handle object);
/// The exception that torch's operator lattn::attention helps against.
nb::handle getTracedError();
/// Likewise; thrown for tensors that require gradients. A NotImplementedError.
nb::handle getGradientsError();
[[noreturn]] void throwTraced(const std::string &name);
bool readCudaInterface(nb::handle object, ArrayView &view);

/// A new array, its elements not set.
nb::object makeEmpty(Library library, LattnElementType type, int rank,
                     const int64_t *sizes, int device = ArrayView::kHost);
nb::object makeEmptyNumPy(LattnElementType type, nb::handle shape);
nb::object makeEmptyTorch(LattnElementType type, nb::handle shape,
                          int device = ArrayView::kHost);
/// DLPack's, if arrays may be of it.
std::optional<LattnElementType> getElementType(nb::dlpack::dtype type);
/// torch's dtype.
nb::handle getTorchType(LattnElementType type);
/// NumPy's dtype, ml_dtypes' for bfloat16.
nb::handle getNumPyType(LattnElementType type);

/// Takes `array` over, as NumPy's or torch's.
nb::object adopt(Library library, LattnArray array);

/// "float32"
const char *getTypeName(LattnElementType type);
/// str(object), repr(object).
std::string toText(nb::handle object);
std::string toRepr(nb::handle object);
/// The name of an object's type.
std::string getKind(nb::handle object);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

[[noreturn]] void throwValueError(const std::string &message);
[[noreturn]] void throwTypeError(const std::string &message);
[[noreturn]] void throwRuntimeError(const std::string &message);
[[noreturn]] void throwNotImplemented(const std::string &message);
/// Drops the exception that Python raised, but throws Ctrl-C and its like.
void dropException();
/// Frees the error and returns its text.
std::string takeText(LattnError error);

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

/// ValueError unless `written` can be written and its elements lie apart.
void checkWritable(const ArrayView &written);
/// ValueError where they may have elements in common.
void checkDisjoint(const ArrayView &written, const ArrayView &other);

} // namespace lattn::python

#endif // LATTN_PYTHON_ARRAYS_H

//===- NumPy.cpp - NumPy's arrays -----------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include <memory>

using namespace lattn::python;

namespace {

/// What `__array_struct__` holds: version 3 of NumPy's array interface.
struct ArrayInterface {
  enum : int { Aligned = 0x100, NotSwapped = 0x200, Writeable = 0x400 };
  int two;
  int rank;
  char kind;
  int itemSize;
  int flags;
  Py_intptr_t *sizes, *strides; // in bytes
  void *data;
  PyObject *description;
};

/// NumPy's objects, looked up once.
struct NumPy {
  nb::object ndarray, maskedArray, empty, types[LattnBF16 + 1];

  NumPy() {
    nb::module_ numpy = nb::module_::import_("numpy");
    ndarray = numpy.attr("ndarray");
    maskedArray = numpy.attr("ma").attr("MaskedArray");
    empty = numpy.attr("empty");
    for (int type = LattnBool; type < LattnBF16; ++type)
      types[type] =
          numpy.attr("dtype")(getTypeName(static_cast<LattnElementType>(type)));
    types[LattnBF16] =
        numpy.attr("dtype")(nb::module_::import_("ml_dtypes").attr("bfloat16"));
  }
};

} // namespace

static const NumPy &getNumPy() {
  // No initialiser that locks: imports let other threads take the GIL.
  static const NumPy *numpy = nullptr;
  if (!numpy) {
    auto made = std::make_unique<NumPy>();
    if (!numpy)
      numpy = made.release(); // outlives the interpreter
  }
  return *numpy;
}

nb::handle lattn::python::getNumPyType(LattnElementType type) {
  return getNumPy().types[type];
}

static bool getType(const ArrayInterface &array, nb::handle object,
                    LattnElementType &type) {
  int size = array.itemSize;
  LattnElementType first;
  switch (array.kind) {
  case 'b':
    type = LattnBool;
    return true;
  case 'i':
  case 'u':
    first = array.kind == 'i' ? LattnI8 : LattnU8;
    type = static_cast<LattnElementType>(first + (size == 1   ? 0
                                                  : size == 2 ? 1
                                                  : size == 4 ? 2
                                                              : 3));
    return true;
  case 'f':
    type = size == 2 ? LattnF16 : size == 4 ? LattnF32 : LattnF64;
    return size <= 8;
  case 'V':
    type = LattnBF16;
    return size == 2 && object.attr("dtype").equal(getNumPy().types[LattnBF16]);
  default:
    return false;
  }
}

bool lattn::python::readNumPy(nb::handle object, ArrayView &view) {
  const NumPy &numpy = getNumPy();
  if (!PyObject_TypeCheck(
          object.ptr(), reinterpret_cast<PyTypeObject *>(numpy.ndarray.ptr())))
    return false;
  std::string_view name = view.name;
  if (!object.type().is(numpy.ndarray) &&
      nb::isinstance(object, numpy.maskedArray))
    throwTypeError(std::string(name) + ": expected an array without a mask");
  static PyObject *attribute = PyUnicode_InternFromString("__array_struct__");
  view.owner = nb::steal(PyObject_GetAttr(object.ptr(), attribute));
  if (!view.owner.is_valid())
    throw nb::python_error();
  auto *array = static_cast<const ArrayInterface *>(
      PyCapsule_GetPointer(view.owner.ptr(), nullptr));
  if (!array)
    throw nb::python_error();
  if (!getType(*array, object, view.type) ||
      !(array->flags & ArrayInterface::NotSwapped))
    throwTypeError(std::string(name) +
                   ": expected native elements of bool, integers, float16, "
                   "bfloat16, float32 or float64, got " +
                   toText(object.attr("dtype")));
  if (array->rank > ArrayView::kMaxRank)
    throwValueError(std::string(name) + ": expected at most " +
                    std::to_string(ArrayView::kMaxRank) + " axes, got " +
                    std::to_string(array->rank));
  view.library = Library::NumPy;
  view.data = array->data;
  view.rank = array->rank;
  view.isWritable = array->flags & ArrayInterface::Writeable;
  for (int i = 0; i < view.rank; ++i) {
    view.sizes[i] = array->sizes[i];
    view.strides[i] = array->strides[i] / array->itemSize;
    if (array->strides[i] % array->itemSize != 0 && array->sizes[i] > 1)
      throwValueError(
          std::string(name) +
          ": expected strides that are multiples of the element's " +
          std::to_string(array->itemSize) + " bytes, got " +
          std::to_string(array->strides[i]) + " for axis " + std::to_string(i));
  }
  return true;
}

nb::object lattn::python::makeEmptyNumPy(LattnElementType type,
                                         nb::handle shape) {
  const NumPy &numpy = getNumPy();
  return numpy.empty(shape, numpy.types[type]);
}

static nb::object adoptAs(Library library, const LattnArray &array,
                          nb::dlpack::dtype type, nb::handle owner) {
  size_t rank = array.rank;
  auto *sizes = reinterpret_cast<const size_t *>(array.sizes);
  if (library == Library::Torch)
    return nb::cast(nb::ndarray<nb::pytorch>(array.data, rank, sizes, owner,
                                             array.strides, type));
  return nb::cast(nb::ndarray<nb::numpy>(array.data, rank, sizes, owner,
                                         array.strides, type));
}

nb::object lattn::python::adopt(Library library, LattnArray array) {
  auto *kept = new LattnArray(array);
  nb::capsule owner(kept, [](void *pointer) noexcept {
    auto *array = static_cast<LattnArray *>(pointer);
    lattnArrayRelease(array);
    delete array;
  });
  nb::dlpack::dtype type = {};
  type.lanes = 1;
  type.bits = static_cast<uint8_t>(8 * lattnElementTypeGetSize(array.type));
  nb::dlpack::dtype_code code = nb::dlpack::dtype_code::UInt;
  if (array.type == LattnBool)
    code = nb::dlpack::dtype_code::Bool;
  else if (array.type == LattnBF16)
    code = nb::dlpack::dtype_code::Bfloat;
  else if (array.type >= LattnF16)
    code = nb::dlpack::dtype_code::Float;
  else if (array.type <= LattnI64)
    code = nb::dlpack::dtype_code::Int;
  // NumPy takes bfloat16 over by no protocol.
  bool isNumPyBF16 = library != Library::Torch && array.type == LattnBF16;
  type.code =
      static_cast<uint8_t>(isNumPyBF16 ? nb::dlpack::dtype_code::UInt : code);
  nb::object result = adoptAs(library, array, type, owner);
  return isNumPyBF16 ? result.attr("view")(getNumPyType(LattnBF16)) : result;
}

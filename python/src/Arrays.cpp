//===- Arrays.cpp - Arrays of any library ---------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "GPU.h"
#include <algorithm>
#include <optional>

using namespace lattn::python;

//===----------------------------------------------------------------------===//
// Names and messages
//===----------------------------------------------------------------------===//

const char *lattn::python::getTypeName(LattnElementType type) {
  static constexpr const char *names[] = {
      "bool",   "int8",   "int16",   "int32",   "int64",   "uint8",   "uint16",
      "uint32", "uint64", "float16", "float32", "float64", "bfloat16"};
  return names[type];
}

std::string lattn::python::toText(nb::handle object) {
  // nb::str(x) takes an attribute for a str.
  return nb::cast<std::string>(nb::steal(PyObject_Str(object.ptr())));
}

std::string lattn::python::toRepr(nb::handle object) {
  return nb::cast<std::string>(nb::repr(object));
}

std::string lattn::python::getKind(nb::handle object) {
  return nb::cast<std::string>(nb::type_name(object.type()));
}

void lattn::python::throwValueError(const std::string &message) {
  throw nb::value_error(message.c_str());
}
void lattn::python::throwTypeError(const std::string &message) {
  throw nb::type_error(message.c_str());
}
void lattn::python::throwRuntimeError(const std::string &message) {
  throw std::runtime_error(message);
}
void lattn::python::throwNotImplemented(const std::string &message) {
  PyErr_SetString(PyExc_NotImplementedError, message.c_str());
  throw nb::python_error();
}

void lattn::python::dropException() {
  nb::python_error error;
  if (!error.matches(PyExc_Exception))
    throw error;
}

std::string lattn::python::takeText(LattnError error) {
  std::string text = error;
  lattnErrorFree(error);
  return text;
}

//===----------------------------------------------------------------------===//
// ArrayView
//===----------------------------------------------------------------------===//

bool ArrayView::isEmpty() const {
  return std::find(sizes, sizes + rank, 0) != sizes + rank;
}

void ArrayView::padRank(int newRank) {
  int added = newRank - rank;
  std::copy_backward(sizes, sizes + rank, sizes + newRank);
  std::copy_backward(strides, strides + rank, strides + newRank);
  std::fill_n(sizes, added, 1);
  std::fill_n(strides, added, 0);
  rank = newRank;
}

LattnArray ArrayView::getArray() const {
  LattnArray array = {};
  array.data = data;
  array.type = type;
  array.rank = rank;
  array.sizes = sizes;
  array.strides = strides;
  return array;
}

std::string ArrayView::formatShape() const {
  std::string text = "(";
  for (int i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + (rank == 1 ? ",)" : ")");
}

std::pair<const char *, const char *> ArrayView::getBytes() const {
  int64_t first = 0, last = 0;
  for (int i = 0; i < rank; ++i)
    (strides[i] < 0 ? first : last) += (sizes[i] - 1) * strides[i];
  int64_t size = lattnElementTypeGetSize(type);
  auto *bytes = static_cast<const char *>(data);
  return {bytes + first * size, bytes + (last + 1) * size};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::optional<LattnElementType>
lattn::python::getElementType(nb::dlpack::dtype type) {
  if (type.lanes != 1)
    return std::nullopt;
  bool is8 = type.bits == 8, is16 = type.bits == 16, is32 = type.bits == 32,
       is64 = type.bits == 64;
  switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
  case nb::dlpack::dtype_code::Bool:
    if (is8)
      return LattnBool;
    break;
  case nb::dlpack::dtype_code::Int:
    if (is8 || is16 || is32 || is64)
      return is8 ? LattnI8 : is16 ? LattnI16 : is32 ? LattnI32 : LattnI64;
    break;
  case nb::dlpack::dtype_code::UInt:
    if (is8 || is16 || is32 || is64)
      return is8 ? LattnU8 : is16 ? LattnU16 : is32 ? LattnU32 : LattnU64;
    break;
  case nb::dlpack::dtype_code::Float:
    if (is16 || is32 || is64)
      return is16 ? LattnF16 : is32 ? LattnF32 : LattnF64;
    break;
  case nb::dlpack::dtype_code::Bfloat:
    if (is16)
      return LattnBF16;
    break;
  default:
    break;
  }
  return std::nullopt;
}

static bool isCuda(int deviceType) {
  return deviceType == nb::device::cuda::value ||
         deviceType == nb::device::cuda_managed::value;
}

/// What makes the data of a GPU's array ready on the stream of the call.
static nb::object getReady(nb::handle object) {
  if (!nb::hasattr(object, "__dlpack_device__"))
    return nb::borrow(object);
  nb::object device = object.attr("__dlpack_device__")();
  if (!isCuda(nb::cast<int>(device[0])))
    return nb::borrow(object);
  uint64_t stream = getCurrentStream(nb::cast<int>(device[1]));
  // 0 is no name of the legacy stream there.
  return object.attr("__dlpack__")(nb::arg("stream") = stream ? stream : 1);
}

/// Whether it is JAX's, such as what jax.jit traces.
static bool isOfJax(nb::handle object) {
  std::string module = toText(nb::getattr(object.type(), "__module__"));
  return module.substr(0, 3) == "jax";
}

/// By __dlpack__ or the buffer protocol.
static void readOther(nb::handle given, ArrayView &view) {
  std::string name = view.name;
  nb::object object = getReady(given);
  nb::ndarray<> writable;
  view.isWritable = nb::try_cast(object, writable, /*convert=*/false);
  if (!view.isWritable && !nb::try_cast(object, view.dlpack, false))
    throwTypeError(name +
                   ": expected an array (NumPy, torch, or any with "
                   "__dlpack__), got " +
                   getKind(given) +
                   (isOfJax(given) ? ", which lattn.jax.attention takes" : ""));
  if (view.isWritable)
    view.dlpack = nb::ndarray<nb::ro>(writable);
  int place = view.dlpack.device_type();
  if (isCuda(place))
    view.device = view.dlpack.device_id();
  else if (place != nb::device::cpu::value)
    throwNotImplemented(name +
                        ": expected an array in the CPU's memory or on a GPU "
                        "of CUDA, got one on another device");
  std::optional<LattnElementType> type = getElementType(view.dlpack.dtype());
  if (!type)
    throwTypeError(name + ": expected elements of bool, integers, float16, "
                          "bfloat16, float32 or float64");
  if (view.dlpack.ndim() > ArrayView::kMaxRank)
    throwValueError(name + ": expected at most " +
                    std::to_string(ArrayView::kMaxRank) + " axes, got " +
                    std::to_string(view.dlpack.ndim()));
  view.library = Library::Other;
  view.type = *type;
  view.rank = static_cast<int>(view.dlpack.ndim());
  view.data = const_cast<void *>(view.dlpack.data());
  std::copy_n(view.dlpack.shape_ptr(), view.rank, view.sizes);
  std::copy_n(view.dlpack.stride_ptr(), view.rank, view.strides);
}

std::string lattn::python::describePlace(const ArrayView &view) {
  return view.isOnGPU() ? "on GPU " + std::to_string(view.device)
                        : "in the CPU's memory";
}

void lattn::python::read(nb::handle object, const char *name, ArrayView &view) {
  readAnywhere(object, name, view);
  if (view.isOnGPU())
    throwNotImplemented(std::string(name) +
                        ": expected an array in the CPU's memory, got one " +
                        describePlace(view));
}

void lattn::python::readAnywhere(nb::handle object, const char *name,
                                 ArrayView &view) {
  view.name = name;
  if (!readNumPy(object, view) && !readTorch(object, view) &&
      !readCudaInterface(object, view))
    readOther(object, view);
  auto address = reinterpret_cast<uintptr_t>(view.data);
  int64_t size = lattnElementTypeGetSize(view.type);
  if (address % size != 0)
    throwValueError(std::string(name) + ": expected elements aligned to " +
                    std::to_string(size) + " bytes");
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

nb::object lattn::python::makeEmpty(Library library, LattnElementType type,
                                    int rank, const int64_t *sizes,
                                    int device) {
  nb::object shape = nb::steal(PyTuple_New(rank));
  for (int i = 0; i < rank; ++i)
    NB_TUPLE_SET_ITEM(shape.ptr(), i, PyLong_FromLongLong(sizes[i]));
  if (device != ArrayView::kHost && library != Library::Torch)
    // makeEmptyTorch needs torch to be there.
    nb::module_::import_("torch");
  return library == Library::Torch || device != ArrayView::kHost
             ? makeEmptyTorch(type, shape, device)
             : makeEmptyNumPy(type, shape);
}

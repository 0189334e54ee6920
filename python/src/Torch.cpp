//===- Torch.cpp - torch's tensors ----------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// By torch's table of C functions for DLPack where it has one, else, and for
// what that does not know, by their attributes. __dlpack__ costs several
// microseconds.

#include "Arrays.h"
#include <algorithm>

using namespace lattn::python;

namespace {

/// An attribute's name as Python keeps it.
struct Name {
  PyObject *text;
  explicit Name(const char *name) : text(PyUnicode_InternFromString(name)) {}

  nb::object get(nb::handle object) const {
    return check(PyObject_GetAttr(object.ptr(), text));
  }
  nb::object call(nb::handle object) const { return check(tryCall(object)); }
  /// Null with an exception if it fails.
  PyObject *tryCall(nb::handle object) const {
    PyObject *self = object.ptr(); // as in Python's stable ABI
    return PyObject_VectorcallMethod(text, &self, 1, nullptr);
  }
  static nb::object check(PyObject *result) {
    if (!result)
      throw nb::python_error();
    return nb::steal(result);
  }
};

/// DLPack's table of C functions, of its major version 1.
struct ExchangeTable {
  uint32_t major, minor;
  const ExchangeTable *older;
  void *makeTensor, *exportTensor, *importTensor;
  /// Describes an object of the type that has the table, and owns what the
  /// description points to; not 0 with an exception. May be null.
  int (*describe)(void *object, nb::dlpack::dltensor *array);
};

/// `type`'s table, or null.
const ExchangeTable *getExchangeTable(nb::handle type) {
  nb::object capsule =
      nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (!PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api"))
    return nullptr;
  auto *table = static_cast<const ExchangeTable *>(
      PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  while (table && table->major != 1)
    table = table->older;
  return table && table->describe ? table : nullptr;
}

/// torch's objects, looked up once.
struct Torch {
  nb::object tensor, parameter, empty, strided, isGradEnabled,
      types[LattnBF16 + 1];
  // What traces: torch.jit.trace, and modes that see all operations.
  nb::object isTracing, countModes, noDispatch;
  // Its namespace, for the level of forward-mode differentiation.
  nb::object forwardMode;
  Name dtype{"dtype"}, layout{"layout"}, isCpu{"is_cpu"}, isCuda{"is_cuda"},
      getDevice{"get_device"}, isNeg{"is_neg"}, resolveNeg{"resolve_neg"},
      requiresGrad{"requires_grad"}, dataPtr{"data_ptr"}, size{"size"},
      stride{"stride"}, level{"_current_level"}, dispatch{"__torch_dispatch__"};
  const ExchangeTable *exchange;
  nb::object emptyKeywords = nb::make_tuple("dtype");
  nb::object emptyOnKeywords = nb::make_tuple("dtype", "device");

  explicit Torch(nb::handle torch) {
    tensor = torch.attr("Tensor");
    exchange = getExchangeTable(tensor);
    empty = torch.attr("empty");
    strided = torch.attr("strided");
    isGradEnabled = torch.attr("is_grad_enabled");
    parameter = torch.attr("nn").attr("Parameter");
    noDispatch = dispatch.get(tensor);
    isTracing = torch.attr("_C").attr("_is_tracing");
    countModes = torch.attr("_C").attr("_len_torch_dispatch_stack");
    forwardMode = torch.attr("autograd").attr("forward_ad").attr("__dict__");
    for (int type = LattnBool; type <= LattnBF16; ++type)
      types[type] = nb::getattr(
          torch, getTypeName(static_cast<LattnElementType>(type)), nb::none());
  }
};

} // namespace

/// Null where the program has not imported torch.
static const Torch *getTorch() {
  static const Torch *torch = nullptr;
  if (torch)
    return torch;
  static PyObject *name = PyUnicode_InternFromString("torch");
  PyObject *module = PyImport_GetModule(name);
  if (!module)
    return nullptr;
  nb::object owned = nb::steal(module);
  if (!nb::hasattr(owned, "Tensor"))
    return nullptr; // being imported
  return torch = new Torch(owned);
}

static void copyNumbers(nb::handle tuple, int64_t *to) {
  for (Py_ssize_t i = 0; i < NB_TUPLE_GET_SIZE(tuple.ptr()); ++i)
    to[i] = PyLong_AsLongLong(NB_TUPLE_GET_ITEM(tuple.ptr(), i));
}

/// The GPU's number, or kHost.
static int readDevice(const Torch &torch, nb::handle tensor, const char *name) {
  if (torch.isCpu.get(tensor).is(Py_True))
    return ArrayView::kHost;
  if (!torch.isCuda.get(tensor).is(Py_True))
    throwNotImplemented(std::string(name) +
                        ": expected a tensor in the CPU's memory or on a GPU "
                        "of CUDA, got one on " +
                        toText(tensor.attr("device")));
  return nb::cast<int>(torch.getDevice.call(tensor));
}

/// Whether forward-mode differentiation has a derivative in it. Of vmap's
/// tensors nobody knows, which have no memory either.
static bool hasTangent(const Torch &torch, nb::handle tensor) {
  PyObject *level =
      PyDict_GetItem(torch.forwardMode.ptr(), torch.level.text); // borrowed
  if (!level || PyLong_AsLong(level) < 0)
    return false;
  nb::object unpack = torch.forwardMode["unpack_dual"];
  nb::object pair = nb::steal(
      PyObject_CallFunctionObjArgs(unpack.ptr(), tensor.ptr(), nullptr));
  if (pair.is_valid())
    return !pair.attr("tangent").is_none();
  dropException();
  return false;
}

static void checkSupported(const Torch &torch, nb::handle tensor,
                           const char *name) {
  auto say = [&](const char *text) { return std::string(name) + text; };
  if (torch.requiresGrad.get(tensor).is(Py_True) &&
      torch.isGradEnabled().is(Py_True)) {
    PyErr_SetString(getGradientsError().ptr(),
                    say(": gradients are not built here yet, and the tensor "
                        "requires them: call under torch.no_grad()")
                        .c_str());
    throw nb::python_error();
  }
  if (!hasTangent(torch, tensor))
    return;
  PyErr_SetString(
      getGradientsError().ptr(),
      say(": lattn has no forward-mode derivatives here yet, and the tensor "
          "has "
          "a tangent (torch.func.jvp, jacfwd, hessian, dual tensors); "
          "lattn.attention and modules of lattn.nn have them")
          .c_str());
  throw nb::python_error();
}

/// A tensor of a subclass that sees operations itself: fake ones among them.
static bool seesOperations(const Torch &torch, nb::handle tensor) {
  nb::handle type = tensor.type();
  return !type.is(torch.tensor) && !type.is(torch.parameter) &&
         !torch.dispatch.get(type).is(torch.noDispatch);
}

nb::handle lattn::python::getTracedError() {
  static PyObject *error = PyErr_NewException("lattn._lattn.TracedTensorError",
                                              PyExc_TypeError, nullptr);
  return error;
}

nb::handle lattn::python::getGradientsError() {
  static PyObject *error = PyErr_NewException(
      "lattn._lattn.GradientsError", PyExc_NotImplementedError, nullptr);
  return error;
}

void lattn::python::throwTraced(const std::string &name) {
  std::string message =
      name + ": expected a tensor with memory, got one that torch traces or "
             "transforms (vmap, torch.compile, torch.export, torch.jit.trace, "
             "fake tensors)";
  PyErr_SetString(getTracedError().ptr(), message.c_str());
  throw nb::python_error();
}

/// The address of its elements. Wrappers of torch.func have none.
static void *getData(const Torch &torch, nb::handle tensor, const char *name) {
  if (!seesOperations(torch, tensor)) {
    nb::object address = nb::steal(torch.dataPtr.tryCall(tensor));
    if (address.is_valid())
      return PyLong_AsVoidPtr(address.ptr());
    dropException();
  }
  throwTraced(name);
}

/// Whether DLPack describes it as dense elements in the CPU's memory. Wrappers
/// of torch.func it does not.
static bool readByExchange(const Torch &torch, nb::handle tensor,
                           ArrayView &view) {
  nb::handle kind = tensor.type();
  if (!torch.exchange || (!kind.is(torch.tensor) && !kind.is(torch.parameter)))
    return false;
  nb::dlpack::dltensor array;
  if (torch.exchange->describe(tensor.ptr(), &array) != 0) {
    dropException();
    return false;
  }
  std::optional<LattnElementType> type = getElementType(array.dtype);
  if (array.device.device_type != nb::device::cpu::value || !type ||
      array.ndim > ArrayView::kMaxRank)
    return false;
  view.device = ArrayView::kHost;
  view.type = *type;
  view.rank = array.ndim;
  view.data = static_cast<char *>(array.data) + array.byte_offset;
  std::copy_n(array.shape, array.ndim, view.sizes);
  std::copy_n(array.strides, array.ndim, view.strides);
  return true;
}

bool lattn::python::readTorch(nb::handle object, ArrayView &view) {
  const Torch *torch = getTorch();
  if (!torch ||
      !PyObject_TypeCheck(
          object.ptr(), reinterpret_cast<PyTypeObject *>(torch->tensor.ptr())))
    return false;
  view.library = Library::Torch;
  view.isWritable = true;
  if (torch->isNeg.call(object).is(Py_True)) { // as of x.conj().imag
    view.owner = torch->resolveNeg.call(object);
    view.isWritable = false; // a copy
    object = view.owner;
  }
  if (readByExchange(*torch, object, view)) {
    checkSupported(*torch, object, view.name);
    return true;
  }
  view.device = readDevice(*torch, object, view.name);
  if (!torch->layout.get(object).is(torch->strided))
    throwTypeError(std::string(view.name) + ": expected a dense tensor, got " +
                   toText(object.attr("layout")));
  checkSupported(*torch, object, view.name);
  nb::object dtype = torch->dtype.get(object);
  int type = LattnF32; // the likeliest first
  for (int i = 0; !dtype.is(torch->types[type]); ++i) {
    if (i > LattnBF16)
      throwTypeError(std::string(view.name) +
                     ": expected elements of bool, integers, float16, "
                     "bfloat16, float32 or float64, got " +
                     toText(dtype));
    type = i;
  }
  nb::object sizes = torch->size.call(object),
             strides = torch->stride.call(object);
  if (NB_TUPLE_GET_SIZE(sizes.ptr()) > ArrayView::kMaxRank)
    throwValueError(std::string(view.name) + ": expected at most " +
                    std::to_string(ArrayView::kMaxRank) + " axes");
  view.type = static_cast<LattnElementType>(type);
  view.rank = static_cast<int>(NB_TUPLE_GET_SIZE(sizes.ptr()));
  view.data = getData(*torch, object, view.name);
  copyNumbers(sizes, view.sizes);
  copyNumbers(strides, view.strides);
  return true;
}

bool lattn::python::isTracedByTorch(nb::handle object) {
  const Torch *torch = getTorch();
  return torch &&
         PyObject_TypeCheck(object.ptr(), reinterpret_cast<PyTypeObject *>(
                                              torch->tensor.ptr())) &&
         (torch->isTracing().is(Py_True) ||
          PyLong_AsLong(torch->countModes().ptr()) != 0);
}

nb::handle lattn::python::getTorchType(LattnElementType type) {
  return getTorch()->types[type];
}

nb::object lattn::python::makeEmptyTorch(LattnElementType type,
                                         nb::handle shape, int device) {
  const Torch *torch = getTorch();
  if (device != ArrayView::kHost) {
    nb::object place = nb::str(("cuda:" + std::to_string(device)).c_str());
    PyObject *arguments[] = {shape.ptr(), torch->types[type].ptr(),
                             place.ptr()};
    return Name::check(PyObject_Vectorcall(torch->empty.ptr(), arguments, 1,
                                           torch->emptyOnKeywords.ptr()));
  }
  PyObject *arguments[] = {shape.ptr(), torch->types[type].ptr()};
  try {
    return Name::check(PyObject_Vectorcall(torch->empty.ptr(), arguments, 1,
                                           torch->emptyKeywords.ptr()));
  } catch (nb::python_error &error) {
    // torch has no error of its own for it on the CPU.
    std::string text = toText(error.value());
    if (text.find("can't allocate memory") == std::string::npos)
      throw;
    PyErr_SetString(PyExc_MemoryError, text.c_str());
    throw nb::python_error();
  }
}

//===- Callable.cpp - Compiled functions for Python -----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Callable.h"
#include "GPU.h"
#include "Interrupt.h"
#include "Kernels.h"
#include "Module.h"
#include <cmath>
#include <limits>
#include <optional>

using namespace lattn::python;

Callable::Callable(nb::bytes text, const std::string &name,
                   const std::string &entry, const std::string &cpu,
                   const std::string &attributes, const std::string &pipeline,
                   const std::string &cache, bool isInterruptible, int device,
                   uint64_t stream, bool quiet)
    : isInterruptible(isInterruptible), quiet(quiet),
      text(text.c_str(), text.size()), bufferName(name), entry(entry), cpu(cpu),
      attributes(attributes), pipeline(pipeline), cache(cache) {
  touch();
  if (device != ArrayView::kHost) {
    const LattnCudaCallable *made =
        getForGPU(device, reinterpret_cast<void *>(stream));
    for (intptr_t i = 0; i < lattnCudaCallableGetNumArguments(made); ++i)
      arguments.push_back(lattnCudaCallableGetArgument(made, i));
    for (intptr_t i = 0; i < lattnCudaCallableGetNumResults(made); ++i)
      results.push_back(lattnCudaCallableGetResult(made, i));
    return;
  }
  LattnCompileOptions options = {
      cpu.c_str(), attributes.c_str(), pipeline.c_str(), cache.c_str(), false,
      quiet};
  LattnCallable *compiled = nullptr;
  LattnError error;
  {
    nb::gil_scoped_release unlocked;
    error = lattnCallableCreate(text.c_str(), text.size(), name.c_str(),
                                entry.c_str(), &options, &compiled);
  }
  if (error)
    throwRuntimeError(takeText(error));
  callable.reset(compiled);
  throwIfSignalled();
  for (intptr_t i = 0; i < lattnCallableGetNumArguments(compiled); ++i)
    arguments.push_back(lattnCallableGetArgument(compiled, i));
  for (intptr_t i = 0; i < lattnCallableGetNumResults(compiled); ++i)
    results.push_back(lattnCallableGetResult(compiled, i));
}

static std::string describe(const std::vector<LattnValueInfo> &values) {
  std::string text;
  for (const LattnValueInfo &info : values)
    text += (text.empty() ? "" : ", ") + std::string(info.name) + ": " +
            info.spelling + (info.isWritten ? " (written)" : "");
  return "(" + text + ")";
}

std::string Callable::getSignature() const {
  return lattnCallableGetEntry(callable.get()) + describe(arguments) + " -> " +
         describe(results);
}

/// lattn._gradient.Value
static nb::list toList(const std::vector<LattnValueInfo> &values) {
  nb::list list;
  for (const LattnValueInfo &info : values) {
    nb::list sizes;
    for (int32_t axis = 0; axis < info.rank; ++axis)
      sizes.append(info.sizes[axis]);
    list.append(nb::make_tuple(info.name, info.spelling, getTypeName(info.type),
                               info.isArray, nb::tuple(sizes)));
  }
  return list;
}

nb::tuple Callable::getInterface() const {
  return nb::make_tuple(lattnCallableGetEntry(callable.get()),
                        toList(arguments), toList(results));
}

nb::tuple Callable::getMaker() const {
  return nb::make_tuple(nb::bytes(text.data(), text.size()), bufferName, entry,
                        cpu, attributes, pipeline, cache, isInterruptible,
                        int(ArrayView::kHost), 0, quiet);
}

nb::tuple Callable::getSource() const {
  return nb::make_tuple(nb::bytes(text.data(), text.size()), bufferName, cpu,
                        attributes, pipeline, cache);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The arguments' objects in the function's order.
std::vector<nb::object> Callable::bind(nb::args positional,
                                       nb::kwargs named) const {
  std::string entry = lattnCallableGetEntry(callable.get());
  if (positional.size() > arguments.size())
    throwTypeError(entry + ": expected " + std::to_string(arguments.size()) +
                   " arguments, got " + std::to_string(positional.size()));
  std::vector<nb::object> objects(arguments.size());
  for (size_t i = 0; i < positional.size(); ++i)
    objects[i] = positional[i];
  for (auto [keyword, object] : named) {
    auto name = nb::cast<std::string>(keyword);
    size_t i = 0;
    while (i < arguments.size() && name != arguments[i].name)
      ++i;
    if (i == arguments.size())
      throwTypeError(entry + ": got an unexpected argument '" + name +
                     "', expected " + describe(arguments));
    if (objects[i].is_valid())
      throwTypeError(entry + ": got more than one value for '" + name + "'");
    objects[i] = nb::borrow(object);
  }
  for (size_t i = 0; i < objects.size(); ++i)
    if (!objects[i].is_valid())
      throwTypeError(entry + ": the argument '" + arguments[i].name +
                     "' is missing");
  return objects;
}

nb::list Callable::bindAll(nb::args positional, nb::kwargs named) const {
  nb::list list;
  for (const nb::object &object : bind(positional, named))
    list.append(object);
  return list;
}

namespace {
union Number {
  float f32;
  int64_t i64;
};
} // namespace

/// A scalar as an array of rank 0 that NumPy makes.
static nb::object makeScalar(nb::handle object, const LattnValueInfo &info) {
  bool isFloat = info.type >= LattnF16;
  nb::object number = nb::steal(isFloat ? PyNumber_Float(object.ptr())
                                        : PyNumber_Index(object.ptr()));
  if (!number.is_valid()) {
    dropException();
    throwTypeError(std::string(info.name) + ": expected " +
                   (isFloat ? "a number" : "an integer") + ", got " +
                   getKind(object));
  }
  if (info.type == LattnBool)
    number = nb::bool_(static_cast<bool>(PyObject_IsTrue(number.ptr())));
  try {
    return nb::module_::import_("numpy").attr("array")(number,
                                                       getNumPyType(info.type));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_OverflowError))
      throw;
    throwValueError(std::string(info.name) + ": expected a number that fits " +
                    info.spelling + ", got " + toRepr(object));
  }
}

/// Python's own numbers of the likely types, as arrays of rank 0 in `number`:
/// NumPy takes as long as a small kernel.
static bool readNumber(nb::handle object, const LattnValueInfo &info,
                       Number &number, ArrayView &view) {
  if (info.type == LattnF32 && PyFloat_CheckExact(object.ptr())) {
    double value = PyFloat_AsDouble(object.ptr());
    if (std::abs(value) > std::numeric_limits<float>::max())
      return false; // an infinity, or too much
    number.f32 = static_cast<float>(value);
  } else if (info.type == LattnI64 && PyLong_CheckExact(object.ptr())) {
    int overflow = 0;
    number.i64 = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow)
      return false;
  } else {
    return false;
  }
  view.name = info.name;
  view.type = info.type;
  view.data = &number;
  return true;
}

static void readArgument(nb::object &object, const LattnValueInfo &info,
                         Number &number, ArrayView &view) {
  if (!info.isArray && readNumber(object, info, number, view))
    return;
  if (!info.isArray)
    object = makeScalar(object, info);
  if (info.isArray)
    readAnywhere(object, info.name, view);
  else
    read(object, info.name, view);
  if (view.type != info.type)
    throwTypeError(std::string(info.name) + ": expected elements of " +
                   getTypeName(info.type) + ", got " + getTypeName(view.type));
  if (info.isWritten)
    checkWritable(view);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

static nb::object makeResult(Library library, const LattnValueInfo &info,
                             const LattnArray &array) {
  nb::object result = adopt(info.isArray ? library : Library::NumPy, array);
  return info.isArray ? result : result.attr("item")();
}

static nb::object returnAll(const nb::list &results) {
  if (nb::len(results) == 0)
    return nb::none();
  return nb::len(results) == 1 ? nb::object(results[0]) : nb::tuple(results);
}

/// The GPU of all arrays, or kHost.
static int findPlace(const std::vector<ArrayView> &views,
                     const std::vector<LattnValueInfo> &arguments) {
  const ArrayView *first = nullptr;
  for (size_t i = 0; i < views.size(); ++i) {
    if (!arguments[i].isArray)
      continue;
    if (!first)
      first = &views[i];
    if (views[i].device != first->device)
      throwValueError(std::string(views[i].name) + ": expected an array " +
                      describePlace(*first) + ", as " + first->name +
                      ", got one " + describePlace(views[i]));
  }
  return first ? first->device : ArrayView::kHost;
}

/// What is written shares no memory with others.
static void checkWritten(const std::vector<ArrayView> &views,
                         const std::vector<LattnValueInfo> &arguments) {
  // Most lie apart, which is seen without looking at their axes again.
  std::vector<std::pair<const char *, const char *>> bytes;
  for (const ArrayView &view : views)
    bytes.push_back(view.getBytes());
  for (size_t i = 0; i < views.size(); ++i)
    for (size_t j = 0; arguments[i].isWritten && j < views.size(); ++j)
      if (j != i && bytes[i].first < bytes[j].second &&
          bytes[j].first < bytes[i].second)
        checkDisjoint(views[i], views[j]);
}

const LattnCudaCallable *Callable::getForGPU(int device, void *stream) const {
  if (auto it = onGPUs.find(device); it != onGPUs.end())
    return it->second;
  LattnCompileOptions options = {};
  options.cache = cache.c_str();
  LattnCudaCallable *compiled = nullptr;
  LattnError error;
  {
    nb::gil_scoped_release unlocked;
    error = lattnCudaCallableCreate(text.data(), text.size(),
                                    bufferName.c_str(), entry.c_str(), &options,
                                    device, stream, &compiled);
  }
  if (error)
    throwRuntimeError(takeText(error));
  // Another thread may have been faster.
  auto [it, isNew] = onGPUs.emplace(device, compiled);
  if (!isNew)
    lattnCudaCallableDestroy(compiled);
  throwIfSignalled();
  return it->second;
}

nb::object Callable::callOnGPU(int device,
                               const std::vector<nb::object> &objects,
                               const std::vector<ArrayView> &views,
                               const std::vector<LattnArray> &arrays) const {
  std::vector<const ArrayView *> pointers;
  for (const ArrayView &view : views)
    pointers.push_back(&view);
  GPUCall call(device, pointers);
  std::vector<LattnArray> returned(results.size());
  const LattnCudaCallable *compiled = getForGPU(device, call.getStream());
  bool isPrepared = isDry && results.empty();
  if (LattnError error = isPrepared
                             ? call.prepare(compiled, arrays)
                             : call.run(compiled, arrays, returned.data()))
    throwRuntimeError(takeText(error));
  nb::list adopted;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].isArray) {
      adopted.append(adopt(Library::NumPy, returned[i]).attr("item")());
      continue;
    }
    nb::object result = call.takeResult(returned[i]);
    // Where it is an argument, a copy.
    for (size_t j = 0; !result.is_valid() && j < views.size(); ++j)
      if (views[j].isOnGPU() && views[j].data == returned[i].data)
        result = nb::module_::import_("torch").attr("clone")(objects[j]);
    lattnArrayRelease(&returned[i]);
    if (!result.is_valid())
      throwRuntimeError(
          std::string(results[i].name) +
          ": a result that is a part of an argument is not built for GPUs yet");
    adopted.append(result);
  }
  return returnAll(adopted);
}

nb::object Callable::call(nb::args positional, nb::kwargs named) const {
  touch();
  std::vector<nb::object> objects = bind(positional, named);
  std::vector<ArrayView> views(arguments.size());
  std::vector<Number> numbers(arguments.size());
  std::vector<LattnArray> arrays;
  Library library = Library::NumPy;
  for (size_t i = 0; i < views.size(); ++i) {
    readArgument(objects[i], arguments[i], numbers[i], views[i]);
    if (views[i].library == Library::Torch)
      library = Library::Torch;
    arrays.push_back(views[i].getArray());
  }
  checkWritten(views, arguments);
  int device = findPlace(views, arguments);
  if (device != ArrayView::kHost)
    return callOnGPU(device, objects, views, arrays);
  if (!callable)
    throwValueError("expected arrays on the GPU that the kernel is for, got "
                    "arrays in the CPU's memory");
  if (isDry && results.empty())
    return nb::none();
  std::vector<LattnArray> returned(results.size());
  LattnError error;
  {
    std::optional<Interruptible> interruptible;
    if (isInterruptible)
      interruptible.emplace();
    {
      nb::gil_scoped_release unlocked;
      error = lattnCallableCall(callable.get(), arrays.data(), arrays.size(),
                                returned.data());
    }
    if (interruptible)
      interruptible->throwIfRaised();
  }
  if (error)
    throwValueError(takeText(error));
  nb::list adopted;
  for (size_t i = 0; i < results.size(); ++i)
    adopted.append(makeResult(library, results[i], returned[i]));
  return returnAll(adopted);
}

static constexpr const char *kCallDoc =
    R"(Calls the function.

Args:
  Arguments are given by position, or by their names in ``signature``. Arrays are
  NumPy's, PyTorch's, or any with ``__dlpack__`` or ``__cuda_array_interface__``.
  Scalars are numbers. Memrefs that the function writes are written in place.

Returns:
  None, the result, or a tuple of results. Arrays are PyTorch's if an argument was,
  else NumPy's. Scalars are numbers.

Raises:
  TypeError: an argument is missing, has another element type, or is not known.
    ValueError: a size does not fit the function's type or another argument.
    RuntimeError: the compiler, where arrays on a GPU need code for it.)";

static constexpr const char *kGradDoc =
    R"(Makes a callable for the function's values and gradients.

Args:
  arguments: the arguments to differentiate by: a name or a number, or a sequence
    of them. None is all floats and tensors of floats.

Returns:
  A lattn.Gradient. It takes the function's arguments and ``cotangents``, and
  returns (values, gradients). ``values`` is what the function returns.
  ``gradients`` is a tuple in the order of ``arguments``, or one gradient if
  ``arguments`` is a name or a number. Each has the shape and type of its
  argument. They are the gradients of the sum of ``cotangents * values`` over all
  results of floats. ``cotangents`` is an array like the result, or a tuple of
  arrays if several results are floats. None stands for 1 if there is one result
  of one element, such as a loss.

Raises:
  TypeError, ValueError: there is no such argument, or it has no floats; the
    function has no results of floats, or takes memrefs. RuntimeError: the
    compiler's message, which names an operation without a derivative and its
    line.)";

void lattn::python::addCallable(nb::module_ &module) {
  nb::class_<Callable>(module, "Callable",
                       "A compiled function. lattn.compile makes it.")
      .def(nb::init<nb::bytes, const std::string &, const std::string &,
                    const std::string &, const std::string &,
                    const std::string &, const std::string &, bool, int,
                    uint64_t, bool>())
      .def("__call__", &Callable::call, kCallDoc)
      .def_prop_ro("signature", &Callable::getSignature,
                   "The function's name, its arguments and its results, with "
                   "types in MLIR's spelling.")
      .def_prop_ro("last_call", &Callable::getLastCall)
      .def(
          "grad",
          [](nb::handle self, nb::handle arguments) {
            return nb::module_::import_("lattn._gradient")
                .attr("Gradient")(self, arguments);
          },
          nb::arg("arguments").none() = nb::none(), kGradDoc)
      .def("__reduce__",
           [](nb::handle self) {
             auto &callable = nb::cast<const Callable &>(self);
             return nb::make_tuple(self.type(), callable.getMaker());
           })
      .def("_bind", &Callable::bindAll)
      .def("_describe", &Callable::getInterface)
      .def("_get_source", &Callable::getSource)
      .def("__repr__", [](const Callable &self) {
        return "<lattn.Callable " + self.getSignature() + ">";
      });
}

//===- XLA.cpp - Kernels as foreign functions of XLA ----------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The custom call "lattn_call" of XLA's typed FFI. Its attribute `text` is MLIR
// and not an address: so programs that XLA stores run in other processes. XLA
// instantiates a call when it compiles a program, and the text is compiled
// then. XLA's own state of calls is not used: it needs a type that can be
// registered only after XLA has its devices, and calls could be registered only
// then.

#include "Module.h"
#include "Values.h"
#include "XLACall.h"
#include <mutex>

namespace nb = nanobind;
using namespace lattn::python;
using namespace lattn::python::xla_calls;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
/// What was compiled in this process, by its text. XLA keeps its programs as
/// long, and all of their shapes share a kernel.
class Kernels {
public:
  /// Null with an error.
  const Kernel *get(std::string_view text, LattnError &error);

private:
  std::mutex mutex;
  std::map<std::string, Kernel, std::less<>> kernels;
};
} // namespace

const Kernel *Kernels::get(std::string_view text, LattnError &error) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = kernels.find(text);
  if (it != kernels.end())
    return &it->second;
  LattnCompileOptions options = {};
  Kernel kernel;
  error = lattnCallableCreate(text.data(), text.size(), "<text>", "", &options,
                              &kernel.callable);
  if (error)
    return nullptr;
  for (intptr_t i = 0; i < lattnCallableGetNumArguments(kernel.callable); ++i)
    kernel.arguments.push_back(lattnCallableGetArgument(kernel.callable, i));
  return &kernels.emplace(text, std::move(kernel)).first->second;
}

/// Never destroyed: XLA's threads may run longer than static objects live.
static Kernels &getKernels() {
  static auto &kernels = *new Kernels();
  return kernels;
}

static ffi::Error instantiate(std::string_view text, std::string_view,
                              std::string_view, std::string_view ofSingles) {
  LattnError error = {};
  Kernels &kernels = getKernels();
  bool isDone = kernels.get(text, error) &&
                (ofSingles.empty() || kernels.get(ofSingles, error));
  return isDone ? ffi::Error::Success() : makeError(error);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

/// Whether the kernel of single queries fits. False where borders are wrong,
/// which adding them finds.
static bool areSingles(Attributes attributes, ffi::RemainingArgs operands) {
  if (attributes.ofSingles.empty())
    return false;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (attributes.takeName() != "cu_seqlens_q")
      continue;
    auto buffer = operands.get<ffi::AnyBuffer>(i);
    LattnArray array = {};
    if (buffer.has_error() || !getType(buffer->element_type(), array.type))
      return false;
    array.data = buffer->untyped_data();
    array.sizes = buffer->dimensions().begin();
    Borders borders;
    return !readBorders(array, "", array.sizes[0] - 1, borders) &&
           borders.singles == borders.count;
  }
  return false;
}

/// Operands are the function's first arguments, results the others.
static ffi::Error execute(std::string_view text, std::string_view names,
                          std::string_view layout, std::string_view ofSingles,
                          ffi::RemainingArgs operands,
                          ffi::RemainingRets results) {
  Attributes attributes = {text, names, layout, ofSingles};
  bool isOfSingles = areSingles(attributes, operands);
  LattnError error = {};
  const Kernel *kernel =
      getKernels().get(isOfSingles ? ofSingles : text, error);
  if (!kernel)
    return makeError(error);
  Call call(*kernel, attributes, isOfSingles);
  for (size_t i = 0; i < operands.size(); ++i) {
    auto buffer = operands.get<ffi::AnyBuffer>(i);
    if (buffer.has_error())
      return buffer.error();
    std::string_view name = attributes.takeName();
    ffi::Error error =
        name.empty() ? call.add(*buffer) : call.add(*buffer, name);
    if (error.failure())
      return error;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    auto buffer = results.get<ffi::AnyBuffer>(i);
    if (buffer.has_error())
      return buffer.error();
    if (ffi::Error error = call.addResult(**buffer); error.failure())
      return error;
  }
  return call.run();
}

XLA_FFI_DEFINE_HANDLER(instantiateHandler, instantiate,
                       ffi::Ffi::BindInstantiate()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout")
                           .Attr<std::string_view>("of_singles"));
XLA_FFI_DEFINE_HANDLER(executeHandler, execute,
                       ffi::Ffi::Bind()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout")
                           .Attr<std::string_view>("of_singles")
                           .RemainingArgs()
                           .RemainingRets());

static nb::capsule wrap(XLA_FFI_Handler *handler) {
  return nb::capsule(reinterpret_cast<void *>(handler));
}

void lattn::python::addXLA(nb::module_ &module) {
  nb::dict handlers;
  handlers["instantiate"] = wrap(instantiateHandler);
  handlers["execute"] = wrap(executeHandler);
  module.attr("xla_handlers") = handlers;
}

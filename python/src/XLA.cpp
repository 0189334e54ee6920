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
  Kernel kernel;
  error = lattnCallableCreate(text.data(), text.size(), "<text>", "", nullptr,
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

/// The kernel of single queries is compiled when it first runs.
static ffi::Error instantiate(std::string_view text, std::string_view,
                              std::string_view, std::string_view, bool) {
  LattnError error = {};
  return getKernels().get(text, error) ? ffi::Error::Success()
                                       : makeError(error);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

/// Reads how many sequences there are, and how many of the first ones have one
/// query each, where the kernel of single queries may run. None where borders
/// are wrong, which adding them finds.
static Borders readSingles(Attributes attributes, ffi::RemainingArgs operands) {
  if (attributes.ofSingles.empty())
    return {};
  for (size_t i = 0; i < operands.size(); ++i) {
    if (attributes.takeName() != "cu_seqlens_q")
      continue;
    auto buffer = operands.get<ffi::AnyBuffer>(i);
    LattnArray array = {};
    if (buffer.has_error() || !getType(buffer->element_type(), array.type))
      return {};
    array.data = buffer->untyped_data();
    array.sizes = buffer->dimensions().begin();
    // The number of rows is checked later.
    Borders borders;
    readBorders(array, "", 0, borders);
    bool canRun = attributes.canSplit || borders.singles == borders.count;
    return canRun ? borders : Borders();
  }
  return {};
}

static ffi::Error runPart(Attributes attributes, Part part,
                          ffi::RemainingArgs operands,
                          ffi::RemainingRets results) {
  LattnError error = {};
  const Kernel *kernel = getKernels().get(
      part.isOfSingles ? attributes.ofSingles : attributes.text, error);
  if (!kernel)
    return makeError(error);
  Call call(*kernel, attributes, part);
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

/// Operands are the function's first arguments, results the others. As in
/// Attention::runSingleQueries, the first sequences run as a batch where they
/// have one query each.
static ffi::Error execute(std::string_view text, std::string_view names,
                          std::string_view layout, std::string_view ofSingles,
                          bool canSplit, ffi::RemainingArgs operands,
                          ffi::RemainingRets results) {
  Attributes attributes = {text, names, layout, ofSingles, canSplit};
  Borders borders = readSingles(attributes, operands);
  int64_t singles = borders.singles, others = borders.count - singles;
  if (singles == 0)
    return runPart(attributes, {}, operands, results);
  // Adding the last part checks all borders, so that comes first.
  if (others > 0)
    if (ffi::Error error =
            runPart(attributes, {false, singles, others}, operands, results);
        error.failure())
      return error;
  return runPart(attributes, {true, 0, singles}, operands, results);
}

XLA_FFI_DEFINE_HANDLER(instantiateHandler, instantiate,
                       ffi::Ffi::BindInstantiate()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout")
                           .Attr<std::string_view>("of_singles")
                           .Attr<bool>("can_split"));
XLA_FFI_DEFINE_HANDLER(executeHandler, execute,
                       ffi::Ffi::Bind()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout")
                           .Attr<std::string_view>("of_singles")
                           .Attr<bool>("can_split")
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

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

#include "Arrays.h"
#include "Module.h"
#include "Values.h"
#include "lattn-c/Callable.h"
#include "xla/ffi/api/ffi.h"
#include <map>
#include <mutex>
#include <sstream>

namespace nb = nanobind;
namespace ffi = xla::ffi;
using namespace lattn::python;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

namespace {
struct Kernel {
  LattnCallable *callable = nullptr;
  std::vector<LattnValueInfo> arguments;
};

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

static ffi::Error makeFfiError(LattnError error) {
  return ffi::Error::Internal("lattn: " + takeText(error));
}

static ffi::Error instantiate(std::string_view text, std::string_view /*names*/,
                              std::string_view /*layout*/) {
  LattnError error = {};
  return getKernels().get(text, error) ? ffi::Error::Success()
                                       : makeFfiError(error);
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

static bool getType(ffi::DataType type, LattnElementType &result) {
  switch (type) {
  case ffi::DataType::PRED:
    result = LattnBool;
    return true;
  case ffi::DataType::S8:
    result = LattnI8;
    return true;
  case ffi::DataType::S16:
    result = LattnI16;
    return true;
  case ffi::DataType::S32:
    result = LattnI32;
    return true;
  case ffi::DataType::S64:
    result = LattnI64;
    return true;
  case ffi::DataType::U8:
    result = LattnU8;
    return true;
  case ffi::DataType::U16:
    result = LattnU16;
    return true;
  case ffi::DataType::U32:
    result = LattnU32;
    return true;
  case ffi::DataType::U64:
    result = LattnU64;
    return true;
  case ffi::DataType::F16:
    result = LattnF16;
    return true;
  case ffi::DataType::F32:
    result = LattnF32;
    return true;
  case ffi::DataType::F64:
    result = LattnF64;
    return true;
  case ffi::DataType::BF16:
    result = LattnBF16;
    return true;
  default:
    return false;
  }
}

namespace {
/// The arguments of one call.
class Call {
public:
  /// `positions` is the axis of positions in rows of queries and keys.
  Call(const Kernel &kernel, int positions)
      : kernel(kernel), positions(positions) {
    arrays.reserve(kernel.arguments.size());
  }

  ffi::Error add(const ffi::AnyBuffer &buffer);
  /// Adds an operand whose name says how its values are checked.
  ffi::Error add(const ffi::AnyBuffer &buffer, const std::string &name);
  ffi::Error run();

private:
  const Kernel &kernel;
  int positions;
  std::vector<LattnArray> arrays;
  std::vector<std::vector<int64_t>> wide;
  /// By the names of operands, as XLA has them; what they point to stays.
  std::map<std::string, LattnArray> named;

  void widen(LattnArray &array);
  ffi::Error addLongest(const std::string &name);
  ffi::Error checkTable() const;
};
} // namespace

/// Copies integers of 32 bits, of which there are few: an offset for each
/// batch.
void Call::widen(LattnArray &array) {
  bool isSigned = array.type == LattnI32;
  if (!isSigned && array.type != LattnU32)
    return;
  int64_t count = 1;
  for (int32_t axis = 0; axis < array.rank; ++axis)
    count *= array.sizes[axis];
  std::vector<int64_t> &numbers = wide.emplace_back(count);
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = isSigned ? int64_t{static_cast<int32_t *>(array.data)[i]}
                          : int64_t{static_cast<uint32_t *>(array.data)[i]};
  array.data = numbers.data();
  array.type = LattnI64;
}

ffi::Error Call::add(const ffi::AnyBuffer &buffer) {
  size_t place = arrays.size();
  if (place == kernel.arguments.size())
    return ffi::Error::InvalidArgument("lattn_call: expected " +
                                       std::to_string(place) +
                                       " operands and results, got more");
  const LattnValueInfo &info = kernel.arguments[place];
  LattnArray array = {};
  if (!getType(buffer.element_type(), array.type))
    return ffi::Error::InvalidArgument(
        std::string("lattn_call: ") + info.name +
        ": got an element type that lattn does not have");
  array.data = buffer.untyped_data();
  array.rank = buffer.dimensions().size();
  array.sizes = buffer.dimensions().begin();
  // Kernels read booleans of pairs as bytes, and JAX has no 64 bits unless it
  // is told to.
  if (info.type == LattnI8 && array.type == LattnBool)
    array.type = LattnI8;
  if (info.type == LattnI64)
    widen(array);
  arrays.push_back(array);
  return ffi::Error::Success();
}

ffi::Error Call::add(const ffi::AnyBuffer &buffer, const std::string &name) {
  if (ffi::Error error = add(buffer); error.failure())
    return error;
  named[name] = arrays.back();
  return name.rfind("cu_seqlens_", 0) == 0 ? addLongest(name)
                                           : ffi::Error::Success();
}

/// Checks the borders `name`. The kernel takes the length of the longest
/// sequence behind them.
ffi::Error Call::addLongest(const std::string &name) {
  const LattnArray &rows = named.at(name.back() == 'q' ? "query" : "key");
  Borders borders;
  if (ValueError error =
          readBorders(named.at(name), name, rows.sizes[positions], borders))
    return ffi::Error::InvalidArgument(*error);
  LattnArray longest = {};
  longest.data = wide.emplace_back(1, borders.longest).data();
  longest.type = LattnI64;
  arrays.push_back(longest);
  return ffi::Error::Success();
}

ffi::Error Call::checkTable() const {
  auto pages = named.find("pages");
  if (pages == named.end())
    return ffi::Error::Success();
  const LattnArray &pool = named.at("key");
  auto lengths = named.find("kv_lens");
  ValueError error = checkPages(
      pages->second, lengths == named.end() ? nullptr : &lengths->second,
      pool.sizes[positions], pool.sizes[0]);
  return error ? ffi::Error::InvalidArgument(*error) : ffi::Error::Success();
}

ffi::Error Call::run() {
  if (ffi::Error error = checkTable(); error.failure())
    return error;
  LattnError error =
      lattnCallableCall(kernel.callable, arrays.data(), arrays.size(), nullptr);
  return error ? makeFfiError(error) : ffi::Error::Success();
}

/// Operands are the function's first arguments, results the others. `names` are
/// those of the first operands, apart by spaces, where values must be checked.
static ffi::Error execute(std::string_view text, std::string_view names,
                          std::string_view layout, ffi::RemainingArgs operands,
                          ffi::RemainingRets results) {
  LattnError error = {};
  const Kernel *kernel = getKernels().get(text, error);
  if (!kernel)
    return makeFfiError(error);
  Call call(*kernel, layout == "bnhd" ? 1 : 2);
  std::istringstream left{std::string(names)};
  std::string name;
  for (size_t i = 0; i < operands.size(); ++i) {
    auto buffer = operands.get<ffi::AnyBuffer>(i);
    if (buffer.has_error())
      return buffer.error();
    ffi::Error error =
        left >> name ? call.add(*buffer, name) : call.add(*buffer);
    if (error.failure())
      return error;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    auto buffer = results.get<ffi::AnyBuffer>(i);
    if (buffer.has_error())
      return buffer.error();
    if (ffi::Error error = call.add(**buffer); error.failure())
      return error;
  }
  return call.run();
}

XLA_FFI_DEFINE_HANDLER(instantiateHandler, instantiate,
                       ffi::Ffi::BindInstantiate()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout"));
XLA_FFI_DEFINE_HANDLER(executeHandler, execute,
                       ffi::Ffi::Bind()
                           .Attr<std::string_view>("text")
                           .Attr<std::string_view>("names")
                           .Attr<std::string_view>("layout")
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

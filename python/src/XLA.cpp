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
#include <utility>

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

static ffi::Error instantiate(std::string_view text, std::string_view,
                              std::string_view, std::string_view ofSingles) {
  LattnError error = {};
  Kernels &kernels = getKernels();
  bool isDone = kernels.get(text, error) &&
                (ofSingles.empty() || kernels.get(ofSingles, error));
  return isDone ? ffi::Error::Success() : makeFfiError(error);
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
/// The attributes of a call.
struct Attributes {
  std::string_view text;
  /// The names of the first operands, apart by spaces, where values are
  /// checked.
  std::string_view names;
  std::string_view layout;
  /// The kernel for packed queries, where each sequence has one: it takes them
  /// for a batch. Empty where that cannot be.
  std::string_view ofSingles;

  /// Takes the next of `names`; empty behind the last.
  std::string_view takeName();
};

/// The arguments of one call.
class Call {
public:
  Call(const Kernel &kernel, const Attributes &attributes, bool isOfSingles)
      : kernel(kernel), positions(attributes.layout == "bnhd" ? 1 : 2),
        isOfSingles(isOfSingles) {
    arrays.reserve(kernel.arguments.size());
  }

  ffi::Error add(const ffi::AnyBuffer &buffer);
  /// Adds an operand whose values may have to be checked.
  ffi::Error add(const ffi::AnyBuffer &buffer, std::string_view name);
  ffi::Error addResult(const ffi::AnyBuffer &buffer);
  ffi::Error run();

private:
  const Kernel &kernel;
  int positions; // the axis, in rows of queries and keys
  bool isOfSingles;
  std::vector<LattnArray> arrays;
  std::vector<std::vector<int64_t>> numbers; // that arrays point to
  /// By the names of operands, with the shapes that XLA knows.
  std::map<std::string, LattnArray, std::less<>> named;
  /// Of packed sequences of queries, and of keys.
  std::optional<int64_t> longest[2];

  void widen(LattnArray &array);
  void unpack(LattnArray &array, int rows);
  ffi::Error addBorders(std::string_view name);
  ffi::Error checkTable() const;
  ffi::Error checkPairs(const char *name, const char *argument) const;
};
} // namespace

std::string_view Attributes::takeName() {
  size_t size = names.find(' ');
  std::string_view name = names.substr(0, size);
  names.remove_prefix(size == names.npos ? names.size() : size + 1);
  return name;
}

/// Copies integers of 32 bits, of which there are few: an offset for each
/// batch.
void Call::widen(LattnArray &array) {
  bool isSigned = array.type == LattnI32;
  if (!isSigned && array.type != LattnU32)
    return;
  int64_t count = 1;
  for (int32_t axis = 0; axis < array.rank; ++axis)
    count *= array.sizes[axis];
  std::vector<int64_t> &wide = numbers.emplace_back(count);
  for (int64_t i = 0; i < count; ++i)
    wide[i] = isSigned ? int64_t{static_cast<int32_t *>(array.data)[i]}
                       : int64_t{static_cast<uint32_t *>(array.data)[i]};
  array.data = wide.data();
  array.type = LattnI64;
}

/// Takes packed sequences of one row each for a batch. `rows` is their axis.
void Call::unpack(LattnArray &array, int rows) {
  std::vector<int64_t> &extents = numbers.emplace_back(2 * array.rank);
  int64_t *sizes = extents.data(), *strides = sizes + array.rank, stride = 1;
  for (int32_t axis = array.rank - 1; axis >= 0; --axis) {
    sizes[axis] = array.sizes[axis];
    strides[axis] = stride;
    stride *= sizes[axis];
  }
  sizes[0] = std::exchange(sizes[rows], 1);
  strides[0] = std::exchange(strides[rows], 0);
  array.sizes = sizes;
  array.strides = strides;
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

ffi::Error Call::add(const ffi::AnyBuffer &buffer, std::string_view name) {
  if (isOfSingles && name == "cu_seqlens_q") {
    longest[0] = 1;
    return ffi::Error::Success();
  }
  if (ffi::Error error = add(buffer); error.failure())
    return error;
  named.emplace(name, arrays.back());
  if (isOfSingles && name == "query")
    unpack(arrays.back(), positions);
  return name.substr(0, 11) == "cu_seqlens_" ? addBorders(name)
                                             : ffi::Error::Success();
}

/// The output or the log-sum-exp, where sequences have one query each.
ffi::Error Call::addResult(const ffi::AnyBuffer &buffer) {
  if (ffi::Error error = add(buffer); error.failure())
    return error;
  if (isOfSingles)
    unpack(arrays.back(), buffer.dimensions().size() == 4 ? positions : 2);
  return ffi::Error::Success();
}

/// Checks the borders that were added. Behind them, the kernel takes the length
/// of the longest sequence.
ffi::Error Call::addBorders(std::string_view name) {
  bool isOfKeys = name.back() == 'k';
  const LattnArray &rows = named.find(isOfKeys ? "key" : "query")->second;
  Borders borders;
  if (ValueError error = readBorders(arrays.back(), std::string(name),
                                     rows.sizes[positions], borders))
    return ffi::Error::InvalidArgument(*error);
  longest[isOfKeys] = borders.longest;
  LattnArray number = {};
  number.data = numbers.emplace_back(1, borders.longest).data();
  number.type = LattnI64;
  arrays.push_back(number);
  return ffi::Error::Success();
}

ffi::Error Call::checkTable() const {
  auto pages = named.find("pages");
  if (pages == named.end())
    return ffi::Error::Success();
  const LattnArray &pool = named.find("key")->second;
  auto lengths = named.find("kv_lens");
  ValueError error = checkPages(
      pages->second, lengths == named.end() ? nullptr : &lengths->second,
      pool.sizes[positions], pool.sizes[0]);
  return error ? ffi::Error::InvalidArgument(*error) : ffi::Error::Success();
}

/// Checks the last axes of an array of pairs, or of keys, where sequences are
/// packed: before, nobody knows how long the longest ones are.
ffi::Error Call::checkPairs(const char *name, const char *argument) const {
  auto found = named.find(name);
  if (found == named.end())
    return ffi::Error::Success();
  const LattnArray &array = found->second;
  bool isOfKeys = array.rank == 2; // which has no axis of queries
  for (int side = isOfKeys; side < 2; ++side) {
    int axis = array.rank - 2 + side;
    int64_t size = array.sizes[axis];
    if (!longest[side] || size == *longest[side] || (size == 1 && !isOfKeys))
      continue;
    return ffi::Error::InvalidArgument(
        std::string(argument) + ": expected " + (isOfKeys ? "" : "1 or ") +
        std::to_string(*longest[side]) + " elements for the " +
        (side ? "keys" : "queries") + " of the longest sequence, got " +
        std::to_string(size));
  }
  return ffi::Error::Success();
}

ffi::Error Call::run() {
  if (ffi::Error error = checkTable(); error.failure())
    return error;
  constexpr const char *arguments[][2] = {{"bias", "bias, attn_mask"},
                                          {"mask", "attn_mask"},
                                          {"key_mask", "key_mask"}};
  for (auto &[name, argument] : arguments)
    if (ffi::Error error = checkPairs(name, argument); error.failure())
      return error;
  LattnError error =
      lattnCallableCall(kernel.callable, arrays.data(), arrays.size(), nullptr);
  return error ? makeFfiError(error) : ffi::Error::Success();
}

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
    return makeFfiError(error);
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

//===- XLACall.cpp - One call of a kernel by XLA --------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XLACall.h"
#include "Arrays.h"
#include "Values.h"
#include <utility>

using namespace lattn::python;
using namespace lattn::python::xla_calls;

ffi::Error xla_calls::makeError(LattnError error) {
  return ffi::Error::Internal("lattn: " + takeText(error));
}

bool xla_calls::getType(ffi::DataType type, LattnElementType &result) {
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

Call::Call(const Kernel &kernel, const Attributes &attributes, Part part)
    : kernel(kernel), positions(attributes.layout == "bnhd" ? 1 : 2),
      part(part) {
  auto has = [&](const char *name) {
    return attributes.names.find(name) != std::string_view::npos;
  };
  areKeysInBatches = !has("pages") && !has("cu_seqlens_k");
  arrays.reserve(kernel.arguments.size());
}

/// Whether the first axis of an operand is that of sequences.
bool Call::isOfSequences(std::string_view name, int32_t rank) const {
  if (name == "key" || name == "value")
    return areKeysInBatches;
  return name == "pages" || name == "kv_lens" ||
         (name == "offset" && rank == 1);
}

/// Keeps `size` elements along the first axis, those of the part.
void Call::keep(LattnArray &array, int64_t size) {
  std::vector<int64_t> &sizes =
      numbers.emplace_back(array.sizes, array.sizes + array.rank);
  int64_t bytes = lattnElementTypeGetSize(array.type) * part.begin;
  for (int32_t axis = 1; axis < array.rank; ++axis)
    bytes *= sizes[axis];
  array.data = static_cast<char *>(array.data) + bytes;
  sizes[0] = size;
  array.sizes = sizes.data();
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
  if (part.count)
    sizes[0] = *part.count;
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
  if (ffi::Error error = add(buffer); error.failure())
    return error;
  named.emplace(name, arrays.back());
  if (part.isOfSingles && name == "query")
    unpack(arrays.back(), positions);
  if (part.count && isOfSequences(name, arrays.back().rank))
    keep(arrays.back(), *part.count);
  return name.substr(0, 11) == "cu_seqlens_" ? addBorders(name)
                                             : ffi::Error::Success();
}

/// Where sequences have one query each, it is the output or the log-sum-exp.
ffi::Error Call::addResult(const ffi::AnyBuffer &buffer) {
  if (ffi::Error error = add(buffer); error.failure())
    return error;
  if (part.isOfSingles)
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
  if (part.isOfSingles && !isOfKeys) { // a batch has no borders
    arrays.pop_back();
    return ffi::Error::Success();
  }
  if (part.count)
    keep(arrays.back(), *part.count + 1);
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
  return error ? makeError(error) : ffi::Error::Success();
}

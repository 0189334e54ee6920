//===- XLACall.h - One call of a kernel by XLA ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_XLACALL_H
#define LATTN_PYTHON_XLACALL_H

#include "lattn-c/Callable.h"
#include "xla/ffi/api/ffi.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lattn::python::xla_calls {

namespace ffi = xla::ffi;

/// False where lattn does not have it.
bool getType(ffi::DataType type, LattnElementType &result);

ffi::Error makeError(LattnError error);

/// What a text was compiled to.
struct Kernel {
  LattnCallable *callable = nullptr;
  std::vector<LattnValueInfo> arguments;
};

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
  /// Whether that kernel may run for the first sequences only.
  bool canSplit;

  /// Takes the next of `names`; empty behind the last.
  std::string_view takeName();
};

/// Some of the packed sequences, or whatever a call without them takes.
struct Part {
  bool isOfSingles = false; // of one query each
  int64_t begin = 0;
  std::optional<int64_t> count; // not given: all
};

/// The arguments of one call.
class Call {
public:
  Call(const Kernel &kernel, const Attributes &attributes, Part part);

  ffi::Error add(const ffi::AnyBuffer &buffer);
  /// Adds an operand whose values may have to be checked.
  ffi::Error add(const ffi::AnyBuffer &buffer, std::string_view name);
  ffi::Error addResult(const ffi::AnyBuffer &buffer);
  ffi::Error run();

private:
  const Kernel &kernel;
  int positions; // the axis, in rows of queries and keys
  bool areKeysInBatches;
  Part part;
  std::vector<LattnArray> arrays;
  std::vector<std::vector<int64_t>> numbers; // that arrays point to
  /// By the names of operands, with the shapes that XLA knows.
  std::map<std::string, LattnArray, std::less<>> named;
  /// Of packed sequences of queries, and of keys.
  std::optional<int64_t> longest[2];

  void widen(LattnArray &array);
  void unpack(LattnArray &array, int rows);
  bool isOfSequences(std::string_view name, int32_t rank) const;
  void keep(LattnArray &array, int64_t size);
  ffi::Error addBorders(std::string_view name);
  ffi::Error checkTable() const;
  ffi::Error checkPairs(const char *name, const char *argument) const;
};

} // namespace lattn::python::xla_calls

#endif // LATTN_PYTHON_XLACALL_H

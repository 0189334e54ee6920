//===- Unwrap.h - What C handles hold ---------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_LIB_CAPI_UNWRAP_H
#define LATTN_LIB_CAPI_UNWRAP_H

#include "lattn-c/Callable.h"
#include "lattn/Execution/Program.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>
#include <initializer_list>

struct LattnCallable {
  explicit LattnCallable(lattn::Program program);

  lattn::Program program;
  /// Sizes of the arguments and of the results. -1 stands for any size.
  std::vector<llvm::SmallVector<int64_t>> argumentSizes, resultSizes;
};

namespace lattn {

inline LattnElementType wrap(ElementKind kind) {
  static_assert(int(ElementKind::BF16) == LattnBF16 &&
                    int(ElementKind::F16) == LattnF16 &&
                    int(ElementKind::U8) == LattnU8,
                "the enumerations have one order");
  return static_cast<LattnElementType>(kind);
}
/// The number of an enumerator. A C program can pass any number, but C++ must
/// not load one that is not declared.
inline int getNumber(const LattnElementType &type) {
  int number;
  static_assert(sizeof(number) == sizeof(type), "an enum of C is an int");
  std::memcpy(&number, &type, sizeof(number));
  return number;
}

inline ElementKind unwrap(LattnElementType type) {
  return static_cast<ElementKind>(type);
}

/// NULL is the default.
llvm::Expected<CompileOptions> unwrap(const LattnCompileOptions *options);
/// NULL is empty.
inline llvm::StringRef toRef(const char *text) { return text ? text : ""; }

/// The error for a parameter that must not be NULL.
inline llvm::Error makeNullError(llvm::StringRef name) {
  return llvm::createStringError("expected " + name + ", got NULL");
}
/// An error if one of these parameters is NULL.
inline llvm::Error
requireAll(std::initializer_list<std::pair<const void *, llvm::StringRef>>
               parameters) {
  for (auto [pointer, name] : parameters)
    if (!pointer)
      return makeNullError(name);
  return llvm::Error::success();
}

/// The `length` bytes at `text`. The last may be the zero that ends the text.
/// Reads nothing behind a zero, except in MLIR's bytecode.
llvm::Expected<llvm::StringRef> toText(const char *text, size_t length);

/// Calls with arrays of the host or, if there is a `call`, of the GPU.
llvm::Error callProgram(const Program &program, const LattnArray *arguments,
                        intptr_t numArguments, const DeviceCall *call,
                        LattnArray *results);

/// Compiles what such a call on the GPU needs.
llvm::Error prepareProgram(const Program &program, const LattnArray *arguments,
                           intptr_t numArguments, uint64_t stream);

/// nullptr for success.
LattnError makeError(llvm::Error error);

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readFile(const char *path);

} // namespace lattn

#endif // LATTN_LIB_CAPI_UNWRAP_H

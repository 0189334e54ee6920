//===- Error.h - Errors of the CUDA runtime ---------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Nothing here needs LLVM: a program that carries compiled kernels links it.

#ifndef LATTN_RUNTIME_CUDA_ERROR_H
#define LATTN_RUNTIME_CUDA_ERROR_H

#include <optional>
#include <string>
#include <utility>

namespace lattn::cuda {

/// True if something failed, as llvm::Error.
class [[nodiscard]] Error {
public:
  Error() = default;
  explicit Error(std::string text) : text(std::move(text)) {}

  explicit operator bool() const { return !text.empty(); }
  const std::string &message() const { return text; }
  /// The same error with more about its place: "... (details)".
  Error with(const std::string &details) && {
    return Error(text + " (" + details + ")");
  }

private:
  std::string text;
};

/// A value or an error; true if it is a value, as llvm::Expected.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : value(std::move(value)) {}
  Result(Error error) : error(std::move(error)) {}

  explicit operator bool() const { return value.has_value(); }
  T &operator*() { return *value; }
  T *operator->() { return &*value; }
  Error takeError() { return std::move(error); }

private:
  std::optional<T> value;
  Error error;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_ERROR_H

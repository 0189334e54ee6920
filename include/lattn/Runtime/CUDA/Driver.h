//===- Driver.h - libcuda, opened when it is needed -------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_DRIVER_H
#define LATTN_RUNTIME_CUDA_DRIVER_H

#include "lattn/Runtime/CUDA/DriverTypes.h"
#include "lattn/Runtime/CUDA/Error.h"
#include <memory>

namespace lattn::cuda {

/// The driver's functions by name.
struct DriverFunctions {
#define LATTN_CUDA(name, suffix, parameters) Status(*name) parameters = nullptr;
#define LATTN_CUDA_SINCE(name, suffix, version, parameters)                    \
  Status(*name) parameters = nullptr;
#include "lattn/Runtime/CUDA/DriverFunctions.def"
};

/// "12.4" for 12040.
std::string formatVersion(int version);

class Driver {
public:
  /// Opens and initialises the library at `path`; empty: $LATTN_LIBCUDA, else
  /// libcuda.so.1 where the system looks for it.
  static Result<std::shared_ptr<const Driver>>
  load(const std::string &path = {});
  /// The driver of this process, which stays open until the process ends.
  static Result<std::shared_ptr<const Driver>> get();
  ~Driver();

  DriverFunctions cu;

  /// In the form of cuDriverGetVersion: 12040 is CUDA 12.4.
  int getVersion() const { return version; }
  Result<int> countDevices() const;

  /// "call: CUDA_ERROR_NAME: text" unless `status` is success.
  Error check(Status status, const char *call) const;
  /// An error that names `call` if this driver is too old to have it.
  Error require(bool available, const char *call, int since) const;

private:
  Driver() = default;
  Error resolve();

  void *library = nullptr;
  std::string path;
  int version = 0;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_DRIVER_H

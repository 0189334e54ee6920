//===- Device.h - A GPU and its primary context -----------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_DEVICE_H
#define LATTN_RUNTIME_CUDA_DEVICE_H

#include "lattn/Runtime/CUDA/Driver.h"

namespace lattn::cuda {

struct DeviceInfo {
  int ordinal = 0;
  std::string name;
  int major = 0, minor = 0; // compute capability
  int multiprocessors = 0;
  int sharedBytes = 0; // most that one block may ask for

  /// "sm_90".
  std::string getChip() const;
  /// "the device 'NAME' is sm_90".
  std::string describe() const;
};

/// Holds the context that the CUDA runtime, torch and others also use.
class Device {
public:
  static Result<std::shared_ptr<const Device>>
  open(std::shared_ptr<const Driver> driver, int ordinal);
  ~Device();

  const Driver &getDriver() const { return *driver; }
  const DriverFunctions &cu() const { return driver->cu; }
  const DeviceInfo &getInfo() const { return info; }
  Error check(Status status, const char *call) const {
    return driver->check(status, call);
  }

  /// An error unless `address` is memory of this device at a multiple of
  /// `alignment` bytes. Errors call it `name`.
  Error checkPointer(DevicePointer address, size_t alignment,
                     const char *name) const;

private:
  friend class ContextScope;
  Device() = default;
  Error describe();

  std::shared_ptr<const Driver> driver;
  DeviceInfo info;
  int device = 0;
  ContextHandle context = nullptr;
};

using DeviceRef = std::shared_ptr<const Device>;

/// Makes a device's context this thread's until the end of the scope.
class ContextScope {
public:
  explicit ContextScope(const Device &device);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;

  /// The error of entering the scope. Ask for it before anything else.
  Error takeError() { return std::move(error); }

private:
  const Device &device;
  Error error;
  bool pushed;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_DEVICE_H

//===- Driver.cpp - libcuda, opened when it is needed ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/Driver.h"
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace lattn::cuda;

/// Functions are asked for as CUDA 12.0 has them.
static constexpr int kInterfaceVersion = 12000;
/// The oldest driver whose functions are all here but those marked as newer.
static constexpr int kOldestVersion = 11040;

std::string lattn::cuda::formatVersion(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

//===----------------------------------------------------------------------===//
// Finding functions
//===----------------------------------------------------------------------===//

namespace {

using GetProcAddress = Status (*)(const char *, void **, int, uint64_t, int *);

/// Looks a function up: by the driver's own means where it has them, for that
/// is what profilers and shims answer, else by the symbol.
struct Resolver {
  void *library;
  GetProcAddress getProcAddress;

  explicit Resolver(void *library)
      : library(library), getProcAddress(reinterpret_cast<GetProcAddress>(
                              ::dlsym(library, "cuGetProcAddress_v2"))) {}

  template <typename Function>
  bool find(Function *&function, const char *name, const char *suffix) const {
    void *address = nullptr;
    if (getProcAddress) {
      if (getProcAddress(name, &address, kInterfaceVersion, 0, nullptr))
        address = nullptr;
    } else {
      address = ::dlsym(library, (std::string(name) + suffix).c_str());
    }
    function = reinterpret_cast<Function *>(address);
    return address != nullptr;
  }
};

} // namespace

Error Driver::resolve() {
  Resolver resolver(library);
  const char *missing = nullptr;
#define LATTN_CUDA(name, suffix, parameters)                                   \
  if (!resolver.find(cu.name, #name, suffix) && !missing)                      \
    missing = #name;
#define LATTN_CUDA_SINCE(name, suffix, version, parameters)                    \
  resolver.find(cu.name, #name, suffix);
#include "lattn/Runtime/CUDA/DriverFunctions.def"
  if (missing)
    return Error("'" + path + "' has no " + missing +
                 ": expected a driver of CUDA " +
                 formatVersion(kOldestVersion) + " or later");
  return Error();
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

Result<std::shared_ptr<const Driver>> Driver::load(const std::string &given) {
  std::shared_ptr<Driver> driver(new Driver);
  driver->path = given;
  if (given.empty()) {
    const char *named = std::getenv("LATTN_LIBCUDA");
    driver->path = named && *named ? named : "libcuda.so.1";
  }
  driver->library = ::dlopen(driver->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!driver->library) {
    const char *reason = ::dlerror();
    return Error("no CUDA driver: " + std::string(reason ? reason : "unknown"));
  }
  if (Error error = driver->resolve())
    return error;
  if (Error error = driver->check(driver->cu.cuInit(0), "cuInit"))
    return error;
  if (Error error =
          driver->check(driver->cu.cuDriverGetVersion(&driver->version),
                        "cuDriverGetVersion"))
    return error;
  if (driver->version < kOldestVersion)
    return Error("the driver is of CUDA " + formatVersion(driver->version) +
                 ": expected CUDA " + formatVersion(kOldestVersion) +
                 " or later");
  return std::shared_ptr<const Driver>(std::move(driver));
}

Result<std::shared_ptr<const Driver>> Driver::get() {
  // Never unloaded: the driver has threads and handlers at exit of its own.
  static std::mutex mutex;
  static auto *loaded = new std::shared_ptr<const Driver>;
  std::lock_guard<std::mutex> lock(mutex);
  if (!*loaded) {
    Result<std::shared_ptr<const Driver>> driver = load();
    if (!driver)
      return driver.takeError();
    *loaded = std::move(*driver);
  }
  return *loaded;
}

Driver::~Driver() {
  if (library)
    ::dlclose(library);
}

Error Driver::check(Status status, const char *call) const {
  if (status == 0)
    return Error();
  const char *name = nullptr, *text = nullptr;
  cu.cuGetErrorName(status, &name);
  cu.cuGetErrorString(status, &text);
  std::string message = std::string(call) + ": ";
  message += name ? name : "error " + std::to_string(status);
  if (text)
    message += std::string(": ") + text;
  return Error(std::move(message));
}

Error Driver::require(bool available, const char *call, int since) const {
  if (available)
    return Error();
  return Error(std::string(call) + ": the driver, of CUDA " +
               formatVersion(version) + ", has it not: expected CUDA " +
               formatVersion(since) + " or later");
}

Result<int> Driver::countDevices() const {
  int count = 0;
  if (Error error = check(cu.cuDeviceGetCount(&count), "cuDeviceGetCount"))
    return error;
  return count;
}

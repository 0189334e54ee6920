//===- CUDAFixture.h - A stand-in for the driver in each test ---*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_UNITTEST_RUNTIME_CUDA_CUDAFIXTURE_H
#define LATTN_UNITTEST_RUNTIME_CUDA_CUDAFIXTURE_H

#include "FakeCUDA/FakeCUDA.h"
#include "lattn/Runtime/CUDA/Device.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <dlfcn.h>
#include <map>

namespace lattn::cuda {

inline const char *const kPtx = ".version 8.6\n.target sm_90a\n"
                                ".visible .entry attend(\n";

/// Every test ends with nothing alive.
class CUDATest : public ::testing::Test {
protected:
  void SetUp() override {
    library = ::dlopen(FAKECUDA, RTLD_NOW);
    ASSERT_NE(library, nullptr) << ::dlerror();
    takeCalls();
  }
  void TearDown() override {
    for (auto &[name, value] : environment)
      unsetenv(name.c_str());
    EXPECT_STREQ(find<const char *()>("fakeCudaGetLive")(), "");
    ::dlclose(library);
  }

  /// What the driver is to be, until the test ends.
  void set(const std::string &name, const std::string &value) {
    environment[name] = value;
    setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  }
  template <typename Function> Function *find(const char *name) {
    return reinterpret_cast<Function *>(::dlsym(library, name));
  }
  std::string takeCalls() {
    return find<const char *()>("fakeCudaTakeCalls")();
  }
  void setKernel(const char *name, FakeKernel kernel) {
    find<void(const char *, FakeKernel)>("fakeCudaSetKernel")(name, kernel);
  }

  /// The device, or none with the error's text in `error`.
  DeviceRef open(int ordinal = 0) {
    auto driver = Driver::load(FAKECUDA);
    if (!driver) {
      error = driver.takeError().message();
      return nullptr;
    }
    auto device = Device::open(*driver, ordinal);
    if (!device) {
      error = device.takeError().message();
      return nullptr;
    }
    takeCalls();
    return *device;
  }

  std::string error;

private:
  void *library = nullptr;
  std::map<std::string, std::string> environment;
};

/// The error's text, or "none".
template <typename T> std::string getText(Result<T> result) {
  return result ? "none" : result.takeError().message();
}
inline std::string getText(const Error &error) {
  return error ? error.message() : "none";
}

} // namespace lattn::cuda

#endif // LATTN_UNITTEST_RUNTIME_CUDA_CUDAFIXTURE_H

//===- DriverTest.cpp - Finding the driver and its devices ----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAFixture.h"

using namespace lattn::cuda;

namespace {

TEST_F(CUDATest, OpensADevice) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(device->getDriver().getVersion(), 12080);
  EXPECT_EQ(device->getInfo().describe(), "the device 'Fake GPU' is sm_90");
  EXPECT_EQ(device->getInfo().multiprocessors, 132);
  EXPECT_EQ(device->getInfo().sharedBytes, 232448);
}

TEST_F(CUDATest, OldDriversHaveSymbolsOnly) {
  auto driver = Driver::load(FAKECUDA_OLD);
  ASSERT_TRUE(driver) << driver.takeError().message();
  EXPECT_NE((*driver)->cu.cuTensorMapEncodeTiled, nullptr);
  EXPECT_TRUE(Device::open(*driver, 0));
}

TEST_F(CUDATest, NoDriver) {
  EXPECT_EQ(getText(Driver::load("libnothing.so.7")),
            "no CUDA driver: libnothing.so.7: cannot open shared object file: "
            "No such file or directory");
  // Some library, but no driver.
  EXPECT_EQ(getText(Driver::load("libc.so.6")),
            "'libc.so.6' has no cuInit: expected a driver of CUDA 11.4 or "
            "later");
}

TEST_F(CUDATest, TheEnvironmentNamesTheDriver) {
  set("LATTN_LIBCUDA", "libnothing.so.8");
  EXPECT_EQ(getText(Driver::get()),
            "no CUDA driver: libnothing.so.8: cannot open shared object file: "
            "No such file or directory");
  set("LATTN_LIBCUDA", FAKECUDA);
  auto driver = Driver::get();
  ASSERT_TRUE(driver);
  EXPECT_EQ((*Driver::get()).get(), driver->get());
}

TEST_F(CUDATest, NoDevice) {
  set("FAKECUDA_DEVICES", "0");
  EXPECT_EQ(getText(Driver::load(FAKECUDA)),
            "cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected");
  set("FAKECUDA_DEVICES", "2");
  EXPECT_TRUE(open(1));
  EXPECT_FALSE(open(2));
  EXPECT_EQ(error, "no CUDA device 2: this machine has 2");
  EXPECT_FALSE(open(-1));
  EXPECT_EQ(error, "no CUDA device -1: this machine has 2");
}

TEST_F(CUDATest, OldDrivers) {
  set("FAKECUDA_VERSION", "11020");
  EXPECT_EQ(getText(Driver::load(FAKECUDA)),
            "the driver is of CUDA 11.2: expected CUDA 11.4 or later");
  set("FAKECUDA_VERSION", "11040");
  EXPECT_TRUE(open());
  set("FAKECUDA_MISSING", "cuMemAlloc");
  EXPECT_EQ(getText(Driver::load(FAKECUDA)),
            std::string("'") + FAKECUDA +
                "' has no cuMemAlloc: expected a driver of CUDA 11.4 or later");
}

TEST_F(CUDATest, UnknownErrors) {
  set("FAKECUDA_FAIL", "cuDriverGetVersion=12345");
  EXPECT_EQ(getText(Driver::load(FAKECUDA)), "cuDriverGetVersion: error 12345");
}

TEST_F(CUDATest, EveryStepMayFail) {
  for (const char *call :
       {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet",
        "cuDeviceGetName", "cuDeviceGetAttribute",
        "cuDevicePrimaryCtxRetain"}) {
    set("FAKECUDA_FAIL", std::string(call) + "=700");
    EXPECT_FALSE(open());
    EXPECT_EQ(
        error.rfind(std::string(call) + ": CUDA_ERROR_ILLEGAL_ADDRESS", 0), 0u)
        << error;
  }
}

TEST_F(CUDATest, Pointers) {
  set("FAKECUDA_DEVICES", "2");
  DeviceRef first = open(0), second = open(1);
  ASSERT_TRUE(first && second);
  ContextScope scope(*second);
  ASSERT_FALSE(scope.takeError());
  DevicePointer pointer = 0;
  ASSERT_EQ(first->cu().cuMemAlloc(&pointer, 64), 0);
  EXPECT_EQ(getText(second->checkPointer(pointer, 16, "key")), "none");
  std::string text = getText(first->checkPointer(pointer, 16, "key"));
  EXPECT_NE(text.find("'key', at 0x"), std::string::npos) << text;
  EXPECT_NE(text.find(", is memory of device 1: expected device 0, 'Fake GPU'"),
            std::string::npos)
      << text;
  text = getText(second->checkPointer(pointer + 8, 16, "key"));
  EXPECT_NE(text.find(", is misaligned: expected a multiple of 16 bytes"),
            std::string::npos)
      << text;
  EXPECT_EQ(getText(first->checkPointer(0x100, 16, "key")),
            "'key', at 0x100, is no memory of a device "
            "(cuPointerGetAttribute: CUDA_ERROR_INVALID_VALUE: invalid "
            "argument)");
  EXPECT_EQ(first->cu().cuMemFree(pointer), 0);
}

} // namespace

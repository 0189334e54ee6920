//===- LaunchTest.cpp - Modules, kernels and launches ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDAFixture.h"
#include "lattn/Runtime/CUDA/Memory.h"
#include "lattn/Runtime/CUDA/Module.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include <cstring>

using namespace lattn::cuda;

namespace {

class LaunchTest : public CUDATest {
protected:
  static Result<Module> load(const DeviceRef &device, const char *text = kPtx,
                             const char *chip = "sm_90a") {
    return Module::load(device, text, std::strlen(text), chip);
  }
  /// The error of a launch of `shape` with `shared` bytes, or "none".
  std::string launch(const LaunchShape &shape, unsigned shared = 0) {
    DeviceRef device = open();
    if (!device)
      return error;
    auto module = load(device);
    if (!module)
      return module.takeError().message();
    auto kernel = module->getKernel("attend", shared);
    if (!kernel)
      return kernel.takeError().message();
    auto stream = Stream::create(device);
    takeCalls();
    return getText(kernel->launch(shape, nullptr, stream->get()));
  }
};

/// y[i] = 2 x[i], a block an element.
void twice(void **parameters, const unsigned *grid, const unsigned *) {
  auto *x = *static_cast<float **>(parameters[0]);
  auto *y = *static_cast<float **>(parameters[1]);
  for (unsigned i = 0; i < grid[0]; ++i)
    y[i] = 2 * x[i];
}

TEST_F(LaunchTest, AKernelRuns) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  setKernel("attend", twice);
  auto stream = Stream::create(device);
  auto x = Memory::allocate(device, 12), y = Memory::allocate(device, 12);
  auto module = load(device);
  ASSERT_TRUE(stream && x && y && module);
  auto kernel = module->getKernel("attend");
  ASSERT_TRUE(kernel);
  const float in[] = {1, 2, 3};
  float out[3] = {};
  ASSERT_FALSE(x->copyIn(in, 12, stream->get()));
  DevicePointer pointers[] = {x->get(), y->get()};
  void *parameters[] = {&pointers[0], &pointers[1]};
  ASSERT_FALSE(kernel->launch({{3, 1, 1}}, parameters, stream->get()));
  ASSERT_FALSE(y->copyOut(out, 12, stream->get()));
  ASSERT_FALSE(stream->synchronize());
  setKernel("attend", [](void **, const unsigned *, const unsigned *) {});
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[2], 6);
  EXPECT_EQ(kernel->getInfo().registers, 168);
  EXPECT_EQ(kernel->getInfo().localBytes, 16);
}

TEST_F(LaunchTest, ALaunchIsThreeCalls) {
  EXPECT_EQ(launch({{2, 3, 4}, {128, 2, 1}}), "none");
  std::string calls = takeCalls();
  EXPECT_EQ(calls.rfind("cuCtxPushCurrent\n"
                        "cuLaunchKernel attend grid 2x3x4 block 128x2x1 "
                        "cluster 1x1x1 shared 0 own stream\n"
                        "cuCtxPopCurrent\n",
                        0),
            0u)
      << calls;
  EXPECT_EQ(launch({{2, 1, 1}, {128, 1, 1}, {2, 1, 1}}, 100000), "none");
  calls = takeCalls();
  EXPECT_NE(calls.find("cuLaunchKernelEx attend grid 2x1x1 block 128x1x1 "
                       "cluster 2x1x1 shared 100000 own stream\n"),
            std::string::npos)
      << calls;
  EXPECT_EQ(launch({{2, 0, 1}, {128, 1, 1}}), "none");
  EXPECT_EQ(takeCalls().find("cuLaunch"), std::string::npos);
}

TEST_F(LaunchTest, TheCallersStreamIsTaken) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto module = load(device);
  ASSERT_TRUE(module);
  auto kernel = module->getKernel("attend");
  ASSERT_TRUE(kernel);
  takeCalls();
  ASSERT_FALSE(kernel->launch({}, nullptr, nullptr));
  EXPECT_NE(takeCalls().find("legacy stream"), std::string::npos);
}

TEST_F(LaunchTest, AKernelKeepsItsModule) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  Result<Kernel> kernel = (*load(device)).getKernel("attend");
  ASSERT_TRUE(kernel);
  device.reset();
  EXPECT_EQ(getText(kernel->launch({}, nullptr, nullptr)), "none");
}

TEST_F(LaunchTest, Shapes) {
  EXPECT_EQ(launch({{1, 1, 1}, {512, 1, 1}}),
            "kernel 'attend': a block of 512x1x1 threads: expected 1 to 384");
  EXPECT_EQ(launch({{1, 1, 1}, {0, 1, 1}}),
            "kernel 'attend': a block of 0x1x1 threads: expected 1 to 384");
  EXPECT_EQ(launch({{1, 1, 1}, {~0u, ~0u, ~0u}}),
            "kernel 'attend': a block of 4294967295x4294967295x4294967295 "
            "threads: expected 1 to 384");
  EXPECT_EQ(launch({{1, 65536, 1}}),
            "kernel 'attend': a grid of 1x65536x1 blocks: expected 65535 at "
            "most on axis 1");
  EXPECT_EQ(launch({{3, 1, 1}, {1, 1, 1}, {2, 1, 1}}),
            "kernel 'attend': a grid of 3x1x1 blocks: expected multiples of "
            "the cluster's 2x1x1");
  EXPECT_EQ(launch({{16, 1, 1}, {1, 1, 1}, {16, 1, 1}}),
            "kernel 'attend': a cluster of 16x1x1 blocks: expected 1 to 8");
}

TEST_F(LaunchTest, Clusters) {
  const LaunchShape cluster = {{2, 1, 1}, {1, 1, 1}, {2, 1, 1}};
  set("FAKECUDA_MISSING", "cuLaunchKernelEx");
  EXPECT_EQ(launch(cluster), "cuLaunchKernelEx: the driver, of CUDA 12.8, has "
                             "it not: expected CUDA 11.8 or later");
  EXPECT_EQ(launch({}), "none");
  DeviceRef device;
  set("FAKECUDA_CAPABILITY", "8.6");
  device = open();
  ASSERT_TRUE(device);
  auto module =
      load(device, ".version 7.0\n.target sm_80\n.entry attend(", "sm_80");
  ASSERT_TRUE(module);
  auto kernel = module->getKernel("attend");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(getText(kernel->launch(cluster, nullptr, nullptr)),
            "kernel 'attend': clusters need sm_90 or later; the device 'Fake "
            "GPU' is sm_86");
}

TEST_F(LaunchTest, SharedMemory) {
  EXPECT_EQ(launch({}, 232448), "none");
  EXPECT_EQ(launch({}, 232449),
            "kernel 'attend' needs 232449 bytes of shared memory per block, "
            "but a block may have 232448 (for sm_90a; the device 'Fake GPU' is "
            "sm_90)");
  set("FAKECUDA_STATIC_SHARED", "1024");
  EXPECT_NE(launch({}, 232448).find("needs 233472 bytes"), std::string::npos);
}

TEST_F(LaunchTest, Chips) {
  set("FAKECUDA_CAPABILITY", "10.0");
  EXPECT_EQ(launch({}),
            "cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU: no kernel image "
            "is available for execution on the device (for sm_90a; the device "
            "'Fake GPU' is sm_100)");
}

TEST_F(LaunchTest, TheDriverIsOlderThanThePtx) {
  set("FAKECUDA_VERSION", "12060");
  EXPECT_EQ(launch({}), "the PTX is of ISA 8.6, which needs a driver of CUDA "
                        "12.7 or later; this one is of CUDA 12.6");
}

TEST_F(LaunchTest, TheDriversLog) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  std::string text = std::string(kPtx) + "not_an_instruction;";
  EXPECT_EQ(getText(load(device, text.c_str())),
            "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: a PTX JIT compilation "
            "failed (for sm_90a; the device 'Fake GPU' is sm_90; ptxas "
            "application ptx input, line 5; error : Not a name of any known "
            "instruction)");
}

TEST_F(LaunchTest, NoSuchKernel) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto module = load(device);
  ASSERT_TRUE(module);
  EXPECT_EQ(getText(module->getKernel("other")),
            "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND: named symbol not found "
            "(kernel 'other', for sm_90a; the device 'Fake GPU' is sm_90)");
}

TEST_F(LaunchTest, EveryCallMayFail) {
  for (std::string call :
       {"cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncGetAttribute",
        "cuFuncGetAttribute#4", "cuFuncGetAttribute#5", "cuFuncSetAttribute",
        "cuLaunchKernel", "cuCtxPushCurrent", "cuCtxPushCurrent#2"}) {
    takeCalls();
    set("FAKECUDA_FAIL", call + "=700");
    std::string name = call.substr(0, call.find('#'));
    EXPECT_EQ(
        launch({}, 100000).rfind(name + ": CUDA_ERROR_ILLEGAL_ADDRESS", 0), 0u)
        << call;
    set("FAKECUDA_FAIL", "");
  }
  set("FAKECUDA_FAIL", "cuLaunchKernel=700");
  EXPECT_EQ(launch({{2, 1, 1}, {64, 1, 1}}, 1024),
            "cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory "
            "access was encountered (kernel 'attend', grid 2x1x1, block "
            "64x1x1, 1024 bytes of shared memory, for sm_90a; the device 'Fake "
            "GPU' is sm_90)");
}

} // namespace

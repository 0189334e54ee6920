//===- MemoryTest.cpp - Memory, streams and events ------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/Memory.h"
#include "CUDAFixture.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include <vector>

using namespace lattn::cuda;

namespace {

TEST_F(CUDATest, CopiesInAndOut) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto stream = Stream::create(device);
  auto memory = Memory::allocate(device, 8);
  ASSERT_TRUE(stream && memory);
  EXPECT_EQ(memory->size(), 8u);
  const std::vector<char> in = {1, 2, 3, 4};
  std::vector<char> out(8);
  EXPECT_EQ(getText(memory->fill(7, stream->get())), "none");
  EXPECT_EQ(getText(memory->copyIn(in.data(), 4, stream->get())), "none");
  EXPECT_EQ(getText(memory->copyOut(out.data(), 8, stream->get())), "none");
  EXPECT_EQ(getText(stream->synchronize()), "none");
  EXPECT_EQ(out, (std::vector<char>{1, 2, 3, 4, 7, 7, 7, 7}));
  EXPECT_EQ(getText(memory->copyIn(in.data(), 9, stream->get())),
            "a copy in of 9 bytes: the device's block has 8");
  EXPECT_EQ(getText(memory->copyOut(out.data(), 9, stream->get())),
            "a copy out of 9 bytes: the device's block has 8");
}

TEST_F(CUDATest, NothingWaitsAndTheLegacyStreamIsNotUsed) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto stream = Stream::create(device);
  auto memory = Memory::allocate(device, 8);
  ASSERT_TRUE(stream && memory);
  char bytes[8] = {};
  ASSERT_FALSE(memory->copyIn(bytes, 8, stream->get()));
  ASSERT_FALSE(memory->copyOut(bytes, 8, stream->get()));
  EXPECT_EQ(takeCalls(), "cuCtxPushCurrent\ncuStreamCreate 1\ncuCtxPopCurrent\n"
                         "cuCtxPushCurrent\ncuMemAlloc 8\ncuCtxPopCurrent\n"
                         "cuCtxPushCurrent\ncuMemcpyHtoDAsync own stream\n"
                         "cuCtxPopCurrent\n"
                         "cuCtxPushCurrent\ncuMemcpyDtoHAsync own stream\n"
                         "cuCtxPopCurrent\n");
}

TEST_F(CUDATest, NoBytesAreNoCalls) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto memory = Memory::allocate(device, 0);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->get(), 0u);
  EXPECT_EQ(getText(memory->copyIn(nullptr, 0, nullptr)), "none");
  EXPECT_EQ(getText(memory->copyOut(nullptr, 0, nullptr)), "none");
  EXPECT_EQ(getText(memory->fill(0, nullptr)), "none");
  EXPECT_EQ(takeCalls(), "");
}

TEST_F(CUDATest, OutOfMemory) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(getText(Memory::allocate(device, size_t(1) << 40)),
            "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: out of memory "
            "(1099511627776 bytes on 'Fake GPU')");
}

TEST_F(CUDATest, EventsTime) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto stream = Stream::create(device);
  auto begin = Event::create(device), end = Event::create(device);
  ASSERT_TRUE(stream && begin && end);
  EXPECT_NE(getText(end->getMillisecondsSince(*begin)), "none");
  ASSERT_FALSE(begin->record(stream->get()));
  ASSERT_FALSE(end->record(stream->get()));
  ASSERT_FALSE(end->synchronize());
  auto elapsed = end->getMillisecondsSince(*begin);
  ASSERT_TRUE(elapsed);
  EXPECT_EQ(*elapsed, 1.0f);
}

TEST_F(CUDATest, KernelsFailuresAppearWhereOneWaits) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  auto stream = Stream::create(device);
  ASSERT_TRUE(stream);
  set("FAKECUDA_FAIL", "cuStreamSynchronize=700");
  EXPECT_EQ(getText(stream->synchronize()),
            "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal "
            "memory access was encountered");
}

/// All that makes something; nothing stays where any call fails.
static std::string makeAll(const DeviceRef &device) {
  auto stream = Stream::create(device);
  if (!stream)
    return stream.takeError().message();
  auto memory = Memory::allocate(device, 8);
  if (!memory)
    return memory.takeError().message();
  auto event = Event::create(device);
  if (!event)
    return event.takeError().message();
  char bytes[8] = {};
  for (Error error : {memory->copyIn(bytes, 8, stream->get()),
                      memory->copyOut(bytes, 8, stream->get()),
                      memory->fill(1, stream->get()),
                      event->record(stream->get()), event->synchronize()})
    if (error)
      return error.message();
  return "none";
}

TEST_F(CUDATest, EveryCallMayFail) {
  DeviceRef device = open();
  ASSERT_TRUE(device) << error;
  EXPECT_EQ(makeAll(device), "none");
  for (std::string call :
       {"cuCtxPushCurrent", "cuCtxPushCurrent#2", "cuCtxPushCurrent#3",
        "cuCtxPushCurrent#4", "cuStreamCreate", "cuMemAlloc", "cuEventCreate",
        "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemsetD8Async",
        "cuEventRecord", "cuEventSynchronize"}) {
    takeCalls();
    set("FAKECUDA_FAIL", call + "=700");
    std::string name = call.substr(0, call.find('#'));
    EXPECT_EQ(makeAll(device).rfind(name + ": CUDA_ERROR_ILLEGAL_ADDRESS", 0),
              0u)
        << call;
    set("FAKECUDA_FAIL", "");
  }
}

} // namespace

//===- TensorMapTest.cpp - Descriptors of the tensor memory accelerator ---===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/TensorMap.h"
#include "CUDAFixture.h"

using namespace lattn::cuda;

namespace {

class TensorMapTest : public CUDATest {
protected:
  static TiledTensor makeTensor() {
    TiledTensor tensor;
    tensor.rank = 3;
    tensor.address = 0x1000;
    const uint64_t sizes[] = {128, 4096, 16}, strides[] = {0, 256, 1048576};
    const uint32_t box[] = {64, 128, 1};
    for (unsigned axis = 0; axis < 3; ++axis) {
      tensor.sizes[axis] = sizes[axis];
      tensor.strides[axis] = strides[axis];
      tensor.box[axis] = box[axis];
    }
    tensor.swizzle = TensorMapSwizzle::B128;
    return tensor;
  }
  /// The error of a tensor that `change` is made to, or "none".
  template <typename Change> std::string encode(Change change) {
    DeviceRef device = open();
    if (!device)
      return error;
    TiledTensor tensor = makeTensor();
    change(tensor);
    return getText(encodeTensorMap(*device, tensor, "key"));
  }
};

TEST_F(TensorMapTest, Encodes) {
  DeviceRef device = open(); // its context is not the thread's
  ASSERT_TRUE(device);
  auto map = encodeTensorMap(*device, makeTensor(), "key");
  ASSERT_TRUE(map);
  // What the stand-in was given: type, rank, address, and of the last axis
  // size, stride, box and step; interleaving, swizzle.
  const uint64_t expected[] = {9, 3, 0x1000, 16, 1048576, 1, 1, 0, 3};
  for (unsigned i = 0; i < 9; ++i)
    EXPECT_EQ(map->opaque[i], expected[i]) << i;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&*map) % 64, 0u);
}

TEST_F(TensorMapTest, Rules) {
  using T = TiledTensor;
  const std::string name = "tensor map of 'key': ";
  EXPECT_EQ(encode([](T &t) { t.rank = 0; }), name + "rank 0: expected 1 to 5");
  EXPECT_EQ(encode([](T &t) { t.rank = 6; }), name + "rank 6: expected 1 to 5");
  EXPECT_EQ(encode([](T &t) { t.address = 0x1008; }),
            name + "address 4104: expected a multiple of 16 bytes");
  EXPECT_EQ(encode([](T &t) { t.sizes[1] = 0; }),
            name + "size 0 on axis 1: expected 1 to 2^32");
  EXPECT_EQ(encode([](T &t) { t.box[1] = 257; }),
            name + "box 257 on axis 1: expected 1 to 256");
  EXPECT_EQ(encode([](T &t) { t.strides[2] = 24; }),
            name + "stride 24 on axis 2: expected a multiple of 16 bytes above "
                   "0 and below 2^40");
  EXPECT_EQ(encode([](T &t) { t.strides[2] = 0; }),
            name + "stride 0 on axis 2: expected a multiple of 16 bytes above "
                   "0 and below 2^40");
  EXPECT_EQ(encode([](T &t) { t.box[0] = 4; }),
            name + "a row of the box has 8 bytes: expected a multiple of 16");
  EXPECT_EQ(encode([](T &t) { t.box[0] = 128; }),
            name + "a row of the box has 256 bytes: the swizzle takes 128 at "
                   "most");
  EXPECT_EQ(encode([](T &t) {
              t.box[0] = 128;
              t.swizzle = TensorMapSwizzle::None;
            }),
            "none");
  EXPECT_EQ(encode([](T &t) { t.type = static_cast<TensorMapType>(77); }),
            name + "unknown element type 77");
}

TEST_F(TensorMapTest, OldDriversAndFailures) {
  set("FAKECUDA_VERSION", "11080");
  EXPECT_EQ(encode([](TiledTensor &) {}),
            "tensor map of 'key': cuTensorMapEncodeTiled: the driver, of CUDA "
            "11.8, has it not: expected CUDA 12.0 or later");
  set("FAKECUDA_VERSION", "12000");
  set("FAKECUDA_FAIL", "cuTensorMapEncodeTiled=1");
  EXPECT_EQ(encode([](TiledTensor &) {}),
            "tensor map of 'key': cuTensorMapEncodeTiled: "
            "CUDA_ERROR_INVALID_VALUE: invalid argument");
}

} // namespace

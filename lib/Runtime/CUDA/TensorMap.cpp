//===- TensorMap.cpp - Descriptors of the tensor memory accelerator -------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/TensorMap.h"

using namespace lattn::cuda;

static unsigned getElementBytes(TensorMapType type) {
  switch (type) {
  case TensorMapType::U8:
    return 1;
  case TensorMapType::U16:
  case TensorMapType::F16:
  case TensorMapType::BF16:
    return 2;
  case TensorMapType::U32:
  case TensorMapType::I32:
  case TensorMapType::F32:
    return 4;
  case TensorMapType::U64:
  case TensorMapType::I64:
  case TensorMapType::F64:
    return 8;
  }
  return 0;
}

/// Bytes of a row of the box that the swizzle permutes; 0: any number.
static unsigned getSwizzleSpan(TensorMapSwizzle swizzle) {
  return swizzle == TensorMapSwizzle::None ? 0 : 16u << int(swizzle);
}

static std::string checkAxis(const TiledTensor &tensor, unsigned axis) {
  constexpr uint64_t kMaxSize = uint64_t(1) << 32;
  constexpr uint64_t kMaxStride = uint64_t(1) << 40;
  constexpr uint32_t kMaxBox = 256;
  std::string where = " on axis " + std::to_string(axis);
  if (tensor.sizes[axis] == 0 || tensor.sizes[axis] > kMaxSize)
    return "size " + std::to_string(tensor.sizes[axis]) + where +
           ": expected 1 to 2^32";
  if (tensor.box[axis] == 0 || tensor.box[axis] > kMaxBox)
    return "box " + std::to_string(tensor.box[axis]) + where +
           ": expected 1 to 256";
  uint64_t stride = tensor.strides[axis];
  if (axis > 0 && (stride == 0 || stride % 16 || stride >= kMaxStride))
    return "stride " + std::to_string(stride) + where +
           ": expected a multiple of 16 bytes above 0 and below 2^40";
  return "";
}

/// The first rule of the hardware that `tensor` breaks, or nothing.
static std::string findFault(const TiledTensor &tensor) {
  unsigned bytes = getElementBytes(tensor.type);
  if (bytes == 0)
    return "unknown element type " + std::to_string(int(tensor.type));
  if (tensor.rank == 0 || tensor.rank > kMaxTensorMapRank)
    return "rank " + std::to_string(tensor.rank) + ": expected 1 to 5";
  if (tensor.address == 0 || tensor.address % 16)
    return "address " + std::to_string(tensor.address) +
           ": expected a multiple of 16 bytes";
  for (unsigned axis = 0; axis < tensor.rank; ++axis)
    if (std::string fault = checkAxis(tensor, axis); !fault.empty())
      return fault;
  unsigned row = tensor.box[0] * bytes, span = getSwizzleSpan(tensor.swizzle);
  if (row % 16)
    return "a row of the box has " + std::to_string(row) +
           " bytes: expected a multiple of 16";
  if (span && row > span)
    return "a row of the box has " + std::to_string(row) +
           " bytes: the swizzle takes " + std::to_string(span) + " at most";
  return "";
}

Result<TensorMap> lattn::cuda::encodeTensorMap(const Device &device,
                                               const TiledTensor &tensor,
                                               const char *name) {
  std::string prefix = "tensor map of '" + std::string(name) + "': ";
  if (std::string fault = findFault(tensor); !fault.empty())
    return Error(prefix + fault);
  constexpr const char *call = "cuTensorMapEncodeTiled";
  if (Error error = device.getDriver().require(
          device.cu().cuTensorMapEncodeTiled, call, 12000))
    return Error(prefix + error.message());
  ContextScope scope(device);
  if (Error error = scope.takeError())
    return Error(prefix + error.message());
  TensorMap map = {};
  const uint32_t elementStrides[kMaxTensorMapRank] = {1, 1, 1, 1, 1};
  Status status = device.cu().cuTensorMapEncodeTiled(
      &map, tensor.type, tensor.rank,
      reinterpret_cast<void *>(static_cast<uintptr_t>(tensor.address)),
      tensor.sizes, tensor.strides + 1, tensor.box, elementStrides,
      /*interleave=*/0, tensor.swizzle, tensor.promotion, /*fill=*/0);
  if (Error error = device.check(status, call))
    return Error(prefix + error.message());
  return map;
}

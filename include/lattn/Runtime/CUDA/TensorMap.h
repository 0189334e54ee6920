//===- TensorMap.h - Descriptors of the tensor memory accelerator -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_TENSORMAP_H
#define LATTN_RUNTIME_CUDA_TENSORMAP_H

#include "lattn/Runtime/CUDA/Device.h"

namespace lattn::cuda {

constexpr unsigned kMaxTensorMapRank = 5;

/// A tensor in device memory and the box of it that one copy moves. Axes go
/// from the innermost, whose elements are adjacent, to the outermost.
struct TiledTensor {
  TensorMapType type = TensorMapType::BF16;
  unsigned rank = 0;
  DevicePointer address = 0;
  uint64_t sizes[kMaxTensorMapRank] = {};   // elements
  uint64_t strides[kMaxTensorMapRank] = {}; // bytes; [0] is not read
  uint32_t box[kMaxTensorMapRank] = {};     // elements
  TensorMapSwizzle swizzle = TensorMapSwizzle::None;
  TensorMapL2 promotion = TensorMapL2::None;
};

/// Elements outside of the tensor are read as zeros, and are not written. If
/// the hardware cannot do it, an error says which rule is broken; it calls the
/// tensor `name`.
Result<TensorMap> encodeTensorMap(const Device &device,
                                  const TiledTensor &tensor, const char *name);

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_TENSORMAP_H

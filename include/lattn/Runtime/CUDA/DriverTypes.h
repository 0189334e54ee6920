//===- DriverTypes.h - The CUDA driver's types ------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The part of the driver's binary interface that lattn uses, as its
// documentation describes it.

#ifndef LATTN_RUNTIME_CUDA_DRIVERTYPES_H
#define LATTN_RUNTIME_CUDA_DRIVERTYPES_H

#include <cstddef>
#include <cstdint>

namespace lattn::cuda {

using Status = int; // 0: success
using DevicePointer = uint64_t;
using ContextHandle = struct ContextObject *;
using ModuleHandle = struct ModuleObject *;
using FunctionHandle = struct FunctionObject *;
using StreamHandle = struct StreamObject *;
using EventHandle = struct EventObject *;

constexpr Status kNotFound = 500;

enum class DeviceAttribute : int {
  MultiprocessorCount = 16,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum class FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegisters = 4,
  MaxDynamicSharedSizeBytes = 8,
};

enum class PointerAttribute : int { DeviceOrdinal = 9 };

enum class JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSizeBytes = 6 };

constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventDefault = 0;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

constexpr int kLaunchAttributeClusterDimension = 4;

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned clusterDim[3];
  };
};
static_assert(sizeof(LaunchAttribute) == 72, "the driver's layout");

struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  StreamHandle stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};
static_assert(sizeof(LaunchConfig) == 56, "the driver's layout");

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

enum class TensorMapType : int {
  U8 = 0,
  U16 = 1,
  U32 = 2,
  I32 = 3,
  U64 = 4,
  I64 = 5,
  F16 = 6,
  F32 = 7,
  F64 = 8,
  BF16 = 9,
};

enum class TensorMapSwizzle : int { None = 0, B32 = 1, B64 = 2, B128 = 3 };
enum class TensorMapL2 : int { None = 0, B64 = 1, B128 = 2, B256 = 3 };

/// The form in which a kernel takes a tensor map, as a __grid_constant__
/// parameter.
struct alignas(64) TensorMap {
  uint64_t opaque[16];
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_DRIVERTYPES_H

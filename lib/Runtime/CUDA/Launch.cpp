//===- Launch.cpp - Launching kernels -------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Nothing here allocates unless it fails.

#include "LoadedModule.h"

using namespace lattn::cuda;

static std::string print(const unsigned (&extents)[3]) {
  return std::to_string(extents[0]) + "x" + std::to_string(extents[1]) + "x" +
         std::to_string(extents[2]);
}

static uint64_t multiply(const unsigned (&extents)[3]) {
  // Two factors first: three of 32 bits may overflow.
  uint64_t plane = uint64_t(extents[0]) * extents[1];
  return extents[2] && plane > UINT64_MAX / extents[2] ? UINT64_MAX
                                                       : plane * extents[2];
}

Error Kernel::checkShape(const LaunchShape &shape) const {
  constexpr unsigned kMaxGrid[] = {0x7fffffff, 0xffff, 0xffff};
  constexpr uint64_t kMaxCluster = 8; // every device's
  auto fail = [&](const std::string &why) {
    return Error("kernel '" + name + "': " + why);
  };
  uint64_t threads = multiply(shape.block), blocks = multiply(shape.cluster);
  if (threads == 0 || threads > unsigned(info.maxThreads))
    return fail("a block of " + print(shape.block) +
                " threads: expected 1 to " + std::to_string(info.maxThreads));
  if (blocks == 0 || blocks > kMaxCluster)
    return fail("a cluster of " + print(shape.cluster) +
                " blocks: expected 1 to " + std::to_string(kMaxCluster));
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (shape.grid[axis] > kMaxGrid[axis])
      return fail("a grid of " + print(shape.grid) + " blocks: expected " +
                  std::to_string(kMaxGrid[axis]) + " at most on axis " +
                  std::to_string(axis));
    if (shape.grid[axis] % shape.cluster[axis])
      return fail("a grid of " + print(shape.grid) +
                  " blocks: expected multiples of the cluster's " +
                  print(shape.cluster));
  }
  const Device &device = *module->device;
  if (blocks == 1)
    return Error();
  if (device.getInfo().major < 9)
    return fail("clusters need sm_90 or later; " + device.getInfo().describe());
  return device.getDriver().require(device.cu().cuLaunchKernelEx,
                                    "cuLaunchKernelEx", 11080);
}

Error Kernel::launch(const LaunchShape &shape, void **parameters,
                     StreamHandle stream) const {
  if (Error error = checkShape(shape))
    return error;
  if (multiply(shape.grid) == 0)
    return Error();
  const Device &device = *module->device;
  ContextScope scope(device);
  if (Error error = scope.takeError())
    return error;
  const unsigned *grid = shape.grid, *block = shape.block;
  Status status;
  const char *call = "cuLaunchKernel";
  if (multiply(shape.cluster) == 1) {
    status = device.cu().cuLaunchKernel(
        function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
        sharedBytes, stream, parameters, nullptr);
  } else {
    call = "cuLaunchKernelEx";
    LaunchAttribute cluster = {};
    cluster.id = kLaunchAttributeClusterDimension;
    LaunchConfig config = {};
    for (unsigned axis = 0; axis < 3; ++axis) {
      cluster.clusterDim[axis] = shape.cluster[axis];
      config.grid[axis] = grid[axis];
      config.block[axis] = block[axis];
    }
    config.sharedBytes = sharedBytes;
    config.stream = stream;
    config.attributes = &cluster;
    config.numAttributes = 1;
    status =
        device.cu().cuLaunchKernelEx(&config, function, parameters, nullptr);
  }
  Error error = device.check(status, call);
  if (!error)
    return error;
  return std::move(error).with(
      "kernel '" + name + "', grid " + print(shape.grid) + ", block " +
      print(shape.block) + ", " + std::to_string(sharedBytes) +
      " bytes of shared memory, " + module->describe());
}

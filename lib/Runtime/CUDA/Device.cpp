//===- Device.cpp - A GPU and its primary context -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/Device.h"
#include <cstdio>

using namespace lattn::cuda;

std::string DeviceInfo::getChip() const {
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::string DeviceInfo::describe() const {
  return "the device '" + name + "' is " + getChip();
}

Error Device::describe() {
  const DriverFunctions &cu = driver->cu;
  char name[256] = {};
  if (Error error = check(cu.cuDeviceGetName(name, sizeof(name) - 1, device),
                          "cuDeviceGetName"))
    return error;
  info.name = name;
  const std::pair<DeviceAttribute, int *> attributes[] = {
      {DeviceAttribute::ComputeCapabilityMajor, &info.major},
      {DeviceAttribute::ComputeCapabilityMinor, &info.minor},
      {DeviceAttribute::MultiprocessorCount, &info.multiprocessors},
      {DeviceAttribute::MaxSharedMemoryPerBlockOptin, &info.sharedBytes},
  };
  for (auto [attribute, value] : attributes)
    if (Error error = check(cu.cuDeviceGetAttribute(value, attribute, device),
                            "cuDeviceGetAttribute"))
      return error;
  return Error();
}

Result<DeviceRef> Device::open(std::shared_ptr<const Driver> driver,
                               int ordinal) {
  Result<int> count = driver->countDevices();
  if (!count)
    return count.takeError();
  if (ordinal < 0 || ordinal >= *count)
    return Error("no CUDA device " + std::to_string(ordinal) +
                 ": this machine has " + std::to_string(*count));
  std::shared_ptr<Device> device(new Device);
  device->driver = std::move(driver);
  device->info.ordinal = ordinal;
  const DriverFunctions &cu = device->cu();
  if (Error error = device->check(cu.cuDeviceGet(&device->device, ordinal),
                                  "cuDeviceGet"))
    return error;
  if (Error error = device->describe())
    return error;
  ContextHandle context = nullptr;
  if (Error error =
          device->check(cu.cuDevicePrimaryCtxRetain(&context, device->device),
                        "cuDevicePrimaryCtxRetain"))
    return std::move(error).with(device->info.describe());
  device->context = context;
  return DeviceRef(std::move(device));
}

Device::~Device() {
  if (context)
    (void)cu().cuDevicePrimaryCtxRelease(device);
}

Error Device::checkPointer(DevicePointer address, size_t alignment,
                           const char *name) const {
  char hexadecimal[32];
  std::snprintf(hexadecimal, sizeof(hexadecimal), "0x%llx",
                static_cast<unsigned long long>(address));
  auto fail = [&](const std::string &why) {
    return Error("'" + std::string(name) + "', at " + hexadecimal + ", " + why);
  };
  if (address % alignment)
    return fail("is misaligned: expected a multiple of " +
                std::to_string(alignment) + " bytes");
  int ordinal = -1;
  Status status = cu().cuPointerGetAttribute(
      &ordinal, PointerAttribute::DeviceOrdinal, address);
  if (Error error = check(status, "cuPointerGetAttribute"))
    return fail("is no memory of a device").with(error.message());
  if (ordinal != info.ordinal)
    return fail("is memory of device " + std::to_string(ordinal) +
                ": expected device " + std::to_string(info.ordinal) + ", '" +
                info.name + "'");
  return Error();
}

//===----------------------------------------------------------------------===//
// ContextScope
//===----------------------------------------------------------------------===//

ContextScope::ContextScope(const Device &device)
    : device(device),
      error(device.check(device.cu().cuCtxPushCurrent(device.context),
                         "cuCtxPushCurrent")),
      pushed(!error) {}

ContextScope::~ContextScope() {
  ContextHandle popped;
  if (pushed)
    (void)device.cu().cuCtxPopCurrent(&popped);
}

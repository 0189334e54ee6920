//===- Module.cpp - Compiled kernels and how to launch them ---------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include "LoadedModule.h"

using namespace lattn::cuda;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

Result<Module> Module::load(DeviceRef device, const void *image, size_t size,
                            const std::string &chip) {
  std::string text;
  int version = device->getDriver().getVersion();
  if (Error error = checkImage(image, size, version, text))
    return error;
  auto loaded = std::make_shared<LoadedModule>();
  loaded->device = device;
  loaded->chip = chip;
  ContextScope scope(*device);
  if (Error error = scope.takeError())
    return error;
  char log[4096] = {};
  const JitOption options[] = {JitOption::ErrorLogBuffer,
                               JitOption::ErrorLogBufferSizeBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log) - 1)};
  Status status = device->cu().cuModuleLoadDataEx(
      &loaded->handle, text.empty() ? image : text.c_str(), 2, options, values);
  if (Error error = device->check(status, "cuModuleLoadDataEx")) {
    loaded->handle = nullptr;
    std::string details = loaded->describe();
    if (log[0])
      details += "; " + std::string(log);
    return std::move(error).with(details);
  }
  return Module(std::move(loaded));
}

/// Shared memory beyond 48 KiB has to be asked for, once.
static Error reserveShared(const LoadedModule &module, const std::string &name,
                           FunctionHandle function, int staticBytes,
                           unsigned bytes) {
  const Device &device = *module.device;
  int64_t most = device.getInfo().sharedBytes;
  if (int64_t(bytes) + staticBytes > most)
    return Error("kernel '" + name + "' needs " +
                 std::to_string(int64_t(bytes) + staticBytes) +
                 " bytes of shared memory per block, but a block may have " +
                 std::to_string(most))
        .with(module.describe());
  constexpr auto attribute = FunctionAttribute::MaxDynamicSharedSizeBytes;
  int reserved = 0; // by another who launches it, too
  if (Error error = device.check(
          device.cu().cuFuncGetAttribute(&reserved, attribute, function),
          "cuFuncGetAttribute"))
    return error;
  if (int64_t(bytes) <= reserved)
    return Error();
  return device.check(
      device.cu().cuFuncSetAttribute(function, attribute, bytes),
      "cuFuncSetAttribute");
}

Result<Kernel> Module::getKernel(const std::string &name,
                                 unsigned sharedBytes) const {
  const Device &device = *loaded->device;
  auto fail = [&](Error error) {
    return std::move(error).with("kernel '" + name + "', " +
                                 loaded->describe());
  };
  ContextScope scope(device);
  if (Error error = scope.takeError())
    return error;
  Kernel kernel;
  kernel.module = loaded;
  kernel.name = name;
  kernel.sharedBytes = sharedBytes;
  if (Error error =
          device.check(device.cu().cuModuleGetFunction(
                           &kernel.function, loaded->handle, name.c_str()),
                       "cuModuleGetFunction"))
    return fail(std::move(error));
  KernelInfo &info = kernel.info;
  const std::pair<FunctionAttribute, int *> attributes[] = {
      {FunctionAttribute::NumRegisters, &info.registers},
      {FunctionAttribute::SharedSizeBytes, &info.staticSharedBytes},
      {FunctionAttribute::LocalSizeBytes, &info.localBytes},
      {FunctionAttribute::MaxThreadsPerBlock, &info.maxThreads},
  };
  for (auto [attribute, value] : attributes)
    if (Error error = device.check(
            device.cu().cuFuncGetAttribute(value, attribute, kernel.function),
            "cuFuncGetAttribute"))
      return fail(std::move(error));
  if (Error error = reserveShared(*loaded, name, kernel.function,
                                  info.staticSharedBytes, sharedBytes))
    return error;
  return kernel;
}

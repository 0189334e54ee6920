//===- CAPI.cpp - The C interface of the CUDA runtime ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/CUDA.h"
#include "lattn/Runtime/CUDA/Memory.h"
#include "lattn/Runtime/CUDA/Module.h"
#include "lattn/Runtime/CUDA/Stream.h"
#include "lattn/Runtime/CUDA/TensorMap.h"
#include <cstdlib>
#include <cstring>

using namespace lattn::cuda;

struct LattnCudaDevice {
  DeviceRef value;
};
struct LattnCudaModule {
  Module value;
};
struct LattnCudaKernel {
  Kernel value;
};
struct LattnCudaMemory {
  Memory value;
};
struct LattnCudaStream {
  Stream value;
};
struct LattnCudaEvent {
  Event value;
};

static LattnError wrap(const Error &error) {
  return error ? strdup(error.message().c_str()) : nullptr;
}

/// A result as a new handle.
template <typename Handle, typename T>
static LattnError wrap(Result<T> result, Handle **handle) {
  if (!result)
    return wrap(result.takeError());
  *handle = new Handle{std::move(*result)};
  return nullptr;
}

static StreamHandle unwrap(void *stream) {
  return static_cast<StreamHandle>(stream);
}

void lattnCudaErrorFree(LattnError error) { std::free(error); }

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

LattnError lattnCudaCountDevices(int *count) {
  auto driver = Driver::get();
  if (!driver)
    return wrap(driver.takeError());
  Result<int> devices = (*driver)->countDevices();
  if (!devices)
    return wrap(devices.takeError());
  *count = *devices;
  return nullptr;
}

LattnError lattnCudaDeviceOpen(int ordinal, LattnCudaDevice **device) {
  auto driver = Driver::get();
  if (!driver)
    return wrap(driver.takeError());
  return wrap(Device::open(*driver, ordinal), device);
}

void lattnCudaDeviceClose(LattnCudaDevice *device) { delete device; }

void lattnCudaDeviceGetInfo(const LattnCudaDevice *device,
                            LattnCudaDeviceInfo *info) {
  const DeviceInfo &from = device->value->getInfo();
  *info = {from.name.c_str(), from.major,
           from.minor,        from.multiprocessors,
           from.sharedBytes,  device->value->getDriver().getVersion()};
}

LattnError lattnCudaDeviceCheckPointer(const LattnCudaDevice *device,
                                       uint64_t address, size_t alignment,
                                       const char *name) {
  return wrap(device->value->checkPointer(address, alignment, name));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LattnError lattnCudaModuleLoad(const LattnCudaDevice *device, const void *image,
                               size_t size, const char *chip,
                               LattnCudaModule **module) {
  return wrap(Module::load(device->value, image, size, chip ? chip : ""),
              module);
}

void lattnCudaModuleFree(LattnCudaModule *module) { delete module; }

LattnError lattnCudaKernelGet(const LattnCudaModule *module, const char *name,
                              unsigned sharedBytes, LattnCudaKernel **kernel) {
  return wrap(module->value.getKernel(name, sharedBytes), kernel);
}

void lattnCudaKernelFree(LattnCudaKernel *kernel) { delete kernel; }

void lattnCudaKernelGetInfo(const LattnCudaKernel *kernel,
                            LattnCudaKernelInfo *info) {
  const KernelInfo &from = kernel->value.getInfo();
  *info = {from.registers, from.staticSharedBytes, from.localBytes,
           from.maxThreads};
}

LattnError lattnCudaKernelLaunch(const LattnCudaKernel *kernel,
                                 const LattnCudaShape *shape, void **parameters,
                                 void *stream) {
  LaunchShape launch;
  for (unsigned axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = shape->grid[axis];
    launch.block[axis] = shape->block[axis];
    launch.cluster[axis] = shape->cluster[axis] ? shape->cluster[axis] : 1;
  }
  return wrap(kernel->value.launch(launch, parameters, unwrap(stream)));
}

LattnError lattnCudaTensorMapEncode(const LattnCudaDevice *device,
                                    const LattnCudaTensor *from,
                                    const char *name, void *map) {
  TiledTensor tensor;
  tensor.type = static_cast<TensorMapType>(from->type);
  tensor.rank = from->rank;
  tensor.address = from->address;
  std::memcpy(tensor.sizes, from->sizes, sizeof(tensor.sizes));
  std::memcpy(tensor.strides, from->strides, sizeof(tensor.strides));
  std::memcpy(tensor.box, from->box, sizeof(tensor.box));
  tensor.swizzle = static_cast<TensorMapSwizzle>(from->swizzle);
  tensor.promotion = static_cast<TensorMapL2>(from->promotion);
  auto encoded = encodeTensorMap(device->value->getDriver(), tensor, name);
  if (!encoded)
    return wrap(encoded.takeError());
  std::memcpy(map, &*encoded, sizeof(TensorMap));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Memory, streams, events
//===----------------------------------------------------------------------===//

LattnError lattnCudaMemoryAllocate(const LattnCudaDevice *device, size_t bytes,
                                   LattnCudaMemory **memory) {
  return wrap(Memory::allocate(device->value, bytes), memory);
}

void lattnCudaMemoryFree(LattnCudaMemory *memory) { delete memory; }

uint64_t lattnCudaMemoryGetAddress(const LattnCudaMemory *memory) {
  return memory->value.get();
}

LattnError lattnCudaMemoryCopyIn(LattnCudaMemory *memory, const void *from,
                                 size_t bytes, void *stream) {
  return wrap(memory->value.copyIn(from, bytes, unwrap(stream)));
}

LattnError lattnCudaMemoryCopyOut(const LattnCudaMemory *memory, void *to,
                                  size_t bytes, void *stream) {
  return wrap(memory->value.copyOut(to, bytes, unwrap(stream)));
}

LattnError lattnCudaMemoryFill(LattnCudaMemory *memory, unsigned char value,
                               void *stream) {
  return wrap(memory->value.fill(value, unwrap(stream)));
}

LattnError lattnCudaStreamCreate(const LattnCudaDevice *device,
                                 LattnCudaStream **stream) {
  return wrap(Stream::create(device->value), stream);
}

void lattnCudaStreamFree(LattnCudaStream *stream) { delete stream; }

void *lattnCudaStreamGet(const LattnCudaStream *stream) {
  return stream->value.get();
}

LattnError lattnCudaStreamSynchronize(const LattnCudaStream *stream) {
  return wrap(stream->value.synchronize());
}

LattnError lattnCudaEventCreate(const LattnCudaDevice *device,
                                LattnCudaEvent **event) {
  return wrap(Event::create(device->value), event);
}

void lattnCudaEventFree(LattnCudaEvent *event) { delete event; }

LattnError lattnCudaEventRecord(LattnCudaEvent *event, void *stream) {
  return wrap(event->value.record(unwrap(stream)));
}

LattnError lattnCudaEventSynchronize(const LattnCudaEvent *event) {
  return wrap(event->value.synchronize());
}

LattnError lattnCudaEventGetMilliseconds(const LattnCudaEvent *begin,
                                         const LattnCudaEvent *end,
                                         float *milliseconds) {
  Result<float> elapsed = end->value.getMillisecondsSince(begin->value);
  if (!elapsed)
    return wrap(elapsed.takeError());
  *milliseconds = *elapsed;
  return nullptr;
}

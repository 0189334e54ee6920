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
#include <initializer_list>

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

/// An error that names the first of `pointers` that is NULL.
static LattnError requireAll(
    std::initializer_list<std::pair<const void *, const char *>> pointers) {
  for (auto [pointer, name] : pointers)
    if (!pointer)
      return wrap(Error("expected " + std::string(name) + ", got NULL"));
  return nullptr;
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
  if (LattnError error = requireAll({{count, "a place for the count"}}))
    return error;
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
  if (LattnError error = requireAll({{device, "a place for the device"}}))
    return error;
  auto driver = Driver::get();
  if (!driver)
    return wrap(driver.takeError());
  return wrap(Device::open(*driver, ordinal), device);
}

void lattnCudaDeviceClose(LattnCudaDevice *device) { delete device; }

void lattnCudaDeviceGetInfo(const LattnCudaDevice *device,
                            LattnCudaDeviceInfo *info) {
  if (!info)
    return;
  *info = {"", 0, 0, 0, 0, 0};
  if (!device)
    return;
  const DeviceInfo &from = device->value->getInfo();
  *info = {from.name.c_str(), from.major,
           from.minor,        from.multiprocessors,
           from.sharedBytes,  device->value->getDriver().getVersion()};
}

LattnError lattnCudaDeviceCheckPointer(const LattnCudaDevice *device,
                                       uint64_t address, size_t alignment,
                                       const char *name) {
  if (LattnError error = requireAll({{device, "a device"}, {name, "a name"}}))
    return error;
  return wrap(device->value->checkPointer(address, alignment, name));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

LattnError lattnCudaModuleLoad(const LattnCudaDevice *device, const void *image,
                               size_t size, const char *chip,
                               LattnCudaModule **module) {
  if (LattnError error = requireAll({{device, "a device"},
                                     {image, "an image"},
                                     {module, "a place for the module"}}))
    return error;
  return wrap(Module::load(device->value, image, size, chip ? chip : ""),
              module);
}

void lattnCudaModuleFree(LattnCudaModule *module) { delete module; }

LattnError lattnCudaKernelGet(const LattnCudaModule *module, const char *name,
                              unsigned sharedBytes, LattnCudaKernel **kernel) {
  if (LattnError error = requireAll({{module, "a module"},
                                     {name, "a kernel's name"},
                                     {kernel, "a place for the kernel"}}))
    return error;
  return wrap(module->value.getKernel(name, sharedBytes), kernel);
}

void lattnCudaKernelFree(LattnCudaKernel *kernel) { delete kernel; }

void lattnCudaKernelGetInfo(const LattnCudaKernel *kernel,
                            LattnCudaKernelInfo *info) {
  if (!info)
    return;
  *info = {};
  if (!kernel)
    return;
  const KernelInfo &from = kernel->value.getInfo();
  *info = {from.registers, from.staticSharedBytes, from.localBytes,
           from.maxThreads};
}

LattnError lattnCudaKernelLaunch(const LattnCudaKernel *kernel,
                                 const LattnCudaShape *shape, void **parameters,
                                 void *stream) {
  if (LattnError error = requireAll({{kernel, "a kernel"}, {shape, "a shape"}}))
    return error;
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
  if (LattnError error = requireAll({{device, "a device"},
                                     {from, "a tensor"},
                                     {name, "a name"},
                                     {map, "a place for the map"}}))
    return error;
  TiledTensor tensor;
  tensor.type = static_cast<TensorMapType>(from->type);
  tensor.rank = from->rank;
  tensor.address = from->address;
  std::memcpy(tensor.sizes, from->sizes, sizeof(tensor.sizes));
  std::memcpy(tensor.strides, from->strides, sizeof(tensor.strides));
  std::memcpy(tensor.box, from->box, sizeof(tensor.box));
  tensor.swizzle = static_cast<TensorMapSwizzle>(from->swizzle);
  tensor.promotion = static_cast<TensorMapL2>(from->promotion);
  auto encoded = encodeTensorMap(*device->value, tensor, name);
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
  if (LattnError error = requireAll(
          {{device, "a device"}, {memory, "a place for the memory"}}))
    return error;
  return wrap(Memory::allocate(device->value, bytes), memory);
}

void lattnCudaMemoryFree(LattnCudaMemory *memory) { delete memory; }

uint64_t lattnCudaMemoryGetAddress(const LattnCudaMemory *memory) {
  return memory ? memory->value.get() : 0;
}

LattnError lattnCudaMemoryCopyIn(LattnCudaMemory *memory, const void *from,
                                 size_t bytes, void *stream) {
  if (LattnError error = requireAll(
          {{memory, "memory"}, {bytes ? from : memory, "bytes to copy"}}))
    return error;
  return wrap(memory->value.copyIn(from, bytes, unwrap(stream)));
}

LattnError lattnCudaMemoryCopyOut(const LattnCudaMemory *memory, void *to,
                                  size_t bytes, void *stream) {
  if (LattnError error = requireAll(
          {{memory, "memory"}, {bytes ? to : memory, "a place for the bytes"}}))
    return error;
  return wrap(memory->value.copyOut(to, bytes, unwrap(stream)));
}

LattnError lattnCudaMemoryFill(LattnCudaMemory *memory, unsigned char value,
                               void *stream) {
  if (LattnError error = requireAll({{memory, "memory"}}))
    return error;
  return wrap(memory->value.fill(value, unwrap(stream)));
}

LattnError lattnCudaStreamCreate(const LattnCudaDevice *device,
                                 LattnCudaStream **stream) {
  if (LattnError error = requireAll(
          {{device, "a device"}, {stream, "a place for the stream"}}))
    return error;
  return wrap(Stream::create(device->value), stream);
}

void lattnCudaStreamFree(LattnCudaStream *stream) { delete stream; }

void *lattnCudaStreamGet(const LattnCudaStream *stream) {
  return stream ? stream->value.get() : nullptr;
}

LattnError lattnCudaStreamSynchronize(const LattnCudaStream *stream) {
  if (LattnError error = requireAll({{stream, "a stream"}}))
    return error;
  return wrap(stream->value.synchronize());
}

LattnError lattnCudaEventCreate(const LattnCudaDevice *device,
                                LattnCudaEvent **event) {
  if (LattnError error =
          requireAll({{device, "a device"}, {event, "a place for the event"}}))
    return error;
  return wrap(Event::create(device->value), event);
}

void lattnCudaEventFree(LattnCudaEvent *event) { delete event; }

LattnError lattnCudaEventRecord(LattnCudaEvent *event, void *stream) {
  if (LattnError error = requireAll({{event, "an event"}}))
    return error;
  return wrap(event->value.record(unwrap(stream)));
}

LattnError lattnCudaEventSynchronize(const LattnCudaEvent *event) {
  if (LattnError error = requireAll({{event, "an event"}}))
    return error;
  return wrap(event->value.synchronize());
}

LattnError lattnCudaEventGetMilliseconds(const LattnCudaEvent *begin,
                                         const LattnCudaEvent *end,
                                         float *milliseconds) {
  if (LattnError error = requireAll({{begin, "the first event"},
                                     {end, "the second event"},
                                     {milliseconds, "a place for the time"}}))
    return error;
  Result<float> elapsed = end->value.getMillisecondsSince(begin->value);
  if (!elapsed)
    return wrap(elapsed.takeError());
  *milliseconds = *elapsed;
  return nullptr;
}

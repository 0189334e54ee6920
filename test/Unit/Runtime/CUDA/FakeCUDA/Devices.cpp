//===- Devices.cpp - The stand-in's devices, memory and streams -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <cstdlib>
#include <cstring>

using namespace fake;

using Lock = std::lock_guard<std::recursive_mutex>;

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

FAKECUDA_EXPORT Status cuInit(unsigned) {
  Lock lock(getState().mutex);
  if (Status status = enter("cuInit"))
    return status;
  getState().initialized = true;
  return getNumber("FAKECUDA_DEVICES", 1) > 0 ? 0 : kNoDevice;
}

static const struct {
  Status status;
  const char *name, *text;
} kErrors[] = {
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
};

FAKECUDA_EXPORT Status cuGetErrorName(Status status, const char **name) {
  *name = nullptr;
  for (auto &error : kErrors)
    if (error.status == status)
      *name = error.name;
  return *name ? 0 : kInvalidValue;
}

FAKECUDA_EXPORT Status cuGetErrorString(Status status, const char **text) {
  *text = nullptr;
  for (auto &error : kErrors)
    if (error.status == status)
      *text = error.text;
  return *text ? 0 : kInvalidValue;
}

FAKECUDA_EXPORT Status cuDriverGetVersion(int *version) {
  *version = getNumber("FAKECUDA_VERSION", 12080);
  return enter("cuDriverGetVersion");
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

FAKECUDA_EXPORT Status cuDeviceGetCount(int *count) {
  *count = getNumber("FAKECUDA_DEVICES", 1);
  return enter("cuDeviceGetCount");
}

FAKECUDA_EXPORT Status cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return enter("cuDeviceGet");
}

FAKECUDA_EXPORT Status cuDeviceGetName(char *name, int size, int device) {
  std::strncpy(name, "Fake GPU", size);
  return enter("cuDeviceGetName");
}

FAKECUDA_EXPORT Status cuDeviceGetAttribute(int *value,
                                            DeviceAttribute attribute, int) {
  switch (attribute) {
  case DeviceAttribute::ComputeCapabilityMajor:
    *value = getCapability() / 10;
    break;
  case DeviceAttribute::ComputeCapabilityMinor:
    *value = getCapability() % 10;
    break;
  case DeviceAttribute::MultiprocessorCount:
    *value = 132;
    break;
  case DeviceAttribute::MaxSharedMemoryPerBlockOptin:
    *value = getNumber("FAKECUDA_SHARED", 232448);
    break;
  }
  return enter("cuDeviceGetAttribute");
}

FAKECUDA_EXPORT Status cuDevicePrimaryCtxRetain(ContextHandle *context,
                                                int device) {
  Lock lock(getState().mutex);
  if (Status status = enter("cuDevicePrimaryCtxRetain"))
    return status;
  ContextObject &object = getState().contexts[device];
  object.device = device;
  ++object.references;
  *context = &object;
  return 0;
}

FAKECUDA_EXPORT Status cuDevicePrimaryCtxRelease_v2(int device) {
  Lock lock(getState().mutex);
  ContextObject &object = getState().contexts[device];
  if (object.references == 0)
    return kInvalidContext;
  --object.references;
  return enter("cuDevicePrimaryCtxRelease");
}

FAKECUDA_EXPORT Status cuCtxPushCurrent_v2(ContextHandle context) {
  Lock lock(getState().mutex);
  if (Status status = enter("cuCtxPushCurrent"))
    return status;
  if (!context || context->references == 0)
    return kInvalidContext;
  getStack().push_back(context);
  return 0;
}

FAKECUDA_EXPORT Status cuCtxPopCurrent_v2(ContextHandle *context) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuCtxPopCurrent"))
    return status;
  *context = getStack().back();
  getStack().pop_back();
  return 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FAKECUDA_EXPORT Status cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuMemAlloc", std::to_string(bytes)))
    return status;
  if (bytes == 0)
    return kInvalidValue;
  if (bytes > size_t(1) << 32)
    return kOutOfMemory;
  void *memory;
  if (posix_memalign(&memory, /*alignment=*/256, bytes)) // as the driver's
    return kOutOfMemory;
  Block block{{memory, std::free}, bytes, getStack().back()->device};
  std::memset(memory, 0xff, bytes); // NaN
  *pointer = reinterpret_cast<DevicePointer>(memory);
  getState().memory.emplace(*pointer, std::move(block));
  return 0;
}

FAKECUDA_EXPORT Status cuMemFree_v2(DevicePointer pointer) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuMemFree"))
    return status;
  return getState().memory.erase(pointer) ? 0 : kInvalidValue;
}

static Status enterStream(const char *call, StreamHandle stream) {
  Status status = enterInContext(call, stream ? "own stream" : "legacy stream");
  if (!status && stream && !getState().streams.count(stream))
    return kInvalidHandle;
  return status;
}

FAKECUDA_EXPORT Status cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from,
                                            size_t bytes, StreamHandle stream) {
  Lock lock(getState().mutex);
  if (Status status = enterStream("cuMemcpyHtoDAsync", stream))
    return status;
  if (!getState().find(to, bytes))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}

FAKECUDA_EXPORT Status cuMemcpyDtoHAsync_v2(void *to, DevicePointer from,
                                            size_t bytes, StreamHandle stream) {
  Lock lock(getState().mutex);
  if (Status status = enterStream("cuMemcpyDtoHAsync", stream))
    return status;
  if (!getState().find(from, bytes))
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return 0;
}

FAKECUDA_EXPORT Status cuMemsetD8Async(DevicePointer to, unsigned char value,
                                       size_t bytes, StreamHandle stream) {
  Lock lock(getState().mutex);
  if (Status status = enterStream("cuMemsetD8Async", stream))
    return status;
  if (!getState().find(to, bytes))
    return kInvalidValue;
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return 0;
}

FAKECUDA_EXPORT Status cuPointerGetAttribute(void *value, PointerAttribute,
                                             DevicePointer pointer) {
  Lock lock(getState().mutex);
  if (Status status = enter("cuPointerGetAttribute"))
    return status;
  Block *block = getState().find(pointer, 1);
  if (!block)
    return kInvalidValue;
  *static_cast<int *>(value) = block->device;
  return 0;
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

FAKECUDA_EXPORT Status cuStreamCreate(StreamHandle *stream, unsigned flags) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuStreamCreate", std::to_string(flags)))
    return status;
  *stream = new StreamObject{getStack().back()};
  getState().streams.insert(*stream);
  return 0;
}

FAKECUDA_EXPORT Status cuStreamSynchronize(StreamHandle stream) {
  Lock lock(getState().mutex);
  return enterStream("cuStreamSynchronize", stream);
}

FAKECUDA_EXPORT Status cuStreamIsCapturing(StreamHandle stream, int *state) {
  Lock lock(getState().mutex);
  *state = getState().isCapturing;
  return enterStream("cuStreamIsCapturing", stream);
}

FAKECUDA_EXPORT Status cuStreamDestroy_v2(StreamHandle stream) {
  Lock lock(getState().mutex);
  if (Status status = enterStream("cuStreamDestroy", stream))
    return status;
  getState().streams.erase(stream);
  delete stream;
  return 0;
}

FAKECUDA_EXPORT Status cuEventCreate(EventHandle *event, unsigned) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuEventCreate"))
    return status;
  *event = new EventObject;
  getState().events.insert(*event);
  return 0;
}

FAKECUDA_EXPORT Status cuEventRecord(EventHandle event, StreamHandle stream) {
  Lock lock(getState().mutex);
  if (Status status = enterStream("cuEventRecord", stream))
    return status;
  event->time = getState().time++;
  return 0;
}

FAKECUDA_EXPORT Status cuEventSynchronize(EventHandle) {
  return enterInContext("cuEventSynchronize");
}

/// A millisecond a record.
FAKECUDA_EXPORT Status cuEventElapsedTime(float *milliseconds,
                                          EventHandle begin, EventHandle end) {
  if (Status status = enterInContext("cuEventElapsedTime"))
    return status;
  if (begin->time < 0 || end->time < 0)
    return kInvalidHandle;
  *milliseconds = end->time - begin->time;
  return 0;
}

FAKECUDA_EXPORT Status cuEventDestroy_v2(EventHandle event) {
  Lock lock(getState().mutex);
  if (Status status = enterInContext("cuEventDestroy"))
    return status;
  getState().events.erase(event);
  delete event;
  return 0;
}

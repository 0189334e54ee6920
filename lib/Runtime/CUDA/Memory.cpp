//===- Memory.cpp - Memory of a GPU ---------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/Memory.h"
#include "CallOn.h"
#include <algorithm>

using namespace lattn::cuda;

Result<Memory> Memory::allocate(DeviceRef device, size_t bytes) {
  if (bytes == 0)
    return Memory(std::move(device), 0, 0);
  DevicePointer pointer = 0;
  if (Error error = callOn(*device, device->cu().cuMemAlloc, "cuMemAlloc",
                           &pointer, bytes))
    return std::move(error).with(std::to_string(bytes) + " bytes on '" +
                                 device->getInfo().name + "'");
  return Memory(std::move(device), pointer, bytes);
}

Memory::Memory(Memory &&other)
    : device(std::move(other.device)), pointer(std::exchange(other.pointer, 0)),
      bytes(std::exchange(other.bytes, 0)) {}

Memory::~Memory() {
  if (!pointer)
    return;
  ContextScope scope(*device);
  (void)device->cu().cuMemFree(pointer);
}

Error Memory::checkCount(size_t count, size_t offset, const char *what) const {
  if (offset <= bytes && count <= bytes - offset)
    return Error();
  return Error(std::string(what) + " of " + std::to_string(count) +
               " bytes: the device's block has " +
               std::to_string(bytes - std::min(offset, bytes)));
}

Error Memory::copyIn(const void *from, size_t count, StreamHandle stream) {
  if (Error error = checkCount(count, 0, "a copy in"))
    return error;
  if (count == 0)
    return Error();
  return callOn(*device, device->cu().cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync",
                pointer, from, count, stream);
}

Error Memory::copyOut(void *to, size_t count, StreamHandle stream,
                      size_t offset) const {
  if (Error error = checkCount(count, offset, "a copy out"))
    return error;
  if (count == 0)
    return Error();
  return callOn(*device, device->cu().cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync",
                to, pointer + offset, count, stream);
}

Error Memory::fill(unsigned char value, StreamHandle stream) {
  if (bytes == 0)
    return Error();
  return callOn(*device, device->cu().cuMemsetD8Async, "cuMemsetD8Async",
                pointer, value, bytes, stream);
}

//===- Memory.h - Memory of a GPU -------------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_MEMORY_H
#define LATTN_RUNTIME_CUDA_MEMORY_H

#include "lattn/Runtime/CUDA/Device.h"

namespace lattn::cuda {

/// A block of device memory. The stream orders copies. They may end after the
/// call, so the host's memory that they read and write must last until then.
class Memory {
public:
  /// For 0 bytes the pointer is null.
  static Result<Memory> allocate(DeviceRef device, size_t bytes);
  Memory(Memory &&other);
  ~Memory();

  DevicePointer get() const { return pointer; }
  size_t size() const { return bytes; }

  Error copyIn(const void *from, size_t count, StreamHandle stream);
  /// `offset` counts from the begin of the block.
  Error copyOut(void *to, size_t count, StreamHandle stream,
                size_t offset = 0) const;
  /// Sets every byte.
  Error fill(unsigned char value, StreamHandle stream);

private:
  Memory(DeviceRef device, DevicePointer pointer, size_t bytes)
      : device(std::move(device)), pointer(pointer), bytes(bytes) {}
  Error checkCount(size_t count, size_t offset, const char *what) const;

  DeviceRef device;
  DevicePointer pointer;
  size_t bytes;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_MEMORY_H

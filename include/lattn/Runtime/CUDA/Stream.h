//===- Stream.h - Streams and events ----------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_RUNTIME_CUDA_STREAM_H
#define LATTN_RUNTIME_CUDA_STREAM_H

#include "lattn/Runtime/CUDA/Device.h"

namespace lattn::cuda {

/// Destroys an object that the driver made on a device.
struct DestroyOn {
  DeviceRef device;
  void operator()(StreamHandle stream) const;
  void operator()(EventHandle event) const;
};

/// A stream that lattn makes. It does not wait for the legacy stream.
class Stream {
public:
  static Result<Stream> create(DeviceRef device);

  StreamHandle get() const { return handle.get(); }
  /// Waits for the stream. It also reports errors of kernels and copies.
  Error synchronize() const;

private:
  const Device &getDevice() const { return *handle.get_deleter().device; }
  Stream(DeviceRef device, StreamHandle handle)
      : handle(handle, {std::move(device)}) {}
  std::unique_ptr<StreamObject, DestroyOn> handle;
};

/// An error while a graph is captured from the caller's `stream`, because the
/// driver loads no code then.
Error checkNotCaptured(const Device &device, StreamHandle stream);

/// A point in a stream, for timing.
class Event {
public:
  static Result<Event> create(DeviceRef device);

  Error record(StreamHandle stream);
  Error synchronize() const;
  /// Milliseconds since `begin`. Both events must have happened.
  Result<float> getMillisecondsSince(const Event &begin) const;

private:
  const Device &getDevice() const { return *handle.get_deleter().device; }
  Event(DeviceRef device, EventHandle handle)
      : handle(handle, {std::move(device)}) {}
  std::unique_ptr<EventObject, DestroyOn> handle;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_STREAM_H

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

/// A stream of lattn's own, which does not wait for the legacy stream.
class Stream {
public:
  static Result<Stream> create(DeviceRef device);
  Stream(Stream &&other);
  ~Stream();

  StreamHandle get() const { return handle; }
  /// Waits; reports what went wrong in kernels and copies, too.
  Error synchronize() const;

private:
  Stream(DeviceRef device, StreamHandle handle)
      : device(std::move(device)), handle(handle) {}
  DeviceRef device;
  StreamHandle handle;
};

/// An error while a graph is captured from the caller's `stream`, where the
/// driver loads no code.
Error checkNotCaptured(const Device &device, StreamHandle stream);

/// A point in a stream, for timing.
class Event {
public:
  static Result<Event> create(DeviceRef device);
  Event(Event &&other);
  ~Event();

  Error record(StreamHandle stream);
  Error synchronize() const;
  /// Milliseconds from `begin`, both reached.
  Result<float> getMillisecondsSince(const Event &begin) const;

private:
  Event(DeviceRef device, EventHandle handle)
      : device(std::move(device)), handle(handle) {}
  DeviceRef device;
  EventHandle handle;
};

} // namespace lattn::cuda

#endif // LATTN_RUNTIME_CUDA_STREAM_H

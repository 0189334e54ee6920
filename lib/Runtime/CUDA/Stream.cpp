//===- Stream.cpp - Streams and events ------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Runtime/CUDA/Stream.h"
#include "CallOn.h"

using namespace lattn::cuda;

//===----------------------------------------------------------------------===//
// Stream
//===----------------------------------------------------------------------===//

Result<Stream> Stream::create(DeviceRef device) {
  StreamHandle handle = nullptr;
  if (Error error = callOn(*device, device->cu().cuStreamCreate,
                           "cuStreamCreate", &handle, kStreamNonBlocking))
    return error;
  return Stream(std::move(device), handle);
}

Stream::Stream(Stream &&other)
    : device(std::move(other.device)),
      handle(std::exchange(other.handle, nullptr)) {}

Stream::~Stream() {
  if (!handle)
    return;
  ContextScope scope(*device);
  (void)device->cu().cuStreamDestroy(handle);
}

Error Stream::synchronize() const {
  return callOn(*device, device->cu().cuStreamSynchronize,
                "cuStreamSynchronize", handle);
}

Error lattn::cuda::checkNotCaptured(const Device &device, StreamHandle stream) {
  ContextScope scope(device);
  if (Error error = scope.takeError())
    return error;
  int state = 0;
  // Asking about the legacy stream fails while another one is captured.
  bool failed = device.cu().cuStreamIsCapturing(stream, &state);
  if (!failed && !state)
    return Error();
  return Error("a CUDA graph is being captured, and the kernel is not loaded "
               "yet: call the function once before the capture");
}

//===----------------------------------------------------------------------===//
// Event
//===----------------------------------------------------------------------===//

Result<Event> Event::create(DeviceRef device) {
  EventHandle handle = nullptr;
  if (Error error = callOn(*device, device->cu().cuEventCreate, "cuEventCreate",
                           &handle, kEventDefault))
    return error;
  return Event(std::move(device), handle);
}

Event::Event(Event &&other)
    : device(std::move(other.device)),
      handle(std::exchange(other.handle, nullptr)) {}

Event::~Event() {
  if (!handle)
    return;
  ContextScope scope(*device);
  (void)device->cu().cuEventDestroy(handle);
}

Error Event::record(StreamHandle stream) {
  return callOn(*device, device->cu().cuEventRecord, "cuEventRecord", handle,
                stream);
}

Error Event::synchronize() const {
  return callOn(*device, device->cu().cuEventSynchronize, "cuEventSynchronize",
                handle);
}

Result<float> Event::getMillisecondsSince(const Event &begin) const {
  float milliseconds = 0;
  if (Error error =
          callOn(*device, device->cu().cuEventElapsedTime, "cuEventElapsedTime",
                 &milliseconds, begin.handle, handle))
    return error;
  return milliseconds;
}

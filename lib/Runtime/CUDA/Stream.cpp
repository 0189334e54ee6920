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

void DestroyOn::operator()(StreamHandle stream) const {
  ContextScope scope(*device);
  (void)device->cu().cuStreamDestroy(stream);
}

void DestroyOn::operator()(EventHandle event) const {
  ContextScope scope(*device);
  (void)device->cu().cuEventDestroy(event);
}

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

Error Stream::synchronize() const {
  return callOn(getDevice(), getDevice().cu().cuStreamSynchronize,
                "cuStreamSynchronize", handle.get());
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

Error Event::record(StreamHandle stream) {
  return callOn(getDevice(), getDevice().cu().cuEventRecord, "cuEventRecord",
                handle.get(), stream);
}

Error Event::synchronize() const {
  return callOn(getDevice(), getDevice().cu().cuEventSynchronize,
                "cuEventSynchronize", handle.get());
}

Result<float> Event::getMillisecondsSince(const Event &begin) const {
  float milliseconds = 0;
  if (Error error = callOn(getDevice(), getDevice().cu().cuEventElapsedTime,
                           "cuEventElapsedTime", &milliseconds,
                           begin.handle.get(), handle.get()))
    return error;
  return milliseconds;
}

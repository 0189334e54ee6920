//===- GPU.cpp - Calls with arrays on a GPU -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU.h"

using namespace lattn::python;

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// torch.cuda where the program uses it, else null.
static nb::object findTorchCuda() {
  nb::object modules = nb::module_::import_("sys").attr("modules");
  nb::object torch = modules.attr("get")("torch");
  if (torch.is_none() || !nb::hasattr(torch, "cuda"))
    return {};
  nb::object cuda = torch.attr("cuda");
  return nb::cast<bool>(cuda.attr("is_initialized")()) ? cuda : nb::object();
}

/// 1 is the legacy stream's other name.
static uint64_t normalise(uint64_t stream) { return stream == 1 ? 0 : stream; }

uint64_t lattn::python::getCurrentStream(int device) {
  nb::object cuda = findTorchCuda();
  if (!cuda.is_valid())
    return 0;
  return normalise(nb::cast<uint64_t>(
      cuda.attr("current_stream")(device).attr("cuda_stream")));
}

static uint64_t chooseStream(int device,
                             const std::vector<const ArrayView *> &views) {
  if (findTorchCuda().is_valid())
    return getCurrentStream(device);
  for (const ArrayView *view : views)
    if (view->stream)
      return normalise(view->stream);
  return 0;
}

GPUCall::GPUCall(int device, const std::vector<const ArrayView *> &views)
    : device(device) {
  uint64_t chosen = chooseStream(device, views);
  for (const ArrayView *view : views)
    if (view->stream && normalise(view->stream) != chosen)
      throwValueError(std::string(view->name) +
                      ": expected data that is ready on the stream " +
                      std::to_string(chosen) +
                      ", which the call is queued on, got " +
                      std::to_string(view->stream) +
                      ": make that one current, or synchronize");
  stream = reinterpret_cast<void *>(chosen);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t GPUCall::allocate(size_t bytes, void *user) {
  auto *call = static_cast<GPUCall *>(user);
  nb::gil_scoped_acquire locked;
  try {
    auto size = static_cast<int64_t>(bytes);
    nb::object tensor =
        makeEmpty(Library::Torch, LattnU8, 1, &size, call->device);
    auto address = nb::cast<uint64_t>(tensor.attr("data_ptr")());
    call->blocks[address] = {tensor, bytes};
    return address;
  } catch (...) {
    call->raised = std::current_exception();
    return 0;
  }
}

void GPUCall::release(uint64_t address, void *user) {
  nb::gil_scoped_acquire locked;
  static_cast<GPUCall *>(user)->blocks.erase(address);
}

LattnError GPUCall::run(const LattnCudaCallable *callable,
                        const std::vector<LattnArray> &arguments,
                        LattnArray *results) {
  LattnCudaCall call = {stream, allocate, release, this};
  LattnError error;
  {
    nb::gil_scoped_release unlocked;
    error = lattnCudaCallableCall(callable, arguments.data(), arguments.size(),
                                  &call, results);
  }
  if (raised) {
    lattnErrorFree(error);
    std::rethrow_exception(raised);
  }
  return error;
}

LattnError GPUCall::prepare(const LattnCudaCallable *callable,
                            const std::vector<LattnArray> &arguments) const {
  nb::gil_scoped_release unlocked;
  return lattnCudaCallablePrepare(callable, arguments.data(), arguments.size(),
                                  stream);
}

nb::object GPUCall::takeResult(const LattnArray &array) {
  nb::list sizes, strides;
  bool isEmpty = false;
  for (int i = 0; i < array.rank; ++i) {
    sizes.append(array.sizes[i]);
    strides.append(array.strides[i]);
    isEmpty |= array.sizes[i] == 0;
  }
  if (isEmpty)
    return makeEmpty(Library::Torch, array.type, array.rank, array.sizes,
                     device);
  auto address = reinterpret_cast<uint64_t>(array.data);
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin())
    return {};
  const auto &[begin, block] = *std::prev(after);
  if (address - begin >= block.bytes)
    return {};
  uint64_t offset = (address - begin) / lattnElementTypeGetSize(array.type);
  return block.tensor.attr("view")(getTorchType(array.type))
      .attr("as_strided")(sizes, strides, offset);
}

//===- Session.cpp - Runs of a program with arrays of the host ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"

using namespace lattn;
using llvm::Expected;

Expected<std::unique_ptr<CUDASession>>
CUDASession::create(const cuda::DeviceRef &device, const std::string &ptx,
                    const std::string &chip) {
  auto kernels = CUDAKernels::load(device, ptx, chip);
  if (!kernels)
    return kernels.takeError();
  auto stream = cuda::Stream::create(device);
  if (!stream)
    return toError(stream.takeError());
  auto begin = cuda::Event::create(device);
  if (!begin)
    return toError(begin.takeError());
  auto end = cuda::Event::create(device);
  if (!end)
    return toError(end.takeError());
  return std::unique_ptr<CUDASession>(
      new CUDASession(std::move(*kernels), std::move(*stream),
                      std::move(*begin), std::move(*end)));
}

cuda::Result<cuda::DevicePointer> CUDASession::allocate(size_t bytes) {
  auto memory = cuda::Memory::allocate(getDevice(), bytes);
  if (!memory)
    return memory.takeError();
  cuda::DevicePointer pointer = memory->get();
  blocks.emplace(pointer, std::move(*memory));
  return pointer;
}

Expected<double> CUDASession::run(PackedFunction packed, void **pointers) {
  release();
  cuda::Error error = begin.record(stream.get());
  if (!error)
    error = KernelRun::run(*kernels, stream.get(), packed, pointers);
  if (!error)
    error = end.record(stream.get());
  // Waits in any case: arguments may go after an error.
  cuda::Error failed = stream.synchronize();
  if (error)
    return toError(error);
  if (failed)
    return toError(failed);
  auto milliseconds = end.getMillisecondsSince(begin);
  if (!milliseconds)
    return toError(milliseconds.takeError());
  return *milliseconds * 1e-3;
}

const cuda::Memory *CUDASession::find(cuda::DevicePointer address) const {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin())
    return nullptr;
  const cuda::Memory &block = std::prev(after)->second;
  return address - block.get() < block.size() ? &block : nullptr;
}

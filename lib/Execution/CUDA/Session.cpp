//===- Session.cpp - What running code needs of a GPU ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "HostCode.h"

using namespace lattn;
using llvm::Expected;

static thread_local CUDASession *current = nullptr;

CUDASession::CUDASession(cuda::DeviceRef device, cuda::Module module,
                         cuda::Stream stream, cuda::Event begin,
                         cuda::Event end)
    : device(std::move(device)), module(std::move(module)),
      stream(std::move(stream)), begin(std::move(begin)), end(std::move(end)) {}

Expected<std::unique_ptr<CUDASession>>
CUDASession::create(const cuda::DeviceRef &device, const std::string &ptx,
                    const std::string &chip) {
  auto module = cuda::Module::load(device, ptx.data(), ptx.size(), chip);
  if (!module)
    return toError(module.takeError());
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
      new CUDASession(device, std::move(*module), std::move(*stream),
                      std::move(*begin), std::move(*end)));
}

//===----------------------------------------------------------------------===//
// What code calls
//===----------------------------------------------------------------------===//

std::vector<std::pair<llvm::StringRef, void *>> CUDASession::getSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{kLaunchFunction, address(launch)},
          {"_mlir_memref_to_llvm_alloc", address(allocate)},
          {"_mlir_memref_to_llvm_aligned_alloc", address(allocateAligned)},
          {"_mlir_memref_to_llvm_free", address(free)},
          {"_mlir_memref_to_llvm_aligned_free", address(free)}};
}

void *CUDASession::allocate(int64_t bytes) {
  auto memory = cuda::Memory::allocate(current->device, bytes);
  if (!memory) {
    current->fail(memory.takeError());
    return nullptr;
  }
  cuda::DevicePointer pointer = memory->get();
  if (pointer)
    current->blocks.emplace(pointer, std::move(*memory));
  return reinterpret_cast<void *>(pointer);
}

/// The driver aligns to 256 bytes.
void *CUDASession::allocateAligned(int64_t, int64_t bytes) {
  return allocate(bytes);
}

void CUDASession::free(void *pointer) {
  current->blocks.erase(reinterpret_cast<cuda::DevicePointer>(pointer));
}

const cuda::Kernel *CUDASession::getKernel(const std::string &name,
                                           unsigned sharedBytes) {
  auto found = kernels.find({name, sharedBytes});
  if (found != kernels.end())
    return &found->second;
  auto kernel = module.getKernel(name, sharedBytes);
  if (!kernel) {
    fail(kernel.takeError());
    return nullptr;
  }
  return &kernels.emplace(std::pair(name, sharedBytes), std::move(*kernel))
              .first->second;
}

void CUDASession::launch(const char *name, int64_t gridX, int64_t gridY,
                         int64_t gridZ, int64_t blockX, int64_t blockY,
                         int64_t blockZ, int32_t sharedBytes,
                         void **parameters) {
  if (current->error)
    return;
  const cuda::Kernel *kernel = current->getKernel(name, sharedBytes);
  if (!kernel)
    return;
  constexpr int64_t kMost = UINT32_MAX;
  cuda::LaunchShape shape;
  const int64_t grid[] = {gridX, gridY, gridZ},
                block[] = {blockX, blockY, blockZ};
  for (unsigned axis = 0; axis < 3; ++axis) {
    // What is too large stays too large.
    shape.grid[axis] = std::min(grid[axis], kMost);
    shape.block[axis] = std::min(block[axis], kMost);
  }
  if (cuda::Error error =
          kernel->launch(shape, parameters, current->stream.get()))
    current->fail(std::move(error));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Expected<double> CUDASession::run(void (*packed)(void **), void **pointers) {
  release();
  error = cuda::Error();
  current = this;
  if (cuda::Error error = begin.record(stream.get()))
    fail(std::move(error));
  if (!error)
    packed(pointers);
  current = nullptr;
  if (!error)
    error = end.record(stream.get());
  // Waits in any case: arguments may go after an error.
  if (cuda::Error failed = stream.synchronize())
    fail(std::move(failed));
  if (error)
    return toError(error);
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

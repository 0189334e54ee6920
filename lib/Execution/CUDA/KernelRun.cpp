//===- KernelRun.cpp - What running code needs of a GPU -------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "HostCode.h"
#include "lattn/Execution/Progress.h"
#include "lattn/Runtime/Failure.h"
#include "lattn/Runtime/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

using namespace lattn;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Expected<cuda::DeviceRef> lattn::openDevice(int ordinal) {
  auto driver = cuda::Driver::get();
  if (!driver)
    return toError(driver.takeError());
  auto device = cuda::Device::open(*driver, ordinal);
  if (!device)
    return toError(device.takeError());
  return *device;
}

static cuda::StreamHandle toHandle(uint64_t stream) {
  return reinterpret_cast<cuda::StreamHandle>(stream);
}

llvm::Error lattn::checkNotCaptured(int ordinal, uint64_t stream) {
  Expected<cuda::DeviceRef> device = openDevice(ordinal);
  if (!device)
    return device.takeError();
  return toError(cuda::checkNotCaptured(**device, toHandle(stream)));
}

std::string lattn::getNativeChip(const cuda::DeviceInfo &info) {
  bool isHopper = info.major == 9 && info.minor == 0;
  return info.getChip() + (isHopper ? "a" : ""); // which has warpgroups
}

//===----------------------------------------------------------------------===//
// CUDAKernels
//===----------------------------------------------------------------------===//

llvm::Error CUDAKernels::load(const std::set<std::string> &names,
                              cuda::StreamHandle stream) {
  std::lock_guard<std::mutex> oneAtATime(compiling);
  std::vector<const KernelSource *> missing;
  for (const KernelSource &source : sources)
    if (names.count(source.name) && !modules.count(source.name))
      missing.push_back(&source);
  if (missing.empty())
    return llvm::Error::success();
  if (cuda::Error error = cuda::checkNotCaptured(*device, stream))
    return toError(error);
  Progress progress(!options.quiet && !options.useCommandLine,
                    "compiling kernels", missing.size());
  // What passes are asked to print stays in order.
  int64_t threads = options.useCommandLine ? 1 : lattn_get_num_threads();
  llvm::DefaultThreadPool pool(llvm::heavyweight_hardware_concurrency(
      std::min<int64_t>(threads, missing.size())));
  llvm::Error failed = llvm::Error::success();
  auto compile = [&](const KernelSource &source) {
    auto take = [&](llvm::StringRef image) -> llvm::Error {
      auto module =
          cuda::Module::load(device, image.data(), image.size(), options.chip);
      if (!module)
        return toError(module.takeError());
      std::lock_guard<std::mutex> lock(mutex);
      modules.emplace(source.name, std::move(*module));
      return llvm::Error::success();
    };
    llvm::Error error = loadOrCompileKernel(source, options, take);
    progress.advance();
    std::lock_guard<std::mutex> lock(mutex);
    failed = llvm::joinErrors(std::move(failed), std::move(error));
  };
  for (const KernelSource *source : missing)
    pool.async([&, source] { compile(*source); });
  pool.wait();
  return failed;
}

const cuda::Kernel *CUDAKernels::find(const std::string &name,
                                      unsigned sharedBytes) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = kernels.find({name, sharedBytes});
  return it == kernels.end() ? nullptr : &it->second;
}

cuda::Result<const cuda::Kernel *> CUDAKernels::get(const std::string &name,
                                                    unsigned sharedBytes,
                                                    cuda::StreamHandle stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto it = kernels.find({name, sharedBytes});
  if (it != kernels.end())
    return &it->second;
  if (cuda::Error error = cuda::checkNotCaptured(*device, stream))
    return error;
  auto kernel = modules.at(name).getKernel(name, sharedBytes);
  if (!kernel)
    return kernel.takeError();
  return &kernels.emplace(std::pair(name, sharedBytes), std::move(*kernel))
              .first->second;
}

//===----------------------------------------------------------------------===//
// What code calls
//===----------------------------------------------------------------------===//

static thread_local KernelRun *current = nullptr;

std::vector<std::pair<llvm::StringRef, void *>> KernelRun::getSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  return {{kLaunchFunction, address(launch)},
          {kTensorMapFunction, address(makeTensorMap)},
          {"_mlir_memref_to_llvm_alloc", address(allocateForCode)},
          {"_mlir_memref_to_llvm_aligned_alloc", address(allocateAligned)},
          {"_mlir_memref_to_llvm_free", address(freeOfCode)},
          {"_mlir_memref_to_llvm_aligned_free", address(freeOfCode)},
          {"lattn_fail", address(fail)}};
}

void *KernelRun::allocateForCode(int64_t bytes) {
  if (current->isOver() || current->wanted || bytes == 0)
    return nullptr;
  Expected<uint64_t> address = current->call.allocate(bytes);
  if (address)
    return reinterpret_cast<void *>(*address);
  current->error = cuda::Error(llvm::toString(address.takeError()));
  return nullptr;
}

/// Allocators of GPUs align to 256 bytes and more.
void *KernelRun::allocateAligned(int64_t, int64_t bytes) {
  return allocateForCode(bytes);
}

void KernelRun::freeOfCode(void *pointer) {
  if (pointer)
    current->call.release(reinterpret_cast<uint64_t>(pointer));
}

void KernelRun::fail(const char *message) {
  lattn_fail(message);
  current->failed = true;
}

void KernelRun::makeTensorMap(const int64_t *fields, cuda::TensorMap *map) {
  if (current->isOver() || current->wanted)
    return;
  cuda::TiledTensor tensor;
  tensor.type = static_cast<cuda::TensorMapType>(*fields++);
  tensor.swizzle = static_cast<cuda::TensorMapSwizzle>(*fields++);
  tensor.rank = *fields++;
  tensor.address = *fields++;
  tensor.promotion = cuda::TensorMapL2::B128;
  for (unsigned axis = 0; axis < tensor.rank; ++axis) {
    tensor.sizes[axis] = fields[axis];
    tensor.strides[axis] = fields[tensor.rank + axis];
    tensor.box[axis] = fields[2 * tensor.rank + axis];
  }
  auto made = cuda::encodeTensorMap(*current->kernels.getDevice(), tensor,
                                    "an operand");
  if (made)
    *map = *made;
  else
    current->error = made.takeError();
}

void KernelRun::launch(const char *name, int64_t gridX, int64_t gridY,
                       int64_t gridZ, int64_t blockX, int64_t blockY,
                       int64_t blockZ, int32_t sharedBytes, void **parameters) {
  if (current->isOver() || !gridX || !gridY || !gridZ)
    return;
  if (current->wanted) {
    current->wanted->insert(name);
    return;
  }
  cuda::StreamHandle stream = toHandle(current->call.stream);
  const cuda::Kernel *kernel = current->kernels.find(name, sharedBytes);
  if (!kernel) { // those of later launches are compiled at the same time
    current->error = current->prepare();
    if (current->error)
      return;
    auto found = current->kernels.get(name, sharedBytes, stream);
    if (!found) {
      current->error = found.takeError();
      return;
    }
    kernel = *found;
  }
  constexpr int64_t kMost = UINT32_MAX;
  cuda::LaunchShape shape;
  const int64_t grid[] = {gridX, gridY, gridZ},
                block[] = {blockX, blockY, blockZ};
  for (unsigned axis = 0; axis < 3; ++axis) {
    // What is too large stays too large.
    shape.grid[axis] = std::min(grid[axis], kMost);
    shape.block[axis] = std::min(block[axis], kMost);
  }
  current->error = kernel->launch(shape, parameters, stream);
}

void KernelRun::execute() {
  // An allocator may run Python, which may call lattn again.
  KernelRun *outer = std::exchange(current, this);
  code(pointers);
  current = outer;
}

/// Which kernels the call needs depends on sizes, strides and addresses. So the
/// code runs once more, without doing anything.
cuda::Error KernelRun::prepare() {
  std::set<std::string> names;
  wanted = &names;
  execute();
  wanted = nullptr;
  if (llvm::Error failed = kernels.load(names, toHandle(call.stream)))
    return cuda::Error(llvm::toString(std::move(failed)));
  return cuda::Error();
}

cuda::Error KernelRun::run() {
  execute();
  return std::move(error);
}

//===- CUDACallable.cpp - Compiled functions of arrays on a GPU -----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/CUDACallable.h"
#include "../JIT/LoadPacked.h"
#include "KernelRun.h"
#include "lattn/Execution/Cache.h"
#include "lattn/Runtime/Failure.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

CUDACallable::CUDACallable() = default;
CUDACallable::CUDACallable(CUDACallable &&) = default;
CUDACallable::~CUDACallable() = default;

static cuda::StreamHandle toHandle(uint64_t stream) {
  return reinterpret_cast<cuda::StreamHandle>(stream);
}

Expected<CUDACallable> CUDACallable::compileText(StringRef text,
                                                 StringRef bufferName,
                                                 StringRef entry,
                                                 CompileOptions options,
                                                 int ordinal, uint64_t stream) {
  Expected<cuda::DeviceRef> device = openDevice(ordinal);
  if (!device)
    return device.takeError();
  if (cuda::Error error = cuda::checkNotCaptured(**device, toHandle(stream)))
    return toError(error);
  options.pipeline = Pipeline::CUDA;
  options.chip = getNativeChip((*device)->getInfo());
  Expected<CompiledCode> code = loadOrCompile(text, bufferName, entry, options);
  if (!code)
    return code.takeError();
  CUDACallable callable;
  callable.signature = std::move(code->signature);
  auto kernels = CUDAKernels::load(*device, code->kernels, options.chip);
  if (!kernels)
    return kernels.takeError();
  callable.kernels = std::move(*kernels);
  Expected<PackedFunction> packed =
      loadPacked(callable.jit, std::move(code->object),
                 callable.signature.entry, KernelRun::getSymbols());
  if (!packed)
    return packed.takeError();
  callable.packed = *packed;
  return callable;
}

namespace {
/// Memory of the caller's.
class CallersRun : public KernelRun {
public:
  explicit CallersRun(const CUDACallContext &context) : context(context) {}

private:
  cuda::Result<cuda::DevicePointer> allocate(size_t bytes) override {
    if (uint64_t address = context.allocate(bytes))
      return cuda::DevicePointer(address);
    return cuda::Error("cannot allocate " + std::to_string(bytes) +
                       " bytes on the GPU");
  }
  void release(cuda::DevicePointer pointer) override {
    context.release(pointer);
  }
  const CUDACallContext &context;
};
} // namespace

Error CUDACallable::call(void **pointers,
                         const CUDACallContext &context) const {
  CallersRun run(context);
  if (cuda::Error error =
          run.run(*kernels, toHandle(context.stream), packed, pointers))
    return toError(error);
  if (const char *failure = lattn_take_failure())
    return llvm::createStringError(failure);
  return Error::success();
}

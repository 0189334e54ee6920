//===- Program.cpp - Compiled functions and how to call them --------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Program.h"
#include "../CUDA/KernelRun.h"
#include "lattn/Execution/Cache.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Program::Program() = default;
Program::Program(Program &&) = default;
Program &Program::operator=(Program &&) = default;
Program::~Program() = default;

ResultLayout::ResultLayout(const Signature &signature) {
  for (const ValueInfo &info : signature.results) {
    unsigned size = info.isShaped ? 8 * getDescriptorFields(info.shape.size())
                                  : getElementSize(info.kind);
    bytes = llvm::alignTo(bytes, std::min(size, 8u));
    offsets.push_back(bytes);
    bytes += size;
  }
  // A struct goes in front by pointer; a lone scalar is returned by value, and
  // its place is behind.
  inFront = signature.results.size() > 1 ||
            (!signature.results.empty() && signature.results[0].isShaped);
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The GPU to compile for, which completes `options`; null for the host. The
/// code around kernels is the same on all hosts, which share caches.
static Expected<cuda::DeviceRef> chooseDevice(CompileOptions &options) {
  if (options.pipeline != Pipeline::CUDA)
    return cuda::DeviceRef();
  Expected<cuda::DeviceRef> device = openDevice(options.device);
  if (device)
    options.chip = getNativeChip((*device)->getInfo());
  options.cpu = "generic";
  options.attributes = "";
  return device;
}

Expected<Program> Program::load(CompiledCode code, cuda::DeviceRef device,
                                const CompileOptions &options) {
  Program program;
  program.signature = std::move(code.signature);
  program.layout = ResultLayout(program.signature);
  std::vector<std::pair<StringRef, void *>> symbols;
  if (device) {
    program.kernels =
        std::make_unique<CUDAKernels>(device, std::move(code.kernels), options);
    symbols = KernelRun::getSymbols();
  }
  if (Error error =
          Jit::load(std::move(code.object), symbols).moveInto(program.jit))
    return error;
  if (Error error = program.jit->lookupPacked(program.signature.entry)
                        .moveInto(program.packed))
    return error;
  return program;
}

Expected<Program> Program::compile(mlir::func::FuncOp source,
                                   CompileOptions options,
                                   std::string *warnings) {
  Expected<cuda::DeviceRef> device = chooseDevice(options);
  if (!device)
    return device.takeError();
  Expected<TargetInfo> target = getTargetInfo(options.cpu, options.attributes);
  if (!target)
    return target.takeError();
  if (Error error = checkRunsHere(*target))
    return error;
  Expected<CompiledCode> code = compileCode(source, options);
  if (!code)
    return code.takeError();
  if (warnings)
    *warnings += code->warnings;
  return load(std::move(*code), *device, options);
}

Expected<Program> Program::compileText(StringRef text, StringRef bufferName,
                                       StringRef entry,
                                       CompileOptions options) {
  Expected<cuda::DeviceRef> device = chooseDevice(options);
  if (!device)
    return device.takeError();
  bool fromCache = false;
  Expected<CompiledCode> code =
      loadOrCompile(text, bufferName, entry, options, &fromCache);
  if (!code)
    return code.takeError();
  Expected<Program> program = load(std::move(*code), *device, options);
  if (program)
    program->fromCache = fromCache;
  return program;
}

cuda::DeviceRef Program::getDevice() const {
  return kernels ? kernels->getDevice() : nullptr;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

Error Program::call(void **pointers) const {
  const char *left = runCode([&] { packed(pointers); });
  const char *failure = lattn_take_failure();
  if (left) // and what it had allocated is freed
    return llvm::createStringError(left);
  if (!failure)
    return Error::success();
  releaseResults(pointers);
  return llvm::createStringError(failure);
}

Error Program::call(void **pointers, const DeviceCall &call) const {
  cuda::Error error = KernelRun(*kernels, call, packed, pointers).run();
  const char *failure = lattn_take_failure();
  if (error)
    return toError(error);
  return failure ? llvm::createStringError(failure) : Error::success();
}

Error Program::prepare(void **pointers, uint64_t stream) const {
  cuda::Error error =
      KernelRun(*kernels, DeviceCall{stream, {}, {}}, packed, pointers)
          .prepare();
  const char *failure = lattn_take_failure();
  if (error)
    return toError(error);
  return failure ? llvm::createStringError(failure) : Error::success();
}

void Program::forEachResultBuffer(
    void **pointers, llvm::function_ref<void(void *)> visit) const {
  auto *results = static_cast<const char *>(
      pointers[layout.inFront ? 0 : signature.arguments.size()]);
  llvm::SmallPtrSet<void *, 4> seen;
  for (auto [info, offset] :
       llvm::zip_equal(signature.results, layout.offsets)) {
    if (!info.isShaped)
      continue;
    Descriptor result{reinterpret_cast<const int64_t *>(results + offset),
                      info.shape.size()};
    void *allocated = result.getAllocated();
    if (allocated && seen.insert(allocated).second)
      visit(allocated);
  }
}

void Program::releaseResults(void **pointers) const {
  forEachResultBuffer(pointers, [](void *buffer) {
    if (isAllocatedByCode(buffer))
      releaseFromCode(buffer);
  });
}

//===- CUDACallable.cpp - Calling with arrays on a GPU --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/CUDACallable.h"
#include "Unwrap.h"
#include "lattn/Runtime/CUDA/Driver.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

struct LattnCudaCallable {
  LattnCallable whole;
};

static uint64_t toNumber(void *stream) {
  return reinterpret_cast<uint64_t>(stream);
}

LattnError lattnCudaFindDevice(uint64_t address, int *device) {
  if (!device)
    return makeError(makeNullError("a place for the device"));
  auto driver = cuda::Driver::get();
  if (!driver)
    return makeError(createStringError(driver.takeError().message()));
  cuda::Error error = (*driver)->check(
      (*driver)->cu.cuPointerGetAttribute(
          device, cuda::PointerAttribute::DeviceOrdinal, address),
      "cuPointerGetAttribute");
  return error ? makeError(createStringError(error.message())) : nullptr;
}

LattnError lattnCudaCallableCreate(const char *text, size_t length,
                                   const char *bufferName, const char *entry,
                                   const LattnCompileOptions *given, int device,
                                   void *stream, LattnCudaCallable **callable) {
  if (!callable)
    return makeError(makeNullError("a place for the callable"));
  Expected<StringRef> whole = toText(text, length);
  if (!whole)
    return makeError(whole.takeError());
  Expected<CompileOptions> options = unwrap(given);
  if (!options)
    return makeError(options.takeError());
  if (Error error = checkNotCaptured(device, toNumber(stream)))
    return makeError(std::move(error));
  options->cpu = options->attributes = "";
  options->pipeline = Pipeline::CUDA;
  options->device = device;
  Expected<Program> compiled =
      Program::compileText(*whole, toRef(bufferName), toRef(entry), *options);
  if (!compiled)
    return makeError(compiled.takeError());
  *callable = new LattnCudaCallable{LattnCallable(std::move(*compiled))};
  return nullptr;
}

void lattnCudaCallableDestroy(LattnCudaCallable *callable) { delete callable; }

static const LattnCallable *getWhole(const LattnCudaCallable *callable) {
  return callable ? &callable->whole : nullptr;
}

intptr_t lattnCudaCallableGetNumArguments(const LattnCudaCallable *callable) {
  return lattnCallableGetNumArguments(getWhole(callable));
}

intptr_t lattnCudaCallableGetNumResults(const LattnCudaCallable *callable) {
  return lattnCallableGetNumResults(getWhole(callable));
}

LattnValueInfo lattnCudaCallableGetArgument(const LattnCudaCallable *callable,
                                            intptr_t i) {
  return lattnCallableGetArgument(getWhole(callable), i);
}

LattnValueInfo lattnCudaCallableGetResult(const LattnCudaCallable *callable,
                                          intptr_t i) {
  return lattnCallableGetResult(getWhole(callable), i);
}

LattnError lattnCudaCallableCall(const LattnCudaCallable *callable,
                                 const LattnArray *arguments,
                                 intptr_t numArguments,
                                 const LattnCudaCall *call,
                                 LattnArray *results) {
  if (Error error = requireAll({{callable, "a callable"}, {call, "a call"}}))
    return makeError(std::move(error));
  if (!call->allocate || !call->release)
    return makeError(makeNullError("functions that allocate and release"));
  auto allocate = [&](size_t bytes) -> Expected<uint64_t> {
    if (uint64_t address = call->allocate(bytes, call->user))
      return address;
    return createStringError("cannot allocate " + std::to_string(bytes) +
                             " bytes on the GPU");
  };
  auto release = [&](uint64_t address) { call->release(address, call->user); };
  DeviceCall device = {toNumber(call->stream), allocate, release};
  return makeError(callProgram(callable->whole.program, arguments, numArguments,
                               &device, results));
}

LattnError lattnCudaCallablePrepare(const LattnCudaCallable *callable,
                                    const LattnArray *arguments,
                                    intptr_t numArguments, void *stream) {
  if (!callable)
    return makeError(makeNullError("a callable"));
  return makeError(prepareProgram(callable->whole.program, arguments,
                                  numArguments, toNumber(stream)));
}

//===- CUDACallable.cpp - Calling with arrays on a GPU --------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn-c/CUDACallable.h"
#include "Arguments.h"
#include "lattn/Execution/CUDACallable.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Runtime/CUDA/Driver.h"

using namespace lattn;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

struct LattnCudaCallable {
  explicit LattnCudaCallable(CUDACallable compiled)
      : callable(std::move(compiled)), layout(callable.getSignature()) {}

  CUDACallable callable;
  ResultLayout layout;
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
  options->cpu = options->attributes = "";
  Expected<CUDACallable> compiled =
      CUDACallable::compileText(*whole, toRef(bufferName), toRef(entry),
                                *options, device, toNumber(stream));
  if (!compiled)
    return makeError(compiled.takeError());
  *callable = new LattnCudaCallable(std::move(*compiled));
  return nullptr;
}

void lattnCudaCallableDestroy(LattnCudaCallable *callable) { delete callable; }

static void takeResults(const Signature &signature, const ResultLayout &layout,
                        const char *results, LattnArray *to) {
  for (auto [info, offset] :
       llvm::zip_equal(signature.results, layout.offsets)) {
    LattnArray &array = *to++;
    if (!info.isShaped) {
      array = copyResult(info, results + offset, {}, {});
      continue;
    }
    Descriptor result{reinterpret_cast<const int64_t *>(results + offset),
                      info.shape.size()};
    array = makeResult(info, /*allocated=*/nullptr,
                       result.getData(getElementSize(info.kind)),
                       result.getSizes(), result.getStrides());
  }
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
  const Signature &signature = callable->callable.getSignature();
  CallPointers pointers;
  if (Error error =
          pointers.create(signature, callable->layout, arguments, numArguments))
    return makeError(std::move(error));
  if (!results && !signature.results.empty())
    return makeError(makeNullError("results"));
  auto allocate = [&](size_t bytes) {
    return call->allocate(bytes, call->user);
  };
  auto release = [&](uint64_t address) { call->release(address, call->user); };
  CUDACallContext context{toNumber(call->stream), allocate, release};
  if (Error error = callable->callable.call(pointers.get(), context))
    return makeError(std::move(error));
  takeResults(signature, callable->layout, pointers.getResults(), results);
  return nullptr;
}

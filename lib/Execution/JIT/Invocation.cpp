//===- Invocation.cpp - Calls of a program with arrays of the host --------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/Invocation.h"
#include "CallMemory.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Execution/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>
#include <cstring>

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// The host's memory
//===----------------------------------------------------------------------===//

namespace {
class HostMemory : public CallMemory {
public:
  explicit HostMemory(const Program &program) : program(program) {}
  ~HostMemory() override { releaseResults(); }

  Expected<void *> addArgument(NumpyArray &array, bool) override {
    return array.buffer.data();
  }
  Expected<double> run(void **pointers) override;
  Expected<const char *> read(const char *from, int64_t,
                              AlignedBuffer &) override {
    return from;
  }
  Error takeWritten() override { return Error::success(); }
  void releaseResults() override;
  int64_t getResultBytes() const override;

private:
  const Program &program;
  void **called = nullptr; // by the last run, which left results
};
} // namespace

Expected<double> HostMemory::run(void **pointers) {
  releaseResults();
  int64_t before = getCodeBytes();
  resetPeakCodeBytes();
  auto begin = std::chrono::steady_clock::now();
  Error error = program.call(pointers);
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  peakBytes = getPeakCodeBytes() - before;
  if (error)
    return error;
  called = pointers;
  return took.count();
}

void HostMemory::releaseResults() {
  if (void **pointers = std::exchange(called, nullptr))
    program.releaseResults(pointers);
}

int64_t HostMemory::getResultBytes() const {
  int64_t bytes = 0;
  if (called)
    program.forEachResultBuffer(
        called, [&](void *p) { bytes += getAllocatedBytes(p); });
  return bytes;
}

//===----------------------------------------------------------------------===//
// Invocation
//===----------------------------------------------------------------------===//

Invocation::Invocation(const Program &program) : program(&program) {}
Invocation::Invocation(Invocation &&) = default;
Invocation::~Invocation() = default;

Error Invocation::addArgument(const ValueInfo &info, NumpyArray &array,
                              bool isWritten) {
  if (Error error = info.check(array.kind, array.shape))
    return error;
  if (!info.isShaped) {
    pointers.push_back(array.buffer.data());
    return Error::success();
  }
  Expected<void *> address = memory->addArgument(array, isWritten);
  if (!address)
    return address.takeError();
  descriptors.push_back(makeDescriptor(*address, array.shape));
  pointers.push_back(descriptors.back().data());
  ArrayRef<int64_t> fields(descriptors.back());
  return info.checkStrides(array.shape, fields.take_back(array.shape.size()));
}

Expected<Invocation> Invocation::create(const Program &program,
                                        ArrayRef<NumpyArray *> arguments) {
  const Signature &signature = program.getSignature();
  if (arguments.size() != signature.arguments.size())
    return llvm::createStringError("'" + signature.entry + "' takes " +
                                   std::to_string(signature.arguments.size()) +
                                   " arguments, got " +
                                   std::to_string(arguments.size()));
  Invocation call(program);
  if (!program.getDevice())
    call.memory = std::make_unique<HostMemory>(program);
  else if (Error error = createDeviceMemory(program).moveInto(call.memory))
    return error;
  const ResultLayout &layout = program.getResultLayout();
  call.resultStruct.resize(llvm::divideCeil(layout.bytes, 8u));
  void *results = call.resultStruct.data();
  if (layout.inFront)
    call.pointers.push_back(results);
  for (auto [i, info, array] :
       llvm::enumerate(signature.arguments, arguments)) {
    bool isWritten = llvm::is_contained(signature.written, unsigned(i));
    if (Error error = call.addArgument(info, *array, isWritten))
      return error;
  }
  if (!layout.inFront)
    call.pointers.push_back(results);
  return call;
}

Error Invocation::prepare() {
  if (!program->getDevice())
    return Error::success();
  return program->prepare(pointers.data(), /*stream=*/0);
}

Expected<double> Invocation::run() {
  releaseResults();
  // What an earlier run left means nothing where this one fails.
  std::fill(resultStruct.begin(), resultStruct.end(), 0);
  return memory->run(pointers.data());
}

void Invocation::releaseResults() { memory->releaseResults(); }
int64_t Invocation::getResultBytes() const { return memory->getResultBytes(); }
int64_t Invocation::getPeakBytes() const { return memory->getPeakBytes(); }

Expected<NumpyArray> Invocation::copyResult(const ValueInfo &info,
                                            const char *field) {
  int64_t size = getElementSize(info.kind);
  if (!info.isShaped) {
    Expected<NumpyArray> scalar = NumpyArray::create(info.kind, {});
    if (scalar)
      std::memcpy(scalar->buffer.data(), field, size);
    return scalar;
  }
  Descriptor result{reinterpret_cast<const int64_t *>(field),
                    info.shape.size()};
  Expected<NumpyArray> array = NumpyArray::create(info.kind, result.getSizes());
  if (!array || !array->getNumElements())
    return array;
  int64_t span = 1; // elements from the first to the last
  for (auto [extent, stride] :
       llvm::zip_equal(result.getSizes(), result.getStrides()))
    span += (extent - 1) * stride;
  AlignedBuffer copy;
  Expected<const char *> elements =
      memory->read(result.getData(size), span * size, copy);
  if (!elements)
    return elements.takeError();
  copyStrided(array->buffer.data(), *elements, result.getSizes(),
              result.getStrides(), size);
  return array;
}

Expected<std::vector<NumpyArray>> Invocation::getResults() {
  std::vector<NumpyArray> arrays;
  auto *results = reinterpret_cast<const char *>(resultStruct.data());
  for (auto [info, offset] :
       llvm::zip_equal(program->getSignature().results,
                       program->getResultLayout().offsets)) {
    Expected<NumpyArray> array = copyResult(info, results + offset);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
  }
  if (Error error = memory->takeWritten())
    return error;
  return arrays;
}

//===- CUDAProgram.cpp - Functions whose attention runs on a GPU ----------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Execution/CUDAProgram.h"
#include "../JIT/LoadPacked.h"
#include "HostCode.h"
#include "Session.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Runtime/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// CUDAProgram
//===----------------------------------------------------------------------===//

CUDAProgram::CUDAProgram() = default;
CUDAProgram::CUDAProgram(CUDAProgram &&) = default;
CUDAProgram::~CUDAProgram() = default;

Expected<CUDAProgram> CUDAProgram::compile(mlir::func::FuncOp source,
                                           std::string *warnings) {
  CUDAProgram program;
  Expected<Signature> signature = lattn::getSignature(source);
  if (!signature)
    return signature.takeError();
  program.signature = std::move(*signature);
  Expected<cuda::DeviceRef> device = openDevice(0);
  if (!device)
    return device.takeError();
  std::string chip = getNativeChip((*device)->getInfo());
  Expected<CUDACode> code = compileForCUDA(source, chip, warnings);
  if (!code)
    return code.takeError();
  auto session = CUDASession::create(*device, code->ptx, chip);
  if (!session)
    return session.takeError();
  program.session = std::move(*session);
  Expected<PackedFunction> packed =
      loadPacked(program.jit, std::move(code->object), program.signature.entry,
                 CUDASession::getSymbols());
  if (!packed)
    return packed.takeError();
  program.packed = *packed;
  return program;
}

std::string CUDAProgram::describeDevice() const {
  return session->getDevice()->getInfo().describe();
}

//===----------------------------------------------------------------------===//
// CUDAInvocation
//===----------------------------------------------------------------------===//

struct CUDAInvocation::Arguments {
  std::vector<NumpyArray *> arrays;
  std::vector<std::optional<cuda::Memory>> memories; // none for scalars
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<int64_t> resultStruct;
  llvm::SmallVector<unsigned> resultOffsets; // bytes in resultStruct
  std::vector<void *> pointers;
};

CUDAInvocation::CUDAInvocation() : arguments(new Arguments) {}
CUDAInvocation::CUDAInvocation(CUDAInvocation &&) = default;
CUDAInvocation::~CUDAInvocation() = default;

Error CUDAInvocation::copyIn(unsigned i) {
  NumpyArray &array = *arguments->arrays[i];
  return toError(arguments->memories[i]->copyIn(
      array.buffer.data(), array.buffer.size(), program->session->getStream()));
}

Expected<CUDAInvocation> CUDAInvocation::create(CUDAProgram &program,
                                                ArrayRef<NumpyArray *> arrays) {
  const Signature &signature = program.signature;
  CUDAInvocation call;
  call.program = &program;
  Arguments &arguments = *call.arguments;
  arguments.arrays = arrays.vec();
  ResultLayout layout(signature);
  arguments.resultOffsets = layout.offsets;
  arguments.resultStruct.resize(llvm::divideCeil(layout.bytes, 8u));
  void *results = arguments.resultStruct.data();
  if (layout.inFront)
    arguments.pointers.push_back(results);
  for (auto [info, array] : llvm::zip_equal(signature.arguments, arrays)) {
    if (Error error = info.check(array->kind, array->shape))
      return error;
    unsigned i = arguments.memories.size();
    arguments.memories.emplace_back();
    if (!info.isShaped) {
      arguments.pointers.push_back(array->buffer.data());
      continue;
    }
    auto memory = cuda::Memory::allocate(program.session->getDevice(),
                                         array->buffer.size());
    if (!memory)
      return toError(memory.takeError());
    arguments.memories[i].emplace(std::move(*memory));
    if (Error error = call.copyIn(i))
      return error;
    auto pointer = reinterpret_cast<void *>(arguments.memories[i]->get());
    arguments.descriptors.push_back(makeDescriptor(pointer, array->shape));
    arguments.pointers.push_back(arguments.descriptors.back().data());
  }
  if (!layout.inFront)
    arguments.pointers.push_back(results);
  if (Error error = program.session->synchronize())
    return error;
  return call;
}

Expected<double> CUDAInvocation::run() {
  // Each run sees the same.
  for (unsigned i : program->signature.written)
    if (Error error = copyIn(i))
      return error;
  auto seconds =
      program->session->run(program->packed, arguments->pointers.data());
  if (seconds)
    if (const char *failure = lattn_take_failure())
      return llvm::createStringError(failure);
  return seconds;
}

/// A result is the call's own memory, or a part of an argument.
Error CUDAInvocation::copyOut(void *to, uint64_t from, size_t bytes) {
  CUDASession &session = *program->session;
  const cuda::Memory *block = session.find(from);
  for (const auto &memory : arguments->memories)
    if (memory && from - memory->get() < memory->size())
      block = &*memory;
  if (!block)
    return llvm::createStringError("a result is in memory that is not the "
                                   "call's");
  if (cuda::Error error =
          block->copyOut(to, bytes, session.getStream(), from - block->get()))
    return toError(error);
  return session.synchronize();
}

/// A result's elements, densely.
Expected<NumpyArray> CUDAInvocation::copyResult(const ValueInfo &info,
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
  AlignedBuffer bytes;
  if (Error error = bytes.resize(span * size))
    return error;
  auto from = reinterpret_cast<uint64_t>(result.getData(size));
  if (Error error = copyOut(bytes.data(), from, span * size))
    return error;
  copyStrided(array->buffer.data(), bytes.data(), result.getSizes(),
              result.getStrides(), size);
  return array;
}

Expected<std::vector<NumpyArray>> CUDAInvocation::getResults() {
  std::vector<NumpyArray> results;
  const char *fields =
      reinterpret_cast<const char *>(arguments->resultStruct.data());
  for (auto [info, offset] :
       llvm::zip_equal(program->signature.results, arguments->resultOffsets)) {
    Expected<NumpyArray> array = copyResult(info, fields + offset);
    if (!array)
      return array.takeError();
    results.push_back(std::move(*array));
  }
  for (unsigned i : program->signature.written) {
    NumpyArray &array = *arguments->arrays[i];
    if (cuda::Error error = arguments->memories[i]->copyOut(
            array.buffer.data(), array.buffer.size(),
            program->session->getStream()))
      return toError(error);
  }
  if (Error error = program->session->synchronize())
    return error;
  return results;
}

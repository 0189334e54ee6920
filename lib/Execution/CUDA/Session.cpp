//===- Session.cpp - Calls with copies of arrays on a GPU -----------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../JIT/CallMemory.h"
#include "KernelRun.h"
#include "lattn/Runtime/CUDA/Memory.h"
#include "llvm/ADT/STLExtras.h"

using namespace lattn;
using llvm::Error;
using llvm::Expected;

namespace {

struct Argument {
  NumpyArray *array;
  cuda::Memory memory;
  bool isWritten;
};

/// A stream of its own, copies of arguments, and what the code allocates.
class Session : public CallMemory {
public:
  Session(const Program &program, cuda::Stream stream, cuda::Event begin,
          cuda::Event end)
      : program(program), stream(std::move(stream)), begin(std::move(begin)),
        end(std::move(end)) {}

  Expected<void *> addArgument(NumpyArray &array, bool isWritten) override;
  Expected<double> run(void **pointers) override;
  Expected<const char *> read(const char *from, int64_t bytes,
                              AlignedBuffer &copy) override;
  Error takeWritten() override;
  void releaseResults() override {
    blocks.clear();
    allocated = resultBytes = peakBytes = 0;
  }
  int64_t getResultBytes() const override { return resultBytes; }

private:
  Error copyIn(Argument &argument);
  Expected<uint64_t> allocate(size_t bytes);
  void release(cuda::DevicePointer pointer);
  const cuda::Memory *find(cuda::DevicePointer address) const;

  const Program &program;
  cuda::Stream stream;
  cuda::Event begin, end;
  std::vector<Argument> arguments;
  std::map<cuda::DevicePointer, cuda::Memory> blocks; // of the last run
  int64_t allocated = 0, resultBytes = 0;             // bytes
};

} // namespace

Expected<std::unique_ptr<CallMemory>>
lattn::createDeviceMemory(const Program &program) {
  auto stream = cuda::Stream::create(program.getDevice());
  if (!stream)
    return toError(stream.takeError());
  auto begin = cuda::Event::create(program.getDevice());
  if (!begin)
    return toError(begin.takeError());
  auto end = cuda::Event::create(program.getDevice());
  if (!end)
    return toError(end.takeError());
  return std::make_unique<Session>(program, std::move(*stream),
                                   std::move(*begin), std::move(*end));
}

Error Session::copyIn(Argument &argument) {
  const AlignedBuffer &from = argument.array->buffer;
  return toError(
      argument.memory.copyIn(from.data(), from.size(), stream.get()));
}

Expected<void *> Session::addArgument(NumpyArray &array, bool isWritten) {
  auto memory =
      cuda::Memory::allocate(program.getDevice(), array.buffer.size());
  if (!memory)
    return toError(memory.takeError());
  arguments.push_back({&array, std::move(*memory), isWritten});
  Argument &argument = arguments.back();
  if (Error error = copyIn(argument))
    return error;
  return reinterpret_cast<void *>(argument.memory.get());
}

Expected<uint64_t> Session::allocate(size_t bytes) {
  auto memory = cuda::Memory::allocate(program.getDevice(), bytes);
  if (!memory)
    return toError(memory.takeError());
  cuda::DevicePointer pointer = memory->get();
  blocks.emplace(pointer, std::move(*memory));
  allocated += bytes;
  peakBytes = std::max(peakBytes, allocated);
  return pointer;
}

void Session::release(cuda::DevicePointer pointer) {
  auto block = blocks.find(pointer);
  allocated -= block->second.size();
  blocks.erase(block);
}

Expected<double> Session::run(void **pointers) {
  releaseResults();
  for (Argument &argument : arguments) // each run sees the same
    if (argument.isWritten)
      if (Error error = copyIn(argument))
        return error;
  auto allocate = [&](size_t bytes) { return this->allocate(bytes); };
  auto release = [&](uint64_t address) { this->release(address); };
  DeviceCall call = {reinterpret_cast<uint64_t>(stream.get()), allocate,
                     release};
  Error error = toError(begin.record(stream.get()));
  if (!error)
    error = program.call(pointers, call);
  if (!error)
    error = toError(end.record(stream.get()));
  // Waits in any case: arguments may go after an error.
  cuda::Error failed = stream.synchronize();
  if (error)
    return error;
  if (failed)
    return toError(failed);
  program.forEachResultBuffer(pointers, [&](void *buffer) {
    auto block = blocks.find(reinterpret_cast<cuda::DevicePointer>(buffer));
    if (block != blocks.end())
      resultBytes += block->second.size();
  });
  auto milliseconds = end.getMillisecondsSince(begin);
  if (!milliseconds)
    return toError(milliseconds.takeError());
  return *milliseconds * 1e-3;
}

/// A result is memory that the code allocated, or a part of an argument.
const cuda::Memory *Session::find(cuda::DevicePointer address) const {
  auto contains = [&](const cuda::Memory &memory) {
    return address - memory.get() < memory.size();
  };
  for (const auto &[pointer, memory] : blocks)
    if (contains(memory))
      return &memory;
  for (const Argument &argument : arguments)
    if (contains(argument.memory))
      return &argument.memory;
  return nullptr;
}

Expected<const char *> Session::read(const char *from, int64_t bytes,
                                     AlignedBuffer &copy) {
  auto address = reinterpret_cast<cuda::DevicePointer>(from);
  const cuda::Memory *memory = find(address);
  if (!memory)
    return llvm::createStringError("a result is in memory that is not the "
                                   "call's");
  if (Error error = copy.resize(bytes))
    return error;
  if (cuda::Error error = memory->copyOut(copy.data(), bytes, stream.get(),
                                          address - memory->get()))
    return toError(error);
  if (cuda::Error error = stream.synchronize())
    return toError(error);
  return copy.data();
}

Error Session::takeWritten() {
  for (const Argument &argument : arguments) {
    AlignedBuffer &to = argument.array->buffer;
    if (!argument.isWritten)
      continue;
    if (cuda::Error error =
            argument.memory.copyOut(to.data(), to.size(), stream.get()))
      return toError(error);
  }
  return toError(stream.synchronize());
}

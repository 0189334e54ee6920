//===- Measurement.cpp - What running a function took ---------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Measure/Measurement.h"
#include "lattn/Execution/Progress.h"
#include "lattn/Runtime/CUDA/Device.h"
#include "lattn/Runtime/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <chrono>
#include <cstring>

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::MutableArrayRef;

double lattn::getSeconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Expected<NumpyArray> lattn::copyArray(const NumpyArray &array) {
  NumpyArray copy;
  copy.kind = array.kind;
  copy.shape = array.shape;
  if (llvm::Error error = copy.buffer.resize(array.buffer.size()))
    return error;
  std::memcpy(copy.buffer.data(), array.buffer.data(), array.buffer.size());
  return copy;
}

Expected<std::vector<NumpyArray>>
lattn::copyArrays(ArrayRef<NumpyArray> arrays) {
  std::vector<NumpyArray> copies;
  for (const NumpyArray &array : arrays) {
    Expected<NumpyArray> copy = copyArray(array);
    if (!copy)
      return copy.takeError();
    copies.push_back(std::move(*copy));
  }
  return copies;
}

Expected<Originals> Originals::create(MutableArrayRef<NumpyArray> arguments) {
  auto copies = copyArrays(arguments);
  if (!copies)
    return copies.takeError();
  Originals originals;
  originals.arguments = arguments;
  originals.copies = std::move(*copies);
  return originals;
}

void Originals::restore() {
  for (auto [i, original] : llvm::enumerate(copies)) {
    size_t size = original.buffer.size();
    char *data = arguments[i].buffer.data();
    if (written.size() == i)
      written.push_back(std::memcmp(data, original.buffer.data(), size) != 0);
    if (written[i])
      std::memcpy(data, original.buffer.data(), size);
  }
}

llvm::SmallVector<NumpyArray *>
lattn::getPointers(MutableArrayRef<NumpyArray> arrays) {
  return llvm::to_vector(llvm::make_pointer_range(arrays));
}

/// `run` returns the seconds that count.
static Error repeat(const MeasureOptions &options, Measurement &measurement,
                    llvm::function_ref<Expected<double>()> run) {
  // A benchmark's first run pays for pages, threads, caches and set-up.
  int64_t warmUps = options.benchmark ? 1 : 0;
  int64_t runs = warmUps + (options.benchmark ? options.repetitions : 1);
  Progress progress(options.progress, "running", runs > 1 ? runs : 0);
  for (int64_t i = 0; i < runs; ++i) {
    Expected<double> seconds = run();
    if (!seconds)
      return seconds.takeError();
    progress.advance();
    if (i >= warmUps)
      measurement.runSeconds.push_back(*seconds);
  }
  llvm::sort(measurement.runSeconds);
  return Error::success();
}

Expected<std::vector<NumpyArray>>
lattn::measure(const Program &program, MutableArrayRef<NumpyArray> arguments,
               const MeasureOptions &options, Measurement &measurement) {
  auto call = Invocation::create(program, getPointers(arguments));
  if (!call)
    return call.takeError();
  double begin = getSeconds();
  if (Error error = call->prepare())
    return error;
  measurement.compileSeconds += getSeconds() - begin;
  // On a GPU calls get copies anyway.
  bool keepsOriginals = options.benchmark && !program.isForDevice();
  Originals originals;
  if (keepsOriginals)
    if (Error error = Originals::create(arguments).moveInto(originals))
      return error;
  bool isFirst = true;
  auto run = [&] {
    if (keepsOriginals && !std::exchange(isFirst, false))
      originals.restore();
    return call->run();
  };
  if (Error error = repeat(options, measurement, run))
    return error;
  measurement.resultBytes = call->getResultBytes();
  measurement.scratchBytes = call->getPeakBytes() - measurement.resultBytes;
  measurement.threads = lattn_get_num_threads();
  if (auto device = program.getDevice())
    measurement.device = device->getInfo().describe();
  return call->getResults();
}

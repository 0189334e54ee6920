//===- GPU.h - Calls with arrays on a GPU -----------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_GPU_H
#define LATTN_PYTHON_GPU_H

#include "Arrays.h"
#include "lattn-c/CUDACallable.h"
#include <map>
#include <vector>

namespace lattn::python {

/// torch's current stream where torch uses GPUs, else 0, the legacy stream.
uint64_t getCurrentStream(int device);

/// One call with arrays on one GPU. Memory is torch's, of its allocator; the
/// stream is torch's current one where torch uses GPUs, else the one that an
/// array names, else the legacy stream. Nothing waits.
class GPUCall {
public:
  /// ValueError where arrays are ready on other streams than that.
  GPUCall(int device, const std::vector<const ArrayView *> &views);
  void *getStream() const { return stream; }

  /// Without the GIL; throws what torch's allocator raised.
  LattnError run(const LattnCudaCallable *callable,
                 const std::vector<LattnArray> &arguments, LattnArray *results);
  /// Compiles what such a run needs.
  LattnError prepare(const LattnCudaCallable *callable,
                     const std::vector<LattnArray> &arguments) const;
  /// A result of the last run as a tensor, or null where its memory is not what
  /// the run allocated.
  nb::object takeResult(const LattnArray &array);

private:
  static uint64_t allocate(size_t bytes, void *user);
  static void release(uint64_t address, void *user);

  int device;
  void *stream;
  struct Block {
    nb::object tensor; // of bytes
    size_t bytes;
  };
  std::map<uint64_t, Block> blocks;
  std::exception_ptr raised;
};

} // namespace lattn::python

#endif // LATTN_PYTHON_GPU_H

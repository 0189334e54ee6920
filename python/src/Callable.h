//===- Callable.h - Compiled functions --------------------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_CALLABLE_H
#define LATTN_PYTHON_CALLABLE_H

#include "Arrays.h"
#include "lattn-c/CUDACallable.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lattn::python {

/// A compiled function: lattn.Callable.
class Callable {
public:
  /// Compiles for the host, or only for the GPU `device`.
  Callable(nb::bytes text, const std::string &name, const std::string &entry,
           const std::string &cpu, const std::string &attributes,
           const std::string &pipeline, const std::string &cache,
           bool isInterruptible, int device, uint64_t stream, bool quiet);

  nb::object call(nb::args positional, nb::kwargs named) const;
  /// "f(q: memref<...>, ...) -> (out0: tensor<...>)"
  std::string getSignature() const;

  const LattnCallable *getForHost() const { return callable.get(); }
  /// Compiled at the first call for each GPU.
  const LattnCudaCallable *getForGPU(int device, void *stream) const;

  /// To be called at each call.
  void touch() const {
    static int64_t calls = 0;
    lastCall = ++calls;
  }
  /// Orders functions by their last calls.
  int64_t getLastCall() const { return lastCall; }

  /// For lattn._gradient: a call's arguments in the function's order; the
  /// function's name, arguments and results; and what it was compiled from.
  nb::list bindAll(nb::args positional, nb::kwargs named) const;
  nb::tuple getInterface() const;
  nb::tuple getSource() const;
  /// For pickle: the constructor's arguments. The host's code is compiled
  /// again.
  nb::tuple getMaker() const;

private:
  std::vector<nb::object> bind(nb::args positional, nb::kwargs named) const;
  nb::object callOnGPU(int device, const std::vector<nb::object> &objects,
                       const std::vector<ArrayView> &views,
                       const std::vector<LattnArray> &arrays) const;

  struct Destroy {
    void operator()(LattnCallable *callable) const {
      lattnCallableDestroy(callable);
    }
  };
  std::unique_ptr<LattnCallable, Destroy> callable;
  std::vector<LattnValueInfo> arguments, results;
  /// Whether calls may end in the midst of it: what takes an index from what it
  /// computed must not.
  bool isInterruptible;
  bool quiet;               // as it was compiled
  mutable int64_t lastCall; // guarded by the GIL

  /// What to compile where arrays on a GPU come, and what was; guarded by the
  /// GIL. These live as long as the process, for their work may be running.
  std::string text, bufferName, entry, cpu, attributes, pipeline, cache;
  mutable std::map<int, const LattnCudaCallable *> onGPUs;
};

} // namespace lattn::python

#endif // LATTN_PYTHON_CALLABLE_H

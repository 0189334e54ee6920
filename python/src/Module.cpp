//===- Module.cpp - The extension module _lattn ---------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Module.h"
#include "Kernels.h"
#include "lattn-c/Support.h"
#include <utility>

namespace nb = nanobind;
using namespace nb::literals;

/// (cpu, vector_bits, bf16)
static nb::tuple getHost() {
  LattnHost host;
  if (LattnError error = lattnGetHost(&host))
    lattn::python::throwRuntimeError(lattn::python::takeText(error));
  std::string cpu = lattn::python::takeText(host.cpu);
  return nb::make_tuple(cpu, host.vectorBits, host.bf16);
}

/// A warning of Python's. The caller of the compiler gets no exception, even if
/// a filter makes one of it.
static void warn(const char *message) {
  nb::gil_scoped_acquire locked;
  nb::error_scope outer;
  if (PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "lattn: %s", message))
    PyErr_WriteUnraisable(nullptr);
}

NB_MODULE(_lattn, module) {
  lattnSetWarningHandler(warn);
  // torch keeps what it compiled to the end of the process.
  nb::set_leak_warnings(false);
  module.def("attention", lattn::python::attention, "q"_a.none(), "k"_a.none(),
             "v"_a.none(), "window"_a.none(), "causal"_a.none(),
             "scale"_a.none(), "bias"_a.none(), "key_mask"_a.none(),
             "attn_mask"_a.none(), "kv_lengths"_a.none(), "offset"_a.none(),
             "layout"_a.none(), "softcap"_a.none(), "sink"_a.none(),
             "mods"_a.none(), "dropout_p"_a.none(), "seed"_a.none(),
             "return_lse"_a.none(), "out"_a.none(), "gradients"_a.none(),
             "unless_traced"_a, "pages"_a.none() = nb::none(),
             "cu_seqlens_q"_a.none() = nb::none(),
             "cu_seqlens_k"_a.none() = nb::none());
  module.attr("TracedTensorError") = lattn::python::getTracedError();
  module.attr("GradientsError") = lattn::python::getGradientsError();
  module.def("describe", lattn::python::describeArray, "array"_a.none(),
             "name"_a);
  module.def("run_passes", lattn::python::runPasses, "text"_a, "name"_a,
             "pipeline"_a);
  module.def("compile_ptx", lattn::python::compilePTX, "text"_a, "name"_a,
             "chip"_a);
  module.def("get_least_queries", lattn::python::getLeastQueries, "queries"_a);
  module.def("forget_kernels", lattn::python::forgetKernels);
  module.def("set_dry", [](bool value) {
    return std::exchange(lattn::python::isDry, value);
  });
  module.def("set_num_threads", [](int64_t n) {
    if (LattnError error = lattnSetNumThreads(n))
      throw nb::value_error(lattn::python::takeText(error).c_str());
  });
  module.def("get_num_threads", lattnGetNumThreads);
  module.def("get_host", getHost);
  module.def("get_cache_folder",
             [] { return lattn::python::takeText(lattnGetCacheFolder()); });
  module.attr("__version__") = lattnGetVersion();
  lattn::python::addCallable(module);
  lattn::python::addSnapshot(module);
#ifdef LATTN_HAS_XLA
  lattn::python::addXLA(module);
#endif
}

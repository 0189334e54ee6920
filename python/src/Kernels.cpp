//===- Kernels.cpp - Compiled kernels of lattn.attention ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// lattn._kernels compiles and keeps the kernels; here is an index to them,
// which a call finds its kernel in without running Python.

#include "Kernels.h"
#include <unordered_map>

using namespace lattn::python;

thread_local bool lattn::python::isDry = false;

namespace {
struct Hash {
  size_t operator()(const KernelKey &key) const {
    return std::hash<std::string_view>()(key.getBytes());
  }
};
} // namespace

/// Guarded by the GIL.
static std::unordered_map<KernelKey, Kernel, Hash> &getIndex() {
  static auto *index = new std::unordered_map<KernelKey, Kernel, Hash>;
  return *index;
}

static nb::object nameType(int32_t type) {
  if (type == KernelKey::kNone)
    return nb::none();
  return nb::str(lattnElementTypeGetName(static_cast<LattnElementType>(type)));
}

static nb::object getShared(Shared shared) {
  const bool *axes = shared.axes;
  return nb::make_tuple(axes[0], axes[1], axes[2], axes[3]);
}

int64_t lattn::python::getLeastQueries(int64_t queries) {
  constexpr int64_t few = 8;
  return queries > few ? few + 1 : 0;
}

static nb::object compile(const KernelKey &key, void *stream) {
  auto bound = [](int64_t value) -> nb::object {
    return value == KernelKey::kNone ? nb::none() : nb::int_(value);
  };
  nb::object scale = key.hasScale ? nb::float_(key.scale) : nb::none();
  nb::object few = key.queries
                       ? nb::make_tuple(key.queries, key.heads, key.kvHeads)
                       : nb::none();
  nb::object attributes =
      nb::module_::import_("lattn._attention_options")
          .attr("Attributes")(key.isBnhd,
                              nb::make_tuple(bound(key.left), bound(key.right),
                                             bound(key.bucket), key.back,
                                             key.forward),
                              key.isCausal, scale, key.softcap);
  // In the order of lattn._attention_kernels.Key.
  return nb::module_::import_("lattn._attention_kernels")
      .attr("get_kernel")(
          key.device, reinterpret_cast<uint64_t>(stream), nameType(key.type),
          key.headSize, key.valueSize, few, attributes, nameType(key.biasType),
          getShared(key.biasIsShared), key.hasKeyMask,
          nameType(key.lengthsType), nameType(key.offsetType), key.offsetIsOne,
          nameType(key.sinkType), key.hasDropout, nameType(key.maskType),
          getShared(key.maskIsShared),
          nb::handle(key.program ? key.program : Py_None), key.hasLse,
          key.isGradients, key.hasBiasGradient, key.hasCaptureGradients,
          key.pageSize, nameType(key.pagesType), nameType(key.queryBordersType),
          nameType(key.keyBordersType), key.leastQueries);
}

Kernel lattn::python::getKernel(const KernelKey &key, void *stream) {
  auto &index = getIndex();
  auto it = index.find(key);
  if (it == index.end()) {
    nb::object owner = compile(key, stream);
    // Meanwhile another thread may have put it there.
    it = index.insert_or_assign(key, Kernel{nb::cast<Callable *>(owner), owner})
             .first;
  }
  it->second.callable->touch();
  return it->second;
}

void lattn::python::forgetKernels() { getIndex().clear(); }

//===- Kernels.h - Attention kernels by their options -----------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_KERNELS_H
#define LATTN_PYTHON_KERNELS_H

#include "Callable.h"
#include "Scores.h"
#include <cstring>
#include <string_view>

namespace lattn::python {

/// The `least_queries` of the kernel for a call with `queries`: 0, which serves
/// any number, or one more than CPUs have code of its own for.
int64_t getLeastQueries(int64_t queries);

/// The axes of (B, H, N, M) along which a bias or a mask has one element.
struct Shared {
  bool axes[4];
};

/// What a kernel is compiled for: never numbers of batches or positions, nor
/// strides; but one query a head, as decoding has, and few queries of gradients
/// are kernels of their own, which know their heads. All bytes count: see the
/// constructor.
struct KernelKey {
  static constexpr int64_t kNone = -1;

  int64_t headSize, valueSize;
  int64_t queries, heads, kvHeads;            // if they are few; else 0
  int64_t pageSize;                           // of paged keys; else 0
  int64_t left, right, bucket, back, forward; // kNone: unbounded
  double scale, softcap;                      // 0: default, none
  PyObject *program;                          // of traceScore; or null
  int32_t type, biasType, maskType, sinkType; // LattnElementType or kNone
  int32_t lengthsType, offsetType, pagesType; // likewise
  int32_t queryBordersType, keyBordersType;   // of cu_seqlens
  int32_t device;       // the GPU's number, or ArrayView::kHost
  int32_t leastQueries; // that each call has, on the host
  bool hasScale, isCausal, isBnhd, hasKeyMask, hasLse, hasDropout;
  bool isGradients; // of lattn.attention_grad
  bool hasBiasGradient, hasCaptureGradients;
  bool offsetIsOne; // a number instead of an array
  Shared biasIsShared, maskIsShared;

  KernelKey() {
    std::memset(static_cast<void *>(this), 0, sizeof(*this));
    left = right = bucket = kNone;
    biasType = maskType = sinkType = lengthsType = offsetType = kNone;
    pagesType = queryBordersType = keyBordersType = kNone;
    device = ArrayView::kHost;
  }
  bool operator==(const KernelKey &other) const {
    return std::memcmp(this, &other, sizeof(*this)) == 0;
  }
  std::string_view getBytes() const {
    return {reinterpret_cast<const char *>(this), sizeof(*this)};
  }
};

/// The element type of scores and log-sum-exps.
inline LattnElementType getAccumulator(int32_t type) {
  return type == LattnF64 ? LattnF64 : LattnF32;
}

/// A compiled kernel, and what keeps it while it runs.
struct Kernel {
  const Callable *callable;
  nb::object owner;
};

/// That of lattn._kernels, which compiles it; for a GPU where `stream` is on
/// it, and no graph is captured from it. Arguments are those of the function
/// that lattn._attention_kernels makes. RuntimeError where the compiler fails.
Kernel getKernel(const KernelKey &key, void *stream);

/// Whether calls from this thread compile kernels, but do not run them.
extern thread_local bool isDry;

/// lattn._kernels dropped one.
void forgetKernels();

} // namespace lattn::python

#endif // LATTN_PYTHON_KERNELS_H

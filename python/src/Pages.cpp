//===- Pages.cpp - Keys and values in pages -------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Module.h"
#include <limits>

using namespace lattn::python;

/// Nobody reads the table here; kernels move its entries into the pool.
static void checkPagesOnGPU(const ArrayView &pages, int64_t pageSize,
                            int64_t count) {
  constexpr int64_t step = 16; // keys that tensor cores take at once
  if (pageSize % step != 0)
    throwNotImplemented("pages: pages of other than multiples of 16 keys are "
                        "not built for GPUs yet, got pages of " +
                        std::to_string(pageSize));
  if (count == 0 && !pages.isEmpty())
    throwValueError("k: expected a pool of at least 1 page, which the entries "
                    "of pages name, got 0");
}

void lattn::python::readPages(const ArrayView &pages, const ArrayView &q,
                              const ArrayView &k, const ArrayView &v,
                              KernelKey &key, Extents &extents) {
  expectType(pages, LattnI32, LattnI64);
  expectShape(pages, "B, P", {extents.b, kAny});
  for (const ArrayView *view : {&k, &v})
    expectType(*view, q.type, q.type);
  bool isBnhd = key.isBnhd;
  expectShape(k, isBnhd ? "pages, S, Hkv, D" : "pages, Hkv, S, D",
              {kAny, kAny, kAny, extents.d});
  expectShape(v, isBnhd ? "pages, S, Hkv, Dv" : "pages, Hkv, S, Dv",
              {k.sizes[0], k.sizes[1], k.sizes[2], kAny});
  extents.hkv = k.sizes[isBnhd ? 2 : 1];
  key.pageSize = k.sizes[isBnhd ? 1 : 2];
  key.pagesType = pages.type;
  if (key.pageSize == 0)
    throwValueError("k: expected pages of at least 1 key, got 0");
  if (q.isOnGPU())
    checkPagesOnGPU(pages, key.pageSize, k.sizes[0]);
  // The caller refuses more keys, and this product must not overflow.
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  extents.m =
      pages.sizes[1] > most ? pages.sizes[1] : pages.sizes[1] * key.pageSize;
}

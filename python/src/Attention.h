//===- Attention.h - What lattn.attention was asked for ---------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_PYTHON_ATTENTION_H
#define LATTN_PYTHON_ATTENTION_H

#include "Arrays.h"
#include "Kernels.h"
#include "Values.h"
#include <vector>

namespace lattn::python {

/// Extents by the names of docs/spec.md.
struct Extents {
  int64_t b, h, n, d, hkv, m, dv;
};

/// A number for each batch: an array's, or one with stride 0.
struct BatchNumbers {
  bool isGiven = false, isOne = false; // one for a GPU goes by value
  std::vector<int64_t> values;         // on the host
  ArrayView view;                      // on a GPU, else not given
  int64_t size = 0, stride = 0;

  /// Keeps the numbers of `count` batches from `begin` on.
  void keep(int64_t begin, int64_t count);
  LattnArray getArray() const;
  /// The element type, or kNone.
  int32_t getType() const;
};

/// Keeps `size` elements along the first axis, from `begin` on.
void keepFirstAxis(ArrayView &view, int64_t begin, int64_t size);

/// Sequences that are packed behind one another.
struct Sequences {
  ArrayView view; // cu_seqlens
  /// On a GPU nobody reads them: the longest sequence has at most all rows.
  Borders borders;

  bool isGiven() const { return view.isGiven(); }
  /// Keeps `size` sequences from `begin` on.
  void keep(int64_t begin, int64_t size);
  /// The element type, or kNone.
  int32_t getType() const;
  void append(std::vector<LattnArray> &arguments) const;
};

/// Reads (S + 1) borders of sequences, from 0 to `rows`.
Sequences readSequences(nb::handle object, const char *name, int64_t rows);
/// Likewise for a GPU, whose arrays nobody reads here: the longest sequence has
/// at most all rows.
Sequences readSequencesOnGPU(nb::handle object, const char *name, int64_t rows);

/// What a kernel takes for dropout.
struct Dropout {
  bool isGiven = false;
  float p = 0;
  int64_t seed = 0;

  void append(std::vector<LattnArray> &arguments) const;
};

/// Reads p, where None is no dropout, and a seed: None draws one from the
/// library's own generator.
Dropout readDropout(nb::handle p, nb::handle seed, Library library);

/// Reads `window` into the key. Throws where it is none.
void readWindow(nb::handle window, KernelKey &key);

/// Reads (B) integers, or, if `mayBeOne`, one for all batches.
BatchNumbers readBatchNumbers(nb::handle object, const char *name, int64_t b,
                              bool mayBeOne);
/// Likewise for a GPU, whose arrays nobody reads here.
BatchNumbers readBatchNumbersOnGPU(nb::handle object, const char *name,
                                   int64_t b, bool mayBeOne);

/// A finite number, at least `least`.
double readNumber(nb::handle object, const char *name, double least);

/// ValueError unless `view` has `sizes`, of which kAny fits all.
constexpr int64_t kAny = -1;
void expectShape(const ArrayView &view, const char *axes,
                 std::initializer_list<int64_t> sizes);

/// TypeError unless `view` has one of two element types.
void expectType(const ArrayView &view, LattnElementType type,
                LattnElementType other);

/// Broadcasts `view` to (B, H, N, M), but not along what is shared.
Shared broadcastScores(ArrayView &view, const Extents &extents);

/// Sizes of keys in pages: k and v are pools, `pages` the block table. Throws
/// where a GPU has no kernel for them.
void readPages(const ArrayView &pages, const ArrayView &q, const ArrayView &k,
               const ArrayView &v, KernelKey &key, Extents &extents);

} // namespace lattn::python

#endif // LATTN_PYTHON_ATTENTION_H

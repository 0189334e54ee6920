//===- Overlap.cpp - Arrays that are written ------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include <algorithm>
#include <cstdlib>

using namespace lattn::python;

/// Enough, but not needed: each axis steps over all that the smaller ones span.
static bool liesApart(const ArrayView &view) {
  std::pair<int64_t, int64_t> axes[ArrayView::kMaxRank]; // stride, size
  int count = 0;
  for (int i = 0; i < view.rank; ++i)
    if (view.sizes[i] != 1)
      axes[count++] = {std::abs(view.strides[i]), view.sizes[i]};
  std::sort(axes, axes + count);
  int64_t span = 0;
  for (int i = 0; i < count; ++i) {
    if (axes[i].first <= span)
      return false;
    span += axes[i].first * (axes[i].second - 1);
  }
  return true;
}

void lattn::python::checkWritable(const ArrayView &written) {
  std::string name = written.name;
  if (!written.isWritable)
    throwValueError(name + ": expected a writable array, got " +
                    (written.library == Library::Torch
                         ? "a tensor with the negative bit, which "
                           "resolve_neg() resolves"
                         : "a read-only one"));
  if (!written.isEmpty() && !liesApart(written))
    throwValueError(name + ": expected elements that lie apart, got strides "
                           "that let them overlap");
}

/// A view of the same memory for NumPy, whatever the library.
static nb::object makeNumPyView(const ArrayView &view) {
  nb::object object = nb::module_::import_("types").attr("SimpleNamespace")();
  int64_t size = lattnElementTypeGetSize(view.type);
  nb::list sizes, strides;
  for (int i = 0; i < view.rank; ++i) {
    sizes.append(view.sizes[i]);
    strides.append(view.strides[i] * size);
  }
  nb::dict interface;
  interface["version"] = 3;
  interface["data"] =
      nb::make_tuple(reinterpret_cast<uintptr_t>(view.data), true);
  interface["typestr"] = "|V" + std::to_string(size);
  interface["shape"] = nb::tuple(sizes);
  interface["strides"] = nb::tuple(strides);
  object.attr("__array_interface__") = interface;
  return nb::module_::import_("numpy").attr("asarray")(object);
}

void lattn::python::checkDisjoint(const ArrayView &written,
                                  const ArrayView &other) {
  if (written.isEmpty() || other.isEmpty())
    return;
  auto [begin, end] = written.getBytes();
  auto [otherBegin, otherEnd] = other.getBytes();
  if (end <= otherBegin || otherEnd <= begin)
    return;
  // Interleaved views of one array, as slices of packed projections, may still
  // be disjoint. NumPy gives up on what is too hard to tell.
  bool overlap = true;
  try {
    overlap = nb::cast<bool>(nb::module_::import_("numpy").attr(
        "shares_memory")(makeNumPyView(written), makeNumPyView(other),
                         /*max_work=*/100000));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_RuntimeError)) // TooHardError
      throw;
  }
  if (overlap)
    throwValueError(
        std::string(written.name) +
        ": expected memory of its own, got an array that overlaps " +
        other.name);
}

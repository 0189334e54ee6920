//===- Sequences.cpp - Packed sequences -----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include <algorithm>

using namespace lattn::python;

int32_t Sequences::getType() const {
  return isGiven() ? static_cast<int32_t>(view.type) : KernelKey::kNone;
}

void Sequences::append(std::vector<LattnArray> &arguments) const {
  if (!isGiven())
    return;
  arguments.push_back(view.getArray());
  LattnArray number = {};
  number.data = const_cast<int64_t *>(&longest);
  number.type = LattnI64;
  arguments.push_back(number);
}

void lattn::python::keepFirstAxis(ArrayView &view, int64_t begin,
                                  int64_t size) {
  int64_t bytes = lattnElementTypeGetSize(view.type);
  view.data = static_cast<char *>(view.data) + begin * view.strides[0] * bytes;
  view.sizes[0] = size;
}

void Sequences::keep(int64_t begin, int64_t size) {
  if (!isGiven())
    return;
  keepFirstAxis(view, begin, size + 1);
  count = size;
}

void BatchNumbers::keep(int64_t begin, int64_t count) {
  if (!isGiven || isOne || stride == 0)
    return;
  values = std::vector<int64_t>(values.begin() + begin,
                                values.begin() + begin + count);
  size = count;
}

static int64_t getBorder(const ArrayView &view, int64_t i) {
  int64_t at = i * view.strides[0];
  return view.type == LattnI64 ? static_cast<const int64_t *>(view.data)[at]
                               : static_cast<const int32_t *>(view.data)[at];
}

static void expectBorders(const ArrayView &view) {
  expectType(view, LattnI32, LattnI64);
  expectShape(view, "S + 1", {kAny});
  if (view.sizes[0] == 0)
    throwValueError(std::string(view.name) +
                    ": expected at least 1 entry, the 0 that the first "
                    "sequence begins with, got none");
}

Sequences lattn::python::readSequencesOnGPU(nb::handle object, const char *name,
                                            int64_t rows) {
  Sequences found;
  readAnywhere(object, name, found.view);
  expectBorders(found.view);
  found.count = found.view.sizes[0] - 1;
  found.longest = rows;
  if (found.count == 0 && rows != 0)
    throwValueError(std::string(name) + ": expected at least 1 sequence for " +
                    std::to_string(rows) + " rows, got none");
  return found;
}

Sequences lattn::python::readSequences(nb::handle object, const char *name,
                                       int64_t rows) {
  Sequences found;
  read(object, name, found.view);
  const ArrayView &view = found.view;
  expectBorders(view);
  auto fail = [&](const std::string &expected, int64_t i) {
    throwValueError(std::string(name) + ": expected " + expected + ", got " +
                    std::to_string(getBorder(view, i)) + " at [" +
                    std::to_string(i) + "]");
  };
  found.count = view.sizes[0] - 1;
  if (getBorder(view, 0) != 0)
    fail("the first sequence to begin with row 0", 0);
  for (int64_t i = 1; i <= found.count; ++i) {
    int64_t begin = getBorder(view, i - 1), end = getBorder(view, i);
    if (end < begin)
      fail("numbers that do not decrease, at least " + std::to_string(begin),
           i);
    found.longest = std::max(found.longest, end - begin);
    if (found.singles == i - 1 && end - begin == 1)
      ++found.singles;
  }
  if (getBorder(view, found.count) != rows)
    fail("the last sequence to end with the last row, " + std::to_string(rows),
         found.count);
  return found;
}

//===- Sequences.cpp - Packed sequences -----------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"

using namespace lattn::python;

int32_t Sequences::getType() const {
  return isGiven() ? static_cast<int32_t>(view.type) : KernelKey::kNone;
}

void Sequences::append(std::vector<LattnArray> &arguments) const {
  if (!isGiven())
    return;
  arguments.push_back(view.getArray());
  LattnArray number = {};
  number.data = const_cast<int64_t *>(&borders.longest);
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
  borders.count = size;
}

void BatchNumbers::keep(int64_t begin, int64_t count) {
  if (!isGiven || isOne || stride == 0)
    return;
  values = std::vector<int64_t>(values.begin() + begin,
                                values.begin() + begin + count);
  size = count;
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
  found.borders.count = found.view.sizes[0] - 1;
  found.borders.longest = rows;
  if (found.borders.count == 0 && rows != 0)
    throwValueError(std::string(name) + ": expected at least 1 sequence for " +
                    std::to_string(rows) + " rows, got none");
  return found;
}

Sequences lattn::python::readSequences(nb::handle object, const char *name,
                                       int64_t rows) {
  Sequences found;
  readAnywhere(object, name, found.view);
  const ArrayView &view = found.view;
  if (view.isOnGPU())
    throwValueError(std::string(name) +
                    ": expected an array in the CPU's memory, as q, got one " +
                    describePlace(view));
  expectBorders(view);
  if (ValueError error =
          readBorders(view.getArray(), name, rows, found.borders))
    throwValueError(*error);
  return found;
}

//===- Array.cpp - Strided arrays of a run's arguments and results -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Array.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace lattn;
using namespace lattn::sweep;
using llvm::APFloat;
using llvm::ArrayRef;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics *getSemantics(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
    return &APFloat::IEEEhalf();
  case ElementKind::BF16:
    return &APFloat::BFloat();
  case ElementKind::F32:
    return &APFloat::IEEEsingle();
  default:
    return nullptr;
  }
}

/// The element's bits, in the low bytes.
static uint64_t encode(ElementKind kind, double value) {
  if (kind == ElementKind::F64)
    return llvm::bit_cast<uint64_t>(value);
  if (const llvm::fltSemantics *semantics = getSemantics(kind)) {
    APFloat number(value);
    bool losesInfo;
    number.convert(*semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    return number.bitcastToAPInt().getZExtValue();
  }
  return static_cast<uint64_t>(static_cast<int64_t>(value));
}

double sweep::loadElement(ElementKind kind, const char *from) {
  uint64_t bits = 0;
  std::memcpy(&bits, from, getElementSize(kind));
  if (kind == ElementKind::F64)
    return llvm::bit_cast<double>(bits);
  if (kind == ElementKind::I32)
    return static_cast<int32_t>(bits);
  const llvm::fltSemantics *semantics = getSemantics(kind);
  if (!semantics)
    return static_cast<double>(static_cast<int64_t>(bits));
  APFloat number(*semantics, llvm::APInt(8 * getElementSize(kind), bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

double sweep::roundTo(ElementKind kind, double value) {
  uint64_t bits = encode(kind, value);
  char bytes[8];
  std::memcpy(bytes, &bits, 8);
  return loadElement(kind, bytes);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Calls visit(i, offset) for the elements in row-major order.
template <typename Visit>
static void visitStrided(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                         Visit visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  llvm::SmallVector<int64_t> index(shape.size());
  int64_t at = 0;
  for (int64_t i = 0; i < count; ++i) {
    visit(i, at);
    for (size_t axis = shape.size(); axis-- > 0;) {
      at += strides[axis];
      if (++index[axis] < shape[axis])
        break;
      at -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

template <typename Visit> void Array::forEach(Visit visit) const {
  int64_t bytes = getElementSize(kind);
  visitStrided(shape, strides,
               [&](int64_t i, int64_t at) { visit(i, (offset + at) * bytes); });
}

void Array::chooseStrides(Strides how, Random &random) {
  size_t rank = shape.size();
  std::vector<size_t> order(rank); // from the outermost axis inwards
  std::iota(order.begin(), order.end(), 0);
  if (how == Strides::Permuted && rank > 1) {
    // Often with the last axis, which most loops run along, not contiguous.
    if (random.oneIn(2))
      std::reverse(order.begin(), order.end());
    else
      for (size_t i = rank - 1; i > 0; --i)
        std::swap(order[i], order[random.below(i + 1)]);
  }
  strides.resize(rank);
  int64_t page = 4096 / getElementSize(kind);
  int64_t stride = 1;
  for (size_t axis : llvm::reverse(order)) {
    if (how == Strides::Page && axis + 2 == rank)
      stride = llvm::alignTo(stride, page);
    strides[axis] = stride;
    stride *= std::max<int64_t>(shape[axis], 1);
    if (how == Strides::Padded)
      stride += random.below(6);
  }
  size = stride;
  if (how == Strides::Unaligned || how == Strides::Padded)
    offset = how == Strides::Unaligned ? 1 : random.below(20);
}

Array::Array(ElementKind kind, std::string axes, ArrayRef<int64_t> shape,
             ArrayRef<double> values, Strides how, Random &random)
    : kind(kind), axes(std::move(axes)), shape(shape) {
  int64_t rows = 1;
  for (int64_t extent : shape.drop_back(shape.empty() ? 0 : 1))
    rows *= extent;
  // A page a row only where that is not too much memory.
  chooseStrides(how == Strides::Page && rows > 4000 ? Strides::Dense : how,
                random);
  int64_t bytes = getElementSize(kind);
  constexpr int64_t guard = 64;
  offset += guard / bytes;
  memory.assign((offset + size) * bytes + guard, char(0xff));
  if (values.empty())
    return;
  forEach([&](int64_t i, int64_t at) {
    uint64_t bits = encode(kind, values[i]);
    std::memcpy(memory.data() + at, &bits, bytes);
  });
}

std::vector<int64_t> Array::getDescriptor() {
  auto base = reinterpret_cast<int64_t>(memory.data());
  std::vector<int64_t> fields = {base, base, offset};
  fields.insert(fields.end(), shape.begin(), shape.end());
  fields.insert(fields.end(), strides.begin(), strides.end());
  return fields;
}

std::vector<double> Array::load() const {
  std::vector<double> values;
  forEach([&](int64_t, int64_t at) {
    values.push_back(loadElement(kind, memory.data() + at));
  });
  return values;
}

bool Array::isPaddingIntact() const {
  std::vector<char> copy = memory;
  forEach([&](int64_t, int64_t at) {
    std::memset(copy.data() + at, 0xff, getElementSize(kind));
  });
  return llvm::all_of(copy, [](char c) { return c == char(0xff); });
}

std::vector<double> sweep::loadDescriptor(ElementKind kind,
                                          const int64_t *fields, size_t rank) {
  int64_t bytes = getElementSize(kind);
  const char *base = reinterpret_cast<const char *>(fields[1]);
  std::vector<double> values;
  visitStrided(
      {fields + 3, rank}, {fields + 3 + rank, rank}, [&](int64_t, int64_t at) {
        values.push_back(loadElement(kind, base + (fields[2] + at) * bytes));
      });
  return values;
}

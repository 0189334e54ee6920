//===- Arguments.cpp - Arrays as compiled functions take them -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "lattn/Execution/Descriptor.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;

static void fillDenseStrides(ArrayRef<int64_t> sizes, int64_t *strides) {
  uint64_t stride = 1; // of an empty array it may wrap
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
}

/// What no array may be, whatever the function takes.
static Error checkArray(const ValueInfo &info, const LattnArray &array) {
  auto fail = [&](const llvm::Twine &text) {
    return createStringError("'" + info.name + "': expected " + text);
  };
  if (int type = getNumber(array.type); type < LattnBool || type > LattnBF16)
    return fail("a LattnElementType, got " + llvm::Twine(type));
  if (array.rank < 0)
    return fail("a rank of at least 0, got " + llvm::Twine(array.rank));
  if (array.rank > 0 && !array.sizes)
    return fail(llvm::Twine(array.rank) + " sizes, got NULL");
  ArrayRef<int64_t> sizes(array.sizes, array.rank);
  if (Error error = info.check(unwrap(array.type), sizes))
    return error;
  if (!array.data && !llvm::is_contained(sizes, 0))
    return fail("the address of its elements, got NULL");
  return Error::success();
}

/// Whether the elements lie further apart than addresses can.
static bool overflows(ArrayRef<int64_t> sizes, const int64_t *strides,
                      int64_t elementSize) {
  int64_t all = elementSize;
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t stride = strides[i], bytes;
    if (stride == INT64_MIN ||
        llvm::MulOverflow(std::abs(stride), elementSize, bytes) ||
        llvm::MulOverflow(bytes, size - 1, bytes) ||
        llvm::AddOverflow(all, bytes, all))
      return true;
  }
  return false;
}

/// Fills a descriptor at `fields`.
static Error addArray(const ValueInfo &info, const LattnArray &array,
                      int64_t *fields) {
  size_t rank = array.rank;
  ArrayRef<int64_t> sizes(array.sizes, rank);
  fields[0] = fields[1] = reinterpret_cast<int64_t>(array.data);
  fields[2] = 0;
  llvm::copy(sizes, fields + 3);
  int64_t *strides = fields + 3 + rank;
  if (array.strides)
    std::copy_n(array.strides, rank, strides);
  else
    fillDenseStrides(sizes, strides);
  if (!llvm::is_contained(sizes, 0) &&
      overflows(sizes, strides, getElementSize(info.kind)))
    return createStringError("'" + info.name +
                             "': its sizes and strides reach beyond the "
                             "address space");
  return info.checkStrides(sizes, {strides, rank});
}

namespace {
/// Where an argument's elements lie.
struct Place {
  Place(const ValueInfo &info, const int64_t *fields)
      : name(info.name), address(fields[1]),
        elementSize(getElementSize(info.kind)),
        sizes(fields + 3, info.shape.size()),
        strides(sizes.end(), info.shape.size()) {}
  bool isEmpty() const { return llvm::is_contained(sizes, 0); }
  /// From the first byte to the one behind the last.
  std::pair<int64_t, int64_t> getBytes() const {
    int64_t begin = address, end = address + elementSize;
    for (auto [size, stride] : llvm::zip_equal(sizes, strides))
      (stride < 0 ? begin : end) += (size - 1) * stride * elementSize;
    return {begin, end};
  }

  llvm::StringRef name;
  int64_t address, elementSize;
  ArrayRef<int64_t> sizes, strides;
};
} // namespace

/// Interleaved views of one array may have no byte in common.
static bool shareBytes(const Place &a, const Place &b) {
  if (a.isEmpty() || b.isEmpty())
    return false;
  auto [beginA, endA] = a.getBytes();
  auto [beginB, endB] = b.getBytes();
  if (endA <= beginB || endB <= beginA)
    return false;
  // Indices of an element of both, and by how much a's begins after b's.
  size_t rank = a.sizes.size() + b.sizes.size();
  mlir::presburger::IntegerPolyhedron elements(
      mlir::presburger::PresburgerSpace::getSetSpace(rank));
  llvm::SmallVector<int64_t> less, more;
  for (const Place *place : {&a, &b})
    for (auto [size, stride] : llvm::zip_equal(place->sizes, place->strides)) {
      using mlir::presburger::BoundType;
      elements.addBound(BoundType::LB, more.size(), 0);
      elements.addBound(BoundType::UB, more.size(), size - 1);
      int64_t bytes = stride * place->elementSize;
      more.push_back(place == &a ? bytes : -bytes);
      less.push_back(-more.back());
    }
  int64_t distance = a.address - b.address;
  more.push_back(distance + a.elementSize - 1); // a ends after b begins
  less.push_back(b.elementSize - 1 - distance); // b ends after a begins
  elements.addInequality(more);
  elements.addInequality(less);
  return !elements.isIntegerEmpty();
}

/// What is written shares no memory with others.
static Error checkWritten(ArrayRef<unsigned> written, ArrayRef<Place> places,
                          ArrayRef<unsigned> numbers) {
  for (auto [i, place] : llvm::zip_equal(numbers, places))
    for (auto [j, other] : llvm::zip_equal(numbers, places))
      if (i != j && llvm::is_contained(written, i) && shareBytes(place, other))
        return createStringError(
            "'" + place.name +
            "': expected memory of its own, got an array that overlaps '" +
            other.name + "'");
  return Error::success();
}

Error CallPointers::add(const Signature &signature,
                        ArrayRef<LattnArray> arguments) {
  size_t numFields = 0;
  for (const ValueInfo &info : signature.arguments)
    if (info.isShaped)
      numFields += getDescriptorFields(info.shape.size());
  fields.resize(numFields);
  int64_t *next = fields.data();
  llvm::SmallVector<Place, 16> places;
  llvm::SmallVector<unsigned, 16> numbers; // of arrays among the arguments
  for (auto [i, info, array] :
       llvm::enumerate(signature.arguments, arguments)) {
    if (Error error = checkArray(info, array))
      return error;
    if (!info.isShaped) {
      pointers.push_back(array.data);
      continue;
    }
    if (Error error = addArray(info, array, next))
      return error;
    pointers.push_back(next);
    places.emplace_back(info, next);
    numbers.push_back(i);
    next += getDescriptorFields(array.rank);
  }
  return checkWritten(signature.written, places, numbers);
}

Error CallPointers::create(const Program &program, const LattnArray *arguments,
                           intptr_t count) {
  const Signature &signature = program.getSignature();
  const ResultLayout &layout = program.getResultLayout();
  size_t expected = signature.arguments.size();
  if (count != static_cast<intptr_t>(expected))
    return createStringError("'" + signature.entry + "' takes " +
                             std::to_string(expected) + " arguments, got " +
                             std::to_string(count));
  if (!arguments && expected)
    return makeNullError("arguments");
  resultStruct.resize(llvm::divideCeil(layout.bytes, 8u));
  if (layout.inFront)
    pointers.push_back(resultStruct.data());
  if (Error error = add(signature, {arguments, expected}))
    return error;
  if (!layout.inFront)
    pointers.push_back(resultStruct.data());
  return Error::success();
}

//===- Invocation.cpp - Calling compiled functions with arrays ------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Several results are one struct, in natural alignment.

#include "lattn/Execution/Callable.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/Failure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static Expected<NumpyArray> copyResult(const ValueInfo &info,
                                       const char *field) {
  if (!info.isShaped) {
    Expected<NumpyArray> scalar = NumpyArray::create(info.kind, {});
    if (scalar)
      std::memcpy(scalar->buffer.data(), field, getElementSize(info.kind));
    return scalar;
  }
  Descriptor result{reinterpret_cast<const int64_t *>(field),
                    info.shape.size()};
  Expected<NumpyArray> array = NumpyArray::create(info.kind, result.getSizes());
  if (!array || !array->getNumElements())
    return array;
  int64_t size = getElementSize(info.kind);
  copyStrided(array->buffer.data(), result.getData(size), result.getSizes(),
              result.getStrides(), size);
  return array;
}

//===----------------------------------------------------------------------===//
// Invocation
//===----------------------------------------------------------------------===//

ResultLayout::ResultLayout(const Signature &signature) {
  for (const ValueInfo &info : signature.results) {
    unsigned size = info.isShaped ? 8 * getDescriptorFields(info.shape.size())
                                  : getElementSize(info.kind);
    bytes = llvm::alignTo(bytes, std::min(size, 8u));
    offsets.push_back(bytes);
    bytes += size;
  }
  // A struct goes in front by pointer; a lone scalar is returned by value, and
  // its place is behind.
  inFront = signature.results.size() > 1 ||
            (!signature.results.empty() && signature.results[0].isShaped);
}

Expected<Invocation> Invocation::create(const Callable &callable,
                                        ArrayRef<NumpyArray *> arguments) {
  const Signature &signature = callable.signature;
  if (arguments.size() != signature.arguments.size())
    return llvm::createStringError("'" + signature.entry + "' takes " +
                                   std::to_string(signature.arguments.size()) +
                                   " arguments, got " +
                                   std::to_string(arguments.size()));
  Invocation call;
  call.callable = &callable;
  ResultLayout layout(signature);
  call.resultOffsets = layout.offsets;
  call.resultStruct.resize(llvm::divideCeil(layout.bytes, 8u));
  void *results = call.resultStruct.data();
  if (layout.inFront)
    call.pointers.push_back(results);
  for (auto [info, array] : llvm::zip_equal(signature.arguments, arguments)) {
    if (Error error = info.check(array->kind, array->shape))
      return error;
    if (!info.isShaped) {
      call.pointers.push_back(array->buffer.data());
      continue;
    }
    call.descriptors.push_back(
        makeDescriptor(array->buffer.data(), array->shape));
    ArrayRef<int64_t> fields(call.descriptors.back());
    if (Error error = info.checkStrides(array->shape,
                                        fields.take_back(array->shape.size())))
      return error;
    call.pointers.push_back(call.descriptors.back().data());
  }
  if (!layout.inFront)
    call.pointers.push_back(results);
  return call;
}

void Invocation::run() {
  releaseResults();
  // What an earlier run left means nothing where this one fails.
  std::fill(resultStruct.begin(), resultStruct.end(), 0);
  const char *left = runCode([&] { callable->call(pointers.data()); });
  failure = lattn_take_failure();
  if (left)
    failure = left;
  hasResults = true;
}

void lattn::forEachOwned(const Signature &signature, const char *results,
                         ArrayRef<unsigned> offsets,
                         llvm::function_ref<void(void *)> visit) {
  llvm::SmallPtrSet<void *, 4> seen;
  for (auto [info, offset] : llvm::zip_equal(signature.results, offsets)) {
    if (!info.isShaped)
      continue;
    Descriptor result{reinterpret_cast<const int64_t *>(results + offset),
                      info.shape.size()};
    void *allocated = result.getAllocated();
    // Arguments, constants and what another result holds are not its own.
    if (allocated && isAllocatedByCode(allocated) &&
        seen.insert(allocated).second)
      visit(allocated);
  }
}

void Invocation::releaseResults() {
  if (!hasResults)
    return;
  hasResults = false;
  forEachOwned(callable->signature,
               reinterpret_cast<const char *>(resultStruct.data()),
               resultOffsets, releaseFromCode);
}

int64_t Invocation::getResultBytes() const {
  int64_t bytes = 0;
  if (hasResults)
    forEachOwned(callable->signature,
                 reinterpret_cast<const char *>(resultStruct.data()),
                 resultOffsets,
                 [&](void *p) { bytes += getAllocatedBytes(p); });
  return bytes;
}

Expected<std::vector<NumpyArray>> Invocation::getResults() const {
  if (failure)
    return llvm::createStringError(failure);
  std::vector<NumpyArray> arrays;
  const char *results = reinterpret_cast<const char *>(resultStruct.data());
  for (auto [info, offset] :
       llvm::zip_equal(callable->signature.results, resultOffsets)) {
    Expected<NumpyArray> array = copyResult(info, results + offset);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
  }
  return arrays;
}

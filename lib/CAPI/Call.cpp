//===- Call.cpp - Calling with arrays -------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/Failure.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
/// What a result's `owner` points to.
struct Owner {
  void *allocated = nullptr;
  llvm::SmallVector<int64_t, 8> sizes, strides;
};
} // namespace

void lattnArrayRelease(LattnArray *array) {
  auto *owner = array ? static_cast<Owner *>(array->owner) : nullptr;
  if (!owner)
    return;
  releaseFromCode(owner->allocated);
  delete owner;
  *array = {};
}

LattnArray lattn::makeResult(const ValueInfo &info, void *allocated, void *data,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  auto *owner = new Owner;
  owner->allocated = allocated;
  owner->sizes.assign(sizes.begin(), sizes.end());
  owner->strides.assign(strides.begin(), strides.end());
  LattnArray array = {};
  array.data = data;
  array.type = wrap(info.kind);
  array.rank = owner->sizes.size();
  array.sizes = owner->sizes.data();
  array.strides = owner->strides.data();
  array.owner = owner;
  return array;
}

LattnArray lattn::copyResult(const ValueInfo &info, const char *data,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  int64_t elementSize = getElementSize(info.kind), elements = 1;
  llvm::SmallVector<int64_t, 8> dense(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    dense[i] = elements;
    elements *= sizes[i];
  }
  void *allocated = tryAllocateForCode(elements * elementSize, elementSize);
  if (!allocated)
    return {};
  if (elements)
    copyStrided(static_cast<char *>(allocated), data, sizes, strides,
                elementSize);
  return makeResult(info, allocated, allocated, sizes, dense);
}

static void takeResults(const Signature &signature, const ResultLayout &layout,
                        const char *results, LattnArray *to) {
  llvm::SmallPtrSet<void *, 4> taken;
  for (auto [info, offset] :
       llvm::zip_equal(signature.results, layout.offsets)) {
    LattnArray &array = *to++;
    if (!info.isShaped) {
      array = copyResult(info, results + offset, {}, {});
      continue;
    }
    Descriptor result{reinterpret_cast<const int64_t *>(results + offset),
                      info.shape.size()};
    char *data = result.getData(getElementSize(info.kind));
    void *allocated = result.getAllocated();
    // Arguments, constants and what another result holds are not its own.
    if (!allocated || !isAllocatedByCode(allocated) ||
        !taken.insert(allocated).second) {
      array = copyResult(info, data, result.getSizes(), result.getStrides());
      continue;
    }
    array = makeResult(info, allocated, data, result.getSizes(),
                       result.getStrides());
  }
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

LattnError lattnCallableCall(const LattnCallable *callable,
                             const LattnArray *arguments, intptr_t numArguments,
                             LattnArray *results) {
  if (!callable)
    return makeError(makeNullError("a callable"));
  const Signature &signature = callable->callable.getSignature();
  const ResultLayout &layout = callable->layout;
  CallPointers call;
  if (Error error = call.create(signature, layout, arguments, numArguments))
    return makeError(std::move(error));
  if (!results && !signature.results.empty())
    return makeError(makeNullError("results"));
  const char *left = runCode([&] { callable->callable.call(call.get()); });
  const char *failure = lattn_take_failure();
  if (left || failure) {
    if (!left)
      forEachOwned(signature, call.getResults(), layout.offsets,
                   releaseFromCode);
    return makeError(llvm::createStringError(left ? left : failure));
  }
  llvm::SmallVector<LattnArray, 4> taken(signature.results.size());
  takeResults(signature, layout, call.getResults(), taken.data());
  if (llvm::any_of(taken,
                   [](const LattnArray &array) { return !array.owner; })) {
    for (LattnArray &array : taken)
      lattnArrayRelease(&array);
    return makeError(llvm::createStringError("out of memory: no room for a "
                                             "copy of a result"));
  }
  llvm::copy(taken, results);
  return nullptr;
}

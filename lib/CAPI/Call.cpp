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

/// `allocated`, which is freed with the array, may be null.
static LattnArray makeResult(const ValueInfo &info, void *allocated, void *data,
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

/// A scalar, or elements that are copied to memory of their own; without an
/// owner where there is none.
static LattnArray copyResult(const ValueInfo &info, const char *data,
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

/// The results that a call left at `results`. Memory of a GPU is the caller's.
static llvm::SmallVector<LattnArray, 4> takeResults(const Program &program,
                                                    const char *results) {
  llvm::SmallVector<LattnArray, 4> arrays;
  llvm::SmallPtrSet<void *, 4> taken;
  for (auto [info, offset] : llvm::zip_equal(
           program.getSignature().results, program.getResultLayout().offsets)) {
    if (!info.isShaped) {
      arrays.push_back(copyResult(info, results + offset, {}, {}));
      continue;
    }
    Descriptor result{reinterpret_cast<const int64_t *>(results + offset),
                      info.shape.size()};
    char *data = result.getData(getElementSize(info.kind));
    void *allocated = program.isForDevice() ? nullptr : result.getAllocated();
    // Arguments, constants and what another result holds are not its own.
    bool isCopied = !program.isForDevice() &&
                    (!allocated || !isAllocatedByCode(allocated) ||
                     !taken.insert(allocated).second);
    arrays.push_back(
        isCopied
            ? copyResult(info, data, result.getSizes(), result.getStrides())
            : makeResult(info, allocated, data, result.getSizes(),
                         result.getStrides()));
  }
  return arrays;
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

Error lattn::callProgram(const Program &program, const LattnArray *arguments,
                         intptr_t numArguments, const DeviceCall *call,
                         LattnArray *results) {
  CallPointers pointers;
  if (Error error = pointers.create(program, arguments, numArguments))
    return error;
  if (!results && !program.getSignature().results.empty())
    return makeNullError("results");
  if (Error error = call ? program.call(pointers.get(), *call)
                         : program.call(pointers.get()))
    return error;
  llvm::SmallVector<LattnArray, 4> taken =
      takeResults(program, pointers.getResults());
  if (llvm::any_of(taken,
                   [](const LattnArray &array) { return !array.owner; })) {
    for (LattnArray &array : taken)
      lattnArrayRelease(&array);
    return llvm::createStringError("out of memory: no room for a copy of a "
                                   "result");
  }
  llvm::copy(taken, results);
  return Error::success();
}

Error lattn::prepareProgram(const Program &program, const LattnArray *arguments,
                            intptr_t numArguments, uint64_t stream) {
  CallPointers pointers;
  if (Error error = pointers.create(program, arguments, numArguments))
    return error;
  return program.prepare(pointers.get(), stream);
}

LattnError lattnCallableCall(const LattnCallable *callable,
                             const LattnArray *arguments, intptr_t numArguments,
                             LattnArray *results) {
  if (!callable)
    return makeError(makeNullError("a callable"));
  return makeError(callProgram(callable->program, arguments, numArguments,
                               /*call=*/nullptr, results));
}

//===- Call.cpp - Calling with arrays -------------------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unwrap.h"
#include "lattn/Execution/Descriptor.h"
#include "lattn/Execution/Memory.h"
#include "lattn/Runtime/Failure.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// Pointers as Callable::call takes them.
struct Pointers {
  llvm::SmallVector<int64_t, 128> fields; // of descriptors
  llvm::SmallVector<void *, 16> pointers;
};
} // namespace

static void fillDenseStrides(ArrayRef<int64_t> sizes, int64_t *strides) {
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= sizes[i];
  }
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
  return info.checkStrides(sizes, {strides, rank});
}

static Error addArguments(const Signature &signature,
                          ArrayRef<LattnArray> arguments, Pointers &call) {
  if (arguments.size() != signature.arguments.size())
    return createStringError("'" + signature.entry + "' takes " +
                             std::to_string(signature.arguments.size()) +
                             " arguments, got " +
                             std::to_string(arguments.size()));
  size_t numFields = 0;
  for (const ValueInfo &info : signature.arguments)
    if (info.isShaped)
      numFields += getDescriptorFields(info.shape.size());
  call.fields.resize(numFields);
  int64_t *fields = call.fields.data();
  for (auto [info, array] : llvm::zip_equal(signature.arguments, arguments)) {
    if (Error error =
            info.check(unwrap(array.type), {array.sizes, size_t(array.rank)}))
      return error;
    if (!info.isShaped) {
      call.pointers.push_back(array.data);
      continue;
    }
    if (Error error = addArray(info, array, fields))
      return error;
    call.pointers.push_back(fields);
    fields += getDescriptorFields(array.rank);
  }
  return Error::success();
}

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
  auto *owner = static_cast<Owner *>(array->owner);
  if (!owner)
    return;
  releaseFromCode(owner->allocated);
  delete owner;
  *array = {};
}

static LattnArray makeResult(const ValueInfo &info, Owner *owner, void *data) {
  LattnArray array = {};
  array.data = data;
  array.type = wrap(info.kind);
  array.rank = owner->sizes.size();
  array.sizes = owner->sizes.data();
  array.strides = owner->strides.data();
  array.owner = owner;
  return array;
}

static LattnArray copyResult(const ValueInfo &info, const char *data,
                             ArrayRef<int64_t> sizes,
                             ArrayRef<int64_t> strides) {
  int64_t elementSize = getElementSize(info.kind), elements = 1;
  for (int64_t size : sizes)
    elements *= size;
  auto *owner = new Owner;
  owner->sizes.assign(sizes.begin(), sizes.end());
  owner->strides.resize(sizes.size());
  fillDenseStrides(sizes, owner->strides.data());
  owner->allocated = allocateForCode(elements * elementSize, elementSize);
  if (elements)
    copyStrided(static_cast<char *>(owner->allocated), data, sizes, strides,
                elementSize);
  return makeResult(info, owner, owner->allocated);
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
    auto *owner = new Owner;
    owner->allocated = allocated;
    owner->sizes.assign(result.getSizes().begin(), result.getSizes().end());
    owner->strides.assign(result.getStrides().begin(),
                          result.getStrides().end());
    array = makeResult(info, owner, data);
  }
}

//===----------------------------------------------------------------------===//
// Calling
//===----------------------------------------------------------------------===//

LattnError lattnCallableCall(const LattnCallable *callable,
                             const LattnArray *arguments, intptr_t numArguments,
                             LattnArray *results) {
  const Signature &signature = callable->callable.getSignature();
  const ResultLayout &layout = callable->layout;
  llvm::SmallVector<int64_t, 32> resultStruct(
      llvm::divideCeil(layout.bytes, 8u));
  Pointers call;
  if (layout.inFront)
    call.pointers.push_back(resultStruct.data());
  if (Error error =
          addArguments(signature, {arguments, size_t(numArguments)}, call))
    return makeError(std::move(error));
  if (!layout.inFront)
    call.pointers.push_back(resultStruct.data());
  callable->callable.call(call.pointers.data());
  takeResults(signature, layout,
              reinterpret_cast<const char *>(resultStruct.data()), results);
  if (const char *failure = lattn_take_failure()) {
    for (size_t i = 0; i < signature.results.size(); ++i)
      lattnArrayRelease(&results[i]);
    return makeError(llvm::createStringError(failure));
  }
  return nullptr;
}

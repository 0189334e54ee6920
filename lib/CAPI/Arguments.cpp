//===- Arguments.cpp - Arrays as compiled functions take them -------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "lattn/Execution/Descriptor.h"
#include "llvm/Support/MathExtras.h"

using namespace lattn;
using llvm::ArrayRef;
using llvm::createStringError;
using llvm::Error;

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

Error CallPointers::add(const Signature &signature,
                        ArrayRef<LattnArray> arguments) {
  size_t numFields = 0;
  for (const ValueInfo &info : signature.arguments)
    if (info.isShaped)
      numFields += getDescriptorFields(info.shape.size());
  fields.resize(numFields);
  int64_t *next = fields.data();
  for (auto [info, array] : llvm::zip_equal(signature.arguments, arguments)) {
    if (Error error =
            info.check(unwrap(array.type), {array.sizes, size_t(array.rank)}))
      return error;
    if (!info.isShaped) {
      pointers.push_back(array.data);
      continue;
    }
    if (Error error = addArray(info, array, next))
      return error;
    pointers.push_back(next);
    next += getDescriptorFields(array.rank);
  }
  return Error::success();
}

Error CallPointers::create(const Signature &signature,
                           const ResultLayout &layout,
                           ArrayRef<LattnArray> arguments) {
  if (arguments.size() != signature.arguments.size())
    return createStringError("'" + signature.entry + "' takes " +
                             std::to_string(signature.arguments.size()) +
                             " arguments, got " +
                             std::to_string(arguments.size()));
  resultStruct.resize(llvm::divideCeil(layout.bytes, 8u));
  if (layout.inFront)
    pointers.push_back(resultStruct.data());
  if (Error error = add(signature, arguments))
    return error;
  if (!layout.inFront)
    pointers.push_back(resultStruct.data());
  return Error::success();
}

//===- Descriptor.h - Memref descriptors in memory --------------*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_EXECUTION_DESCRIPTOR_H
#define LATTN_EXECUTION_DESCRIPTOR_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <cstring>
#include <vector>

namespace lattn {

/// Fields of a memref's descriptor, eight bytes each: allocated, aligned,
/// offset, sizes..., strides...
inline size_t getDescriptorFields(size_t rank) { return 3 + 2 * rank; }

/// A descriptor of a dense array.
inline std::vector<int64_t> makeDescriptor(const void *data,
                                           llvm::ArrayRef<int64_t> sizes) {
  size_t rank = sizes.size();
  std::vector<int64_t> fields(getDescriptorFields(rank));
  fields[0] = fields[1] = reinterpret_cast<int64_t>(data);
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    fields[3 + i] = sizes[i];
    fields[3 + rank + i] = stride;
    stride *= sizes[i];
  }
  return fields;
}

/// A descriptor that compiled code filled.
struct Descriptor {
  const int64_t *fields;
  size_t rank;

  void *getAllocated() const { return reinterpret_cast<void *>(fields[0]); }
  char *getData(int64_t elementSize) const {
    return reinterpret_cast<char *>(fields[1]) + fields[2] * elementSize;
  }
  llvm::ArrayRef<int64_t> getSizes() const { return {fields + 3, rank}; }
  llvm::ArrayRef<int64_t> getStrides() const {
    return {fields + 3 + rank, rank};
  }
};

/// Copies strided elements to dense ones, axis by axis.
inline char *copyStrided(char *to, const char *from,
                         llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> strides, int64_t elementSize) {
  if (sizes.empty()) {
    std::memcpy(to, from, elementSize);
    return to + elementSize;
  }
  if (sizes.size() == 1 && strides[0] == 1) {
    std::memcpy(to, from, sizes[0] * elementSize);
    return to + sizes[0] * elementSize;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    to = copyStrided(to, from + i * strides[0] * elementSize,
                     sizes.drop_front(), strides.drop_front(), elementSize);
  return to;
}

} // namespace lattn

#endif // LATTN_EXECUTION_DESCRIPTOR_H

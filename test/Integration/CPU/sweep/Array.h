//===- Array.h - Strided arrays of a run's arguments and results -*- C++ -*-===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LATTN_TEST_SWEEP_ARRAY_H
#define LATTN_TEST_SWEEP_ARRAY_H

#include "Case.h"
#include "Random.h"

namespace lattn::sweep {

double roundTo(ElementKind kind, double value);
double loadElement(ElementKind kind, const char *from);

/// An array in memory with any strides. What lies between its elements is
/// bytes of 0xff, NaN in every float type: reads of it show, and writes to it
/// are found.
class Array {
public:
  /// `axes` names each axis by a letter, see Module.cpp. `values` in row-major
  /// order; none: the array stays 0xff.
  Array(ElementKind kind, std::string axes, llvm::ArrayRef<int64_t> shape,
        llvm::ArrayRef<double> values, Strides strides, Random &random);

  ElementKind getKind() const { return kind; }
  llvm::StringRef getAxes() const { return axes; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }

  /// {allocated, aligned, offset, sizes..., strides...}
  std::vector<int64_t> getDescriptor();
  /// Row-major values of what is there now.
  std::vector<double> load() const;
  const std::vector<char> &getMemory() const { return memory; }
  void setMemory(const std::vector<char> &bytes) { memory = bytes; }
  /// Whether the bytes that are no element's are 0xff still.
  bool isPaddingIntact() const;

private:
  void chooseStrides(Strides how, Random &random);
  /// Calls visit(element's position in row-major order, its byte in memory).
  template <typename Visit> void forEach(Visit visit) const;

  ElementKind kind;
  std::string axes;
  llvm::SmallVector<int64_t> shape, strides; // in elements
  int64_t offset = 0, size = 0;              // in elements
  std::vector<char> memory;
};

/// Row-major values of a descriptor's array.
std::vector<double> loadDescriptor(ElementKind kind, const int64_t *fields,
                                   size_t rank);

} // namespace lattn::sweep

#endif // LATTN_TEST_SWEEP_ARRAY_H

//===- MmaAttr.cpp - The layout of m16n8k16 instructions ------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Fragment/IR/Fragment.h"

using namespace mlir;
using namespace lattn::fragment;

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              Part, int64_t warps) {
  if (warps < 1 || warps > lattn::GPUTarget::mostBlockWarps)
    return emitError() << "expected 1 to " << lattn::GPUTarget::mostBlockWarps
                       << " warps, got " << warps;
  return success();
}

int64_t MmaAttr::getInstructionRows() const { return 16; }

LayoutAttrInterface MmaAttr::withPart(Part part) const {
  return get(getContext(), part, getWarps());
}

LogicalResult MmaAttr::verifyTile(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type element) const {
  Part part = getPart();
  bool isMatrix = part == Part::Accumulator || part == Part::Operand;
  size_t rank = isMatrix ? 2 : 1;
  if (shape.size() != rank)
    return emitError() << "expected " << rank << " extents of a tile with part "
                       << stringifyPart(part) << ", got " << shape.size();
  int64_t rows = getInstructionRows() * getWarps();
  if (part != Part::Column && (shape[0] <= 0 || shape[0] % rows))
    return emitError() << "expected a multiple of " << rows << " rows for "
                       << getWarps() << " warps, got " << shape[0];
  int64_t columns = part == Part::Operand ? 16 : 8;
  if (part != Part::Row && (shape.back() <= 0 || shape.back() % columns))
    return emitError() << "expected a multiple of " << columns
                       << " columns of a tile with part " << stringifyPart(part)
                       << ", got " << shape.back();
  bool narrow = element.isF16() || element.isBF16();
  if ((part == Part::Operand) != narrow)
    return emitError() << "expected "
                       << (narrow ? "part operand for elements "
                                  : "elements f16 or bf16 of an operand, got ")
                       << element;
  if (!element.isIntOrFloat())
    return emitError() << "expected elements of integers or floats, got "
                       << element;
  return success();
}

int64_t MmaAttr::getNumRegisters(ArrayRef<int64_t> shape) const {
  if (getPart() == Part::Column)
    return shape[0] / 4;
  int64_t groups = shape[0] / (getInstructionRows() * getWarps());
  switch (getPart()) {
  case Part::Accumulator:
    return groups * shape[1] / 2;
  case Part::Operand:
    return groups * shape[1] / 4;
  case Part::Row:
    return groups * 2;
  case Part::Column:
    break;
  }
  llvm_unreachable("a part without registers");
}

ElementPosition MmaAttr::getElement(ArrayRef<int64_t> shape,
                                    int64_t number) const {
  if (getPart() == Part::Row)
    return {number, 0};
  if (getPart() == Part::Column)
    return {0, number};
  int64_t perGroup = shape[1] / 2; // two rows, a quarter of columns
  int64_t group = number / perGroup, rest = number % perGroup;
  int64_t block = rest / 4, half = rest % 4 / 2, i = rest % 2;
  return {2 * group + half, 2 * block + i};
}

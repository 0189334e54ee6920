//===- FragmentDialect.cpp - Registration, layouts and the tile type ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn::fragment;

#include "lattn/Dialect/Fragment/IR/FragmentDialect.cpp.inc"
#include "lattn/Dialect/Fragment/IR/FragmentEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "lattn/Dialect/Fragment/IR/FragmentTypes.cpp.inc"

void FragmentDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lattn/Dialect/Fragment/IR/FragmentAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lattn/Dialect/Fragment/IR/FragmentTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lattn/Dialect/Fragment/IR/FragmentOps.cpp.inc"
      >();
}

LogicalResult MmaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              Part, int64_t warps) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 1 to 32 warps, got " << warps;
  return success();
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  MmaAttr layout;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element) || parser.parseComma() ||
      parser.parseAttribute(layout) || parser.parseGreater())
    return {};
  return parser.getChecked<TileType>(parser.getContext(), shape, element,
                                     layout);
}

void TileType::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printDimensionList(getShape());
  printer << "x" << getElementType() << ", " << getLayout() << ">";
}

LogicalResult TileType::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> shape, Type element,
                               MmaAttr layout) {
  Part part = layout.getPart();
  size_t rank = part == Part::Row ? 1 : 2;
  if (shape.size() != rank)
    return emitError() << "expected " << rank << " extents of a tile with part "
                       << stringifyPart(part) << ", got " << shape.size();
  int64_t rows = 16 * layout.getWarps();
  if (shape[0] <= 0 || shape[0] % rows)
    return emitError() << "expected a multiple of " << rows << " rows for "
                       << layout.getWarps() << " warps, got " << shape[0];
  int64_t columns = part == Part::Operand ? 16 : 8;
  if (rank == 2 && (shape[1] <= 0 || shape[1] % columns))
    return emitError() << "expected a multiple of " << columns
                       << " columns of a tile with part " << stringifyPart(part)
                       << ", got " << shape[1];
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

TileType TileType::getRowType(Type element) const {
  auto layout = MmaAttr::get(getContext(), Part::Row, getWarps());
  return get(getContext(), {getRows()}, element, layout);
}

//===- FragmentDialect.cpp - Registration, layouts and the tile type ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lattn/Dialect/Fragment/IR/Fragment.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace lattn::fragment;

#include "lattn/Dialect/Fragment/IR/FragmentAttrInterfaces.cpp.inc"
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

// conventions_c3
LogicalResult
FragmentDialect::verifyOperationAttribute(Operation *op,
                                          NamedAttribute attribute) {
  if (attribute.getName() != kKernelDescription)
    return op->emitError("the fragment dialect has no attribute '")
           << attribute.getName().getValue() << "'; it has '"
           << kKernelDescription << "'";
  if (isa<KernelAttr>(attribute.getValue()) && isa<gpu::LaunchFuncOp>(op))
    return success();
  return op->emitError("expected '")
         << kKernelDescription
         << "' on 'gpu.launch_func' only, as #fragment.kernel, got "
         << attribute.getValue();
}

LogicalResult KernelAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t queryTile) {
  if (queryTile < 1)
    return emitError() << "expected a query_tile of at least 1, got "
                       << queryTile;
  return success();
}

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  LayoutAttrInterface layout;
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
                               LayoutAttrInterface layout) {
  return layout.verifyTile(emitError, shape, element);
}

TileType TileType::getRowType(Type element) const {
  return get(getContext(), {getRows()}, element,
             getLayout().withPart(Part::Row));
}

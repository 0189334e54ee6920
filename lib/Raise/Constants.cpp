//===- Constants.cpp - Numbers of constant arrays -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Constants.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// Copies live as long as the context.
static constexpr int64_t kMaxNumbers = int64_t(1) << 22;

DenseElementsAttr lattn::raise::readConstant(Value array) {
  Attribute constant;
  if (!matchPattern(array, m_Constant(&constant)))
    return {};
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant);
  if (!resource)
    return dyn_cast<DenseElementsAttr>(constant);
  auto type = resource.getType();
  // Elements of one bit have different forms.
  bool isNumber = isa<FloatType>(type.getElementType()) ||
                  (type.getElementType().isIntOrIndex() &&
                   !type.getElementType().isInteger(1));
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isSplat;
  if (!blob || !isNumber || type.getNumElements() > kMaxNumbers ||
      !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

//===- Generic.cpp - linalg.generic of one output -------------------------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lattn/Dialect/Lattn/IR/Generic.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace lattn;
using utils::IteratorType;

Value lattn::buildGeneric(OpBuilder &b, Location loc, ValueRange ins, Value out,
                          ArrayRef<AffineMap> maps,
                          ArrayRef<IteratorType> kinds, ElementBody body) {
  return linalg::GenericOp::create(
             b, loc, out.getType(), ins, out, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange args) {
               linalg::YieldOp::create(nested, loc, body(nested, args));
             })
      .getResult(0);
}

Value lattn::buildGeneric(OpBuilder &b, Location loc, ValueRange ins, Value out,
                          ArrayRef<AffineMap> maps, ElementBody body,
                          bool reduce) {
  SmallVector<IteratorType> kinds(maps.back().getNumDims(),
                                  IteratorType::parallel);
  if (reduce)
    kinds.back() = IteratorType::reduction;
  return buildGeneric(b, loc, ins, out, maps, kinds, body);
}

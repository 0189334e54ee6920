//===- Projection.cpp - Products with weights, elementwise functions ------===//
//
// Part of the lattn project, under the Apache License v2.0 with LLVM Exceptions.
// See the file LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Projection.h"
#include "lattn/Dialect/Lattn/IR/Scores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace lattn;

Value lattn::project(OpBuilder &b, Location loc, Value rows, Value weight) {
  FloatType element = getAccumulatorType(rows.getType());
  Value empty = tensor::EmptyOp::create(
      b, loc,
      ArrayRef<OpFoldResult>{tensor::getMixedSize(b, loc, rows, 0),
                             tensor::getMixedSize(b, loc, weight, 0)},
      element);
  Value zero = arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0));
  Value sums = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  return linalg::MatmulTransposeBOp::create(b, loc, sums.getType(),
                                            ValueRange{rows, weight}, sums)
      .getResult(0);
}

Value lattn::mapElements(
    OpBuilder &b, Location loc, ArrayRef<Indexed> inputs, Value output,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body, bool reduce) {
  auto type = cast<RankedTensorType>(output.getType());
  FloatType element = getAccumulatorType(type);
  unsigned rank = type.getRank() + reduce;
  SmallVector<Value> arrays;
  SmallVector<AffineMap> maps;
  for (const Indexed &input : inputs) {
    arrays.push_back(input.array);
    maps.push_back(input.map);
  }
  AffineMap whole = b.getMultiDimIdentityMap(rank);
  maps.push_back(reduce ? whole.dropResult(rank - 1) : whole);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  if (reduce)
    kinds.back() = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, loc, type, arrays, output, maps, kinds,
             [&](OpBuilder &nested, Location, ValueRange args) {
               SmallVector<Value> wide;
               for (Value x : args.drop_back())
                 wide.push_back(convertFloat(nested, loc, x, element));
               Value y = body(nested, wide);
               // A sum's order is free.
               if (reduce)
                 y = arith::AddFOp::create(nested, loc, args.back(), y,
                                           arith::FastMathFlags::reassoc);
               linalg::YieldOp::create(
                   nested, loc,
                   convertFloat(nested, loc, y, type.getElementType()));
             })
      .getResult(0);
}
